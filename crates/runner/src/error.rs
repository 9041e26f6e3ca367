//! Why a run could not be done.

use llull_store::StoreError;

/// Why a run could not be done. What was appended before is safe.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The ledger could not be read, before anything was asked.
    #[error("{0}")]
    Ledger(#[from] StoreError),
    /// Attempts could not be recorded, so the run stopped at once.
    #[error("{source}; the run stopped, and {lost} answers are not recorded and will be asked again")]
    Append {
        /// What the ledger says.
        source: StoreError,
        /// How many attempts that were made are not recorded, and how many were in flight.
        lost: usize,
    },
    /// Two judges would give each other's answers.
    #[error(
        "judges {first} and {second} are one and the same: same model, prompt, rubric and parameters; \
         take one out, or ask for several samples of one"
    )]
    SameJudge {
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// Nobody would ask: the caller's thread records, and a runtime of the current thread has no other.
    #[error("judges are asked on threads of the runtime's own; build it with `Builder::new_multi_thread`")]
    OneThread,
    /// More tasks than can be numbered.
    #[error(
        "{questions} questions times {samples} samples is more than 4,294,967,295 tasks; split the study"
    )]
    TooMany {
        /// Questions.
        questions: usize,
        /// Samples.
        samples: u32,
    },
}
