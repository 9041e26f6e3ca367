//! How long systems take for a query and what that costs, beside how good is what they find.

mod rows;
mod speed;

pub(crate) use speed::{Speed, speed};
