//! From tasks to durable judgments: dispatch, retries, budget, resumption.

mod judge;

pub use judge::{Answer, Case, Judge};
