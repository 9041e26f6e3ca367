//! Why a study cannot go on.

use std::path::PathBuf;

use crate::config::ConfigError;

/// Why a study cannot go on. Every message says where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A data file.
    #[error(transparent)]
    Data(#[from] llull_data::DataError),
    /// The rubric.
    #[error(transparent)]
    Rubric(#[from] llull_judge::RubricError),
    /// A prompt template.
    #[error(transparent)]
    Prompt(#[from] llull_judge::PromptError),
    /// A model's name, address or key.
    #[error("judge {judge}: {source}")]
    Model {
        /// The judge.
        judge: String,
        /// What is wrong.
        source: llull_llm::ModelError,
    },
    /// The ledger.
    #[error(transparent)]
    Store(#[from] llull_store::StoreError),
    /// Judging.
    #[error(transparent)]
    Run(#[from] llull_runner::RunError),
    /// A retriever's index.
    #[error("{0}")]
    Index(#[from] llull_candidates::IndexError),
    /// A retriever.
    #[error(transparent)]
    Retrieve(#[from] llull_candidates::RetrieveError),
    /// The pool.
    #[error(transparent)]
    Pool(#[from] llull_candidates::PoolError),
    /// Statistics.
    #[error(transparent)]
    Stats(#[from] llull_stats::StatsError),
    /// Agreement of labels.
    #[error(transparent)]
    Agreement(#[from] llull_stats::AgreementError),
    /// Agreement about systems.
    #[error(transparent)]
    Systems(#[from] llull_stats::SystemError),
    /// The report.
    #[error(transparent)]
    Report(#[from] llull_report::ReportError),
    /// A file that could not be read or written; the error names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A folder that has a study already.
    #[error("{} is there already; nothing was written. Edit it, or name another folder", .0.display())]
    Occupied(PathBuf),
    /// Anything about the study's parts not fitting together.
    #[error("{0}")]
    Unfit(String),
}
