//! Lines that repeat an earlier one.

/// A line that repeats an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// The line, from 1.
    pub line: u64,
    /// The query that it is about.
    pub topic: String,
    /// The document that the query already had.
    pub document: String,
}
