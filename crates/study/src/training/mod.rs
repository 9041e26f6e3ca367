//! Learners of answers about pairs: of tables, of a study's ledger, and those that are kept.

mod of_ledger;

pub use crate::saved::{read_learner, save_learner, saved_learner};
pub use crate::trained_labels::{TrainedQueries, label_hashes};
pub use llull_files::training::{
    AppliedRow, LearnedTable, TrainingError, apply_learner, read_training_table, train_file,
};
pub use of_ledger::ledger_training_table;
