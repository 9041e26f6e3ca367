//! The ledger: an append-only store of every attempt at a judgment.

mod ledger;

pub use ledger::{JudgeId, JudgmentStore, Known};

/// Why the ledger could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite said no.
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
}
