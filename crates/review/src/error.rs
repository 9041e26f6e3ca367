//! Why a review cannot go on.

use llull_data::DataError;
use llull_report::ReportError;
use llull_runner::WorkloadError;
use llull_stats::StatsError;
use llull_store::StoreError;
use llull_study::{PeopleError, StudyError};

use crate::refusal::ReviewRefusal;
use crate::sheet_error::QueueSheetError;

/// Why a review cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// It cannot begin, or an answer is not taken.
    #[error(transparent)]
    Refused(#[from] ReviewRefusal),
    /// The sheet of a queue is not taken.
    #[error(transparent)]
    Sheet(#[from] QueueSheetError),
    /// The study's sample, or a person's name, cannot be used.
    #[error(transparent)]
    People(#[from] PeopleError),
    /// The study cannot be read.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The ledger cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A file cannot be read or written; the error names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The pairs of the queue cannot be put together.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// The agreement of people cannot be computed.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// An interval cannot be computed.
    #[error(transparent)]
    Stats(#[from] StatsError),
}
