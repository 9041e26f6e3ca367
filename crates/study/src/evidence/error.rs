//! Errors of reading results from a study's ledger.

use std::path::PathBuf;

/// An error of reading results from a study's ledger.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// There is no ledger.
    #[error("{}: there is no ledger yet; llull run makes one", .0.display())]
    NoLedger(PathBuf),
    /// No judge has an answer.
    #[error("nothing was judged: {0}")]
    NothingAnswered(String),
    /// The order in which documents joined tournaments cannot be read.
    #[error("{}: {problem}. Remove it; llull may then repeat some requests", path.display())]
    EntryOrder {
        /// The file.
        path: PathBuf,
        /// The error.
        problem: String,
    },
    /// A named judge has no comparison in this ledger.
    #[error(
        "no judge {judge:?} compares documents in this ledger{}",
        match known.as_slice() {
            [] => ", and no other one does".to_owned(),
            known => format!("; there are {}", known.join(", ")),
        }
    )]
    NotComparing {
        /// The judge.
        judge: String,
        /// The available judges.
        known: Vec<String>,
    },
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
