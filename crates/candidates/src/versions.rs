//! Versions of retrievers, which are part of a saved run's key.
//!
//! Raise the version of a retriever whenever it may return other results for the same documents, queries and settings;
//! saved runs are then made again. `tests/versions.rs` fails when results change without a new version.

/// BM25: its words, stop words, stems and scores.
pub const BM25: u64 = 1;
/// Character n-grams.
pub const NGRAM: u64 = 1;
/// SQLite's full text search.
pub const FTS5: u64 = 1;
/// Search over vectors, and the encoders of a study's systems.
pub const DENSE: u64 = 1;
/// Programs: the lines that they read.
pub const COMMAND: u64 = 1;
/// PostgreSQL: the statements that llull writes, and how rows are read.
pub const POSTGRES: u64 = 1;
/// Servers: the requests that llull writes, and how replies are read.
pub const REMOTE: u64 = 1;
