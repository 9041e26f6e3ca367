//! How long systems take for a query and what that costs, beside how good what they find is.

mod rows;
mod speed;

pub(crate) use speed::{Speed, speed};
