//! Measure retrieval without ground truth: a study from configuration to verdict.

pub mod config;
mod error;
pub mod plain;
mod scaffold;
mod study;

pub use error::StudyError;
pub use scaffold::Scaffold;
pub use study::Study;

pub use llull_core as core;
pub use llull_metrics as metrics;
pub use llull_report as report;
pub use llull_stats as stats;
