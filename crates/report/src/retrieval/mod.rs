//! How long systems take for a query and what that costs, beside how good what they find is.

mod figures;
mod rows;
mod speed;

pub use figures::RetrievalFigures;
pub(crate) use speed::{Speed, speed};
