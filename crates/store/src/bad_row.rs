//! A damaged row of a ledger.

use std::fmt;

use serde::Serialize;

/// A row of a ledger that differs from the written one, or breaks a rule for all rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BadRow {
    /// The table: `attempts` or `judges`.
    pub table: &'static str,
    /// The row's number in its table.
    pub row: i64,
    /// The judge's name, as far as it can be read.
    pub judge: String,
    /// The query, as far as it can be read.
    pub query: String,
    /// The document, as far as it can be read; in a comparison the first.
    pub document: String,
    /// The error in it.
    pub problem: String,
}

impl fmt::Display for BadRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, row, judge, query, document, problem } = self;
        match *table {
            "judges" => write!(f, "judge number {row} ({judge:?}): {problem}"),
            _ => write!(f, "row {row} (judge {judge:?}, query {query:?}, document {document:?}): {problem}"),
        }
    }
}
