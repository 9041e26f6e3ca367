//! Questions with the answers that are expected: evret's datasets, JSON or CSV.

mod csv_form;
mod expected;
mod fields;
mod file;
mod json_form;
mod notes;
mod write;

pub use expected::{EvaluationDataset, ExpectedQuery, QueryOrigin};
pub use file::{ReadDatasetOptions, read_dataset};
pub use notes::{DatasetFile, DatasetNotes};
pub use write::{write_dataset, write_dataset_csv};
