//! The file of a saved report.

use serde::{Deserialize, Serialize};

use crate::reporting::ReportRecord;

/// The version of the file that this llull writes.
pub(super) const VERSION: u32 = 1;

/// A saved report: figures, intervals, verdicts and hashes, and no text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedReport {
    #[serde(rename = "llull_saved_report")]
    pub(super) version: u32,
    /// The hash of the labels, whose file has it as its name; null if they are not saved.
    pub(crate) labels: Option<String>,
    /// The hash of what the labels depend on, whose file has it as its name; null in reports of an earlier llull.
    #[serde(default)]
    pub(crate) texts: Option<String>,
    /// The systems' lists.
    pub(super) runs: Vec<SavedRun>,
    /// The report.
    pub report: ReportRecord,
}

/// The saved lists of a system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedRun {
    /// The system.
    pub(super) system: String,
    /// The rank down to which they are saved; null if they are whole.
    pub(super) depth: Option<usize>,
    /// The hash of the lists, whose file has it as its name; null if they are not saved.
    pub(super) lists: Option<String>,
}
