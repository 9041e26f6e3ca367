//! The error of a study.

use llull_config::ConfigError;

use crate::evidence::LedgerError;
use crate::history::HistoryError;
use crate::inputs::{EncodingError, InputError, RetrievalError};
use crate::judging::JudgeError;
use crate::labelling::LabelError;
use crate::study::ScaffoldError;

/// The error of a study. Every message names the place and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A data file could not be read.
    #[error(transparent)]
    Data(#[from] llull_data::DataError),
    /// A file of labels or runs could not be used.
    #[error(transparent)]
    File(#[from] llull_files::FileError),
    /// Training failed, or a trained model is invalid.
    #[error(transparent)]
    Training(#[from] llull_files::training::TrainingError),
    /// The study reaches a server or a file that it is not trusted with.
    #[error(transparent)]
    Untrusted(crate::reach::Untrusted),
    /// The ledger could not be read or written.
    #[error(transparent)]
    Store(#[from] llull_store::StoreError),
    /// The evidence of the ledger could not be gathered.
    #[error(transparent)]
    Evidence(#[from] llull_runner::EvidenceError),
    /// Judging failed.
    #[error(transparent)]
    Run(#[from] llull_runner::RunError),
    /// Human labels cannot be used.
    #[error(transparent)]
    HumanLabels(#[from] crate::people::HumanLabelsError),
    /// The report could not be written.
    #[error(transparent)]
    Report(#[from] llull_report::ReportError),
    /// A saved report cannot be used.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A file could not be read or written; the message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The study is in memory and has no file for this.
    #[error("this study is in memory and has no folder, so {0}")]
    InMemory(&'static str),
    /// Files or systems cannot be used.
    #[error(transparent)]
    Inputs(#[from] InputError),
    /// A system's results cannot be retrieved or used.
    #[error(transparent)]
    Retrieval(#[from] RetrievalError),
    /// Texts cannot be encoded.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// A judge cannot be used.
    #[error(transparent)]
    Judges(#[from] JudgeError),
    /// The ledger lacks the wanted results.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// No labels can be derived from the answers.
    #[error(transparent)]
    Labels(#[from] LabelError),
    /// A new study cannot be written.
    #[error(transparent)]
    Scaffold(#[from] ScaffoldError),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

/// Lets `?` convert an error that nobody tells apart to its text.
macro_rules! as_text {
    ($($source:ty),+) => {
        $(impl From<$source> for StudyError {
            fn from(error: $source) -> Self {
                Self::Problem(error.to_string())
            }
        })+
    };
}

as_text! {
    crate::judging::BatchFileError, llull_metrics::MeasureError, llull_people::sampling::SampleError,
    llull_runner::WorkloadError, llull_stats::AgreementError, llull_stats::StatsError
}

/// Lets `?` convert the error of a dependency to the kind that it belongs to.
macro_rules! through {
    ($($kind:ty: $($source:ty),+;)+) => {
        $($(impl From<$source> for StudyError {
            fn from(error: $source) -> Self {
                <$kind>::from(error).into()
            }
        })+)+
    };
}

through! {
    InputError: llull_core::NothingShared, llull_candidates::PoolError;
    RetrievalError: llull_candidates::IndexError, llull_candidates::RetrieveError, llull_candidates::CommandError;
    JudgeError: crate::saved::UnusableStudent, llull_judge::RubricError,
        llull_judge::PromptError;
    LabelError: llull_rank::TournamentError, llull_label::AnchorError, llull_label::panel::CombineError,
        llull_rank::ratings::JudgeAwareError;
}

#[cfg(feature = "encoders")]
through! {
    EncodingError: llull_encoder::EncodeError, llull_encoder::ModelFilesError;
}
