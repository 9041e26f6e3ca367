//! Questions with the answers that are expected: evret's datasets, JSON or CSV.

mod csv_form;
mod expected;
mod file;
mod json_form;

pub use expected::{EvaluationDataset, ExpectedQuery};
pub use file::read_dataset;
