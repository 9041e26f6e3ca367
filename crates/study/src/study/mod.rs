//! A study, in a folder or in memory; and new studies.

mod builder;
mod demo;
mod given_files;
mod input_steps;
mod judge_test;
mod scaffold;
mod scaffold_error;
mod steps;
mod study_annotators;
mod study_attempts;
mod study_batches;
mod study_estimates;
mod study_reports;
mod study_retrieval;
mod study_students;

pub use builder::StudyBuilder;
pub use demo::write_demo;
pub use given_files::{CheckedFiles, GivenFile};
pub use scaffold::Scaffold;
pub use scaffold_error::ScaffoldError;
pub use steps::Study;
pub use study_annotators::StudyAnnotators;
pub use study_attempts::StudyAttempts;
pub use study_batches::StudyBatches;
pub use study_estimates::StudyEstimates;
pub use study_reports::StudyReports;
pub use study_retrieval::StudyRetrieval;
pub use study_students::StudyStudents;
