//! Searches a PostgreSQL server: pgvector, full text, or own SQL.

#[cfg(feature = "postgres")]
mod connection;
mod error;
mod query;
#[cfg(feature = "postgres")]
mod search;

pub use error::PostgresError;
#[cfg(feature = "postgres")]
pub use llull_postgres::PostgresAddress;
pub use query::{PostgresQuery, PostgresTable, WordsMatched};
#[cfg(feature = "postgres")]
pub use search::{PostgresSearch, QueryToPostgres};
