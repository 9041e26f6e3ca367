//! Measure retrieval without ground truth: a study from configuration to verdict.
//!
//! A [`Study`] is a folder with `llull.toml`. Three steps lead from there to a report, and each can be done by itself:
//!
//! ```
//! use llull::config::Overrides;
//! use llull::runner::{Cancel, Silent};
//! use llull::{Asking, Study, write_demo};
//!
//! let folder = tempfile::tempdir()?;
//! write_demo(folder.path())?;
//! let study = Study::open(folder.path(), &Overrides { depth: Some(3), ..Overrides::default() })?;
//!
//! let prepared = study.prepare()?;                       // rubric, topics, runs, pool
//! let environment = |name: &str| std::env::var(name).ok();
//! let judged = study.judge(&prepared, &environment, Asking::Missing, &Silent, &Cancel::new())?;
//! let (files, report) = study.report(&prepared, &judged)?; // labels, figures, comparisons
//!
//! assert_eq!(report.coverage.missing, 0);
//! assert!(files.markdown.is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`plain`] reads labels and runs from files, for those who need no study; [`agreement`] says how far labels can be trusted.

pub mod agreement;
mod asker;
#[cfg(test)]
mod attempts;
mod ballots;
mod compared;
pub mod config;
mod contact;
mod contest;
mod demo;
mod doctor;
mod error;
mod estimate;
mod joined;
mod judged;
mod panel;
pub mod plain;
pub mod preferences;
mod prepared;
mod preview;
mod records;
mod reporting;
mod retrieval;
mod scaffold;
mod study;
mod tournaments;

pub use ballots::{LedgerBallots, ballots_of};
pub use compared::{ComparedTopic, Comparison};
pub use contact::Contact;
pub use demo::write_demo;
pub use doctor::{DoctorFinding, Severity};
pub use error::StudyError;
pub use estimate::Estimate;
pub use judged::{Asking, Environment, Grading, Judged};
pub use prepared::{HashedInput, Prepared};
pub use preview::{PreviewMessage, PromptPreview};
pub use reporting::{ReportFiles, Summary};
pub use scaffold::Scaffold;
pub use study::Study;

pub use llull_candidates as candidates;
pub use llull_core as core;
pub use llull_data as data;
pub use llull_judge as judge;
pub use llull_label as label;
pub use llull_llm as llm;
pub use llull_metrics as metrics;
pub use llull_rank as rank;
pub use llull_report as report;
pub use llull_runner as runner;
pub use llull_stats as stats;
pub use llull_store as store;
