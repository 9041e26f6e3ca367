//! Rows that repeat an earlier one.

use crate::RowPlace;

/// A row that repeats an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// Its place.
    pub place: RowPlace,
    /// The query that it is about.
    pub topic: String,
    /// The document that the query already had.
    pub document: String,
}
