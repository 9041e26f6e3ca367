//! A study, in a folder or in memory; and new studies.

mod builder;
mod demo;
mod given_files;
mod input_steps;
mod judge_test;
mod ledger_steps;
mod scaffold;
mod scaffold_error;
mod steps;
mod study_annotators;
mod study_retrieval;
mod teaching;

pub use builder::StudyBuilder;
pub use demo::write_demo;
pub use given_files::{CheckedFiles, GivenFile};
pub use scaffold::Scaffold;
pub use scaffold_error::ScaffoldError;
pub use steps::Study;
pub use study_annotators::StudyAnnotators;
pub use study_retrieval::StudyRetrieval;
