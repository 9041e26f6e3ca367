//! How far a study has been read.

use std::fmt::{Display, Formatter, Result};

/// What of a study is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadingStage {
    /// Queries, runs and documents.
    Files,
    /// The answers in the ledger, and the report that is made of them.
    Ledger,
    /// Nothing: the pages are ready.
    Read,
}

impl Display for ReadingStage {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        out.write_str(match self {
            Self::Files => "queries, runs and documents",
            Self::Ledger => "the ledger",
            Self::Read => "done",
        })
    }
}
