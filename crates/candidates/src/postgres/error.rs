//! Errors of searches on a PostgreSQL server.

/// Why a search on a PostgreSQL server failed.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// The text is no address.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Address(llull_postgres::AddressError),
    /// There is no connection.
    #[error("PostgreSQL at {at} cannot be reached: {why}")]
    Unreachable {
        /// Host, port and database.
        at: String,
        /// The reason.
        why: String,
    },
    /// The server does not take the statement.
    #[error("PostgreSQL at {at} does not take the query: {why}. The query is:\n{sql}")]
    Refused {
        /// Host, port and database.
        at: String,
        /// The reason.
        why: String,
        /// The statement.
        sql: String,
    },
    /// The statement's result has no column `id`.
    #[error(
        "the query has no column called id: it has {}. Name them `AS id`, `AS score`, and perhaps `AS title` and \
         `AS text`",
        if found.is_empty() { "none".to_owned() } else { found.join(", ") }
    )]
    NoId {
        /// The columns that it has.
        found: Vec<String>,
    },
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
}
