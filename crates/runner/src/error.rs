//! Errors of reading a ledger and of running judges.

use llull_store::StoreError;

/// The reason why evidence could not be read.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// The ledger could not be read.
    #[error("{0}")]
    Ledger(#[from] StoreError),
    /// Two judges have the same specification, and so the same answers.
    #[error(
        "judges {first} and {second} are one and the same: same model, prompt, rubric and parameters; \
         take one out, or ask for several samples of one"
    )]
    SameJudge {
        /// The name of the first judge.
        first: String,
        /// The name of the second judge.
        second: String,
    },
    /// There are more tasks than can be numbered.
    #[error(
        "{questions} questions times {samples} samples is more than 4,294,967,295 tasks; split the study"
    )]
    TooMany {
        /// The number of questions.
        questions: usize,
        /// The number of samples.
        samples: u32,
    },
}

/// The reason why a run could not be done. Attempts that were appended before the error are safe.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The evidence could not be read.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    /// The judges could not be registered. No request was sent.
    #[error("{0}")]
    Ledger(#[from] StoreError),
    /// Attempts could not be recorded, so the run stopped at once.
    #[error(
        "{source}; the run stopped, and {lost} answers are not saved, and their requests will be sent again"
    )]
    Append {
        /// The error of the ledger.
        source: Box<StoreError>,
        /// The number of attempts that are not recorded, those in flight included.
        lost: usize,
    },
    /// The runtime has no worker threads. The calling thread writes the ledger, so judges need threads of the runtime.
    #[error(
        "the runtime has no worker threads on which to ask judges; build it with `Builder::new_multi_thread`"
    )]
    OneThread,
}
