//! Searches a PostgreSQL server: pgvector, full text, or own SQL.

#[cfg(feature = "postgres")]
mod address;
#[cfg(feature = "postgres")]
mod connection;
mod error;
mod query;
#[cfg(feature = "postgres")]
mod search;

#[cfg(feature = "postgres")]
pub use address::PostgresAddress;
pub use error::PostgresError;
pub use query::{PostgresQuery, PostgresTable, WordsMatched};
#[cfg(feature = "postgres")]
pub use search::{PostgresSearch, QueryToPostgres};
