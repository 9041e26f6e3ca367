//! Training tables from a study's ledger, and learners.

mod of_ledger;

pub use crate::saved::{read_learner, save_learner, saved_learner};
pub use crate::trained_labels::{TrainedQueries, label_hashes};
pub use llull_files::training::{
    AppliedRow, LearnedTable, TrainingError, apply_learner, read_training_table, train_file,
};
pub use of_ledger::ledger_training_table;
