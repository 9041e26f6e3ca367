//! The saved reports of a study.
//!
//! `.llull/reports` has a file for each distinct report, and in `inputs` the labels and lists that it was measured on.

mod error;
mod saved_inputs;
mod saved_report;
mod saved_reports;
mod split;

pub use error::HistoryError;
pub use saved_report::SavedReport;
pub(crate) use saved_reports::EarlierReport;
pub use saved_reports::{History, ReportInHistory, SavedReports, SystemInHistory};
pub(crate) use split::{Present, split};
