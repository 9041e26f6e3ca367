//! Learners of answers about pairs: of tables, of a study's ledger, and those that are kept.

#[cfg(feature = "judging")]
mod of_ledger;
mod of_table;

#[cfg(feature = "judging")]
pub use crate::saved::{read_learner, save_learner, saved_learner};
#[cfg(feature = "judging")]
pub use crate::trained_labels::{TrainedQueries, label_hashes};
pub use crate::training_error::TrainingError;
#[cfg(feature = "judging")]
pub use of_ledger::ledger_training_table;
pub use of_table::{AppliedRow, LearnedTable, apply_learner, read_training_table, train_file};
