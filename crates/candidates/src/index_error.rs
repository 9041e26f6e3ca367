//! Errors of the embedded indexes.

/// The reason why an index cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum IndexError {
    /// Two documents have the same identifier, so results could not tell them apart.
    #[error("the corpus holds document {0:?} twice: give each document its own identifier")]
    Duplicate(String),
    /// There are more documents than an index can number.
    #[error("the corpus is too large for an embedded index: at most 4,294,967,295 documents")]
    TooLarge,
    /// SQLite, which holds the index, fails.
    #[cfg(feature = "fts5")]
    #[error("SQLite cannot hold the index of the corpus: {0}")]
    Sqlite(String),
    /// A parameter is outside its range.
    #[error("{name} = {value} is out of range: {range}")]
    Parameter {
        /// The parameter's name.
        name: &'static str,
        /// The value that was given.
        value: f32,
        /// The allowed values.
        range: &'static str,
    },
}

#[cfg(feature = "fts5")]
impl From<rusqlite::Error> for IndexError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error.to_string())
    }
}
