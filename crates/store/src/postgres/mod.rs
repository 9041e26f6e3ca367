//! A ledger in a PostgreSQL database, to which several runs write at once.
//!
//! Attempts have consecutive numbers from 1, in the order in which their transactions commit: a transaction that
//! appends locks the table against others that do. So a reader that has seen the first `n` attempts misses none of
//! those that follow. Attempts and replies are JSON, as in an [export](crate::export), with which SQL can work
//! (`attempt->>'topic'`).
//!
//! A lease is a row that names a run. A run is a row with a time until which it counts as alive; the run moves it on
//! while it works. (`FOR UPDATE SKIP LOCKED` would need a table of all questions beforehand; those of a tournament
//! depend on the answers.)

mod connection;
mod leases;
mod ledger;

pub use ledger::PostgresLedger;
