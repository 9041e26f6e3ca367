//! The saved reports of a study.
//!
//! `.llull/reports` has a file for each distinct report, and in `inputs` the labels and lists that it was measured on.

mod error;
mod kept_labels;
mod label_inputs;
mod saved_inputs;
mod saved_report;
mod saved_reports;
mod split;

pub use error::HistoryError;
pub use kept_labels::UnchangedPairs;
pub(crate) use kept_labels::{keep, kept_base};
pub(crate) use label_inputs::{check_kept_judges, check_kept_texts};
pub use saved_report::SavedReport;
pub(crate) use saved_reports::EarlierReport;
pub use saved_reports::{History, ReportInHistory, SavedReports, SystemInHistory};
pub(crate) use split::{Present, split};
