//! Errors of a review.

use llull_data::DataError;
use llull_report::ReportError;
use llull_runner::WorkloadError;
use llull_stats::StatsError;
use llull_store::StoreError;
use llull_study::{HumanLabelsError, StudyError};

use crate::refusal::ReviewRefusal;
use crate::sheet_error::SheetError;

/// An error of a review.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// It cannot begin, or an answer is refused.
    #[error(transparent)]
    Refused(#[from] ReviewRefusal),
    /// A sheet is refused.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// The study's sample, or an annotator's name, cannot be used.
    #[error(transparent)]
    HumanLabels(#[from] HumanLabelsError),
    /// The study cannot be read.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The ledger cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A file cannot be read or written; the message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The pairs of the queue cannot be built.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// The agreement of annotators cannot be computed.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// An interval cannot be computed.
    #[error(transparent)]
    Stats(#[from] StatsError),
}
