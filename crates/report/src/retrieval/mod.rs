//! The time and cost of systems, compared with their quality.

mod rows;
mod speed;

pub(crate) use speed::{Speed, speed};
