//! Errors of reading results from a study's ledger.

use std::path::PathBuf;

/// An error of reading results from a study's ledger.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// There is no ledger.
    #[error("{0}: there is no ledger yet; llull run makes one")]
    NoLedger(String),
    /// The variable with the database's address is not set.
    #[error(
        "the ledger is in the PostgreSQL database that {0} names, and {0} is not set (a control study needs a \
         ledger in a file): export {0}=postgresql://user:password@host:5432/database"
    )]
    NoAddress(String),
    /// The variable has no address of a PostgreSQL server.
    #[cfg(feature = "postgres")]
    #[error("the ledger is in the PostgreSQL database that {variable} names: {source}")]
    Address {
        /// The variable.
        variable: String,
        /// The error.
        source: llull_postgres::AddressError,
    },
    /// The ledger is in PostgreSQL, and this llull was built without it.
    #[error(
        "the ledger is in the database that {0} names; this llull was built without PostgreSQL (feature `postgres`)"
    )]
    NoPostgres(String),
    /// The ledger is no file.
    #[error(
        "{0}: this is for a ledger in a file; a database checks its own: make a file by llull ledger export"
    )]
    NoFile(String),
    /// No judge has an answer.
    #[error("nothing was judged: {0}")]
    NothingAnswered(String),
    /// The order in which documents joined tournaments cannot be read.
    #[error("{}: {problem}. Remove it; llull may then repeat some requests", path.display())]
    EntryOrder {
        /// The file.
        path: PathBuf,
        /// The error.
        problem: String,
    },
    /// A named judge has no comparison in this ledger.
    #[error(
        "no judge {judge:?} compares documents in this ledger{}",
        match known.as_slice() {
            [] => ", and no other one does".to_owned(),
            known => format!("; there are {}", known.join(", ")),
        }
    )]
    NotComparing {
        /// The judge.
        judge: String,
        /// The available judges.
        known: Vec<String>,
    },
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
