//! The result of a command as CI systems show it: test cases, annotations, a comment.

mod ci_result;
mod comment;
mod junit;

pub use ci_result::{CiResult, CiState};
