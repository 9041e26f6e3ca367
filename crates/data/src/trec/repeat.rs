//! Lines that repeat an earlier one.

/// A line that repeats an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// The line, from 1.
    pub line: u64,
    /// The topic that it is about.
    pub topic: String,
    /// The document that the topic already had.
    pub document: String,
}
