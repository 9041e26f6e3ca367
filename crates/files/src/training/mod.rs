//! Learners of answers about pairs, of tables in files.

mod error;
mod of_table;

pub use error::TrainingError;
pub use of_table::{AppliedRow, LearnedTable, apply_learner, read_training_table, train_file};
