//! Errors of searches on a PostgreSQL server.

/// Why a search on a PostgreSQL server failed.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// A name cannot be in a statement.
    #[error("{0:?} cannot be the name of a table, a column or a language in PostgreSQL")]
    Name(String),
    /// A query needs a vector and has none.
    #[error("query {0:?} has no vector, and the search is by vectors")]
    NoVector(String),
    /// Threads or the clock of this machine fail.
    #[error("llull cannot ask PostgreSQL: {0}")]
    Runtime(#[source] std::io::Error),
    /// The results cannot be written.
    #[error("what PostgreSQL found cannot be kept: {0}")]
    Write(#[source] std::io::Error),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
