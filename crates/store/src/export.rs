//! Exports a ledger as JSON lines.
//!
//! The first line is the header `{"llull_ledger":4}`, then comes each judge, then each attempt, oldest first.

use std::io::Write;

use llull_core::{Attempt, JudgeSpec};
use serde::{Deserialize, Serialize};

use crate::{Detail, LedgerJudge, LedgerReader, StoreError};

/// The version that is written, and the latest that can be read. Version 1 lacks comparisons, version 2 the
/// adjustments of a request and the version of the reply's reader, version 3 cached and reasoning tokens and the
/// provider's identifier of a request.
pub(crate) const VERSION: u32 = 4;

/// One line of an export.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Line {
    /// The first line: the version.
    #[serde(rename = "llull_ledger")]
    Header(u32),
    #[serde(rename = "judge")]
    Judge(JudgeLine),
    #[serde(rename = "attempt")]
    Attempt(AttemptLine),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JudgeLine {
    /// The judge's number in this file, to which attempts refer.
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) spec: JudgeSpec,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AttemptLine {
    pub(crate) judge: i64,
    pub(crate) fact: Attempt,
}

/// Writes the whole ledger as JSON lines, one attempt at a time. The same ledger gives the same bytes.
///
/// # Errors
/// Returns an error if the ledger cannot be read or the output cannot be written.
pub fn export(ledger: &dyn LedgerReader, mut out: impl Write) -> Result<(), StoreError> {
    let mut write = |line: &Line| {
        serde_json::to_writer(&mut out, line).map_err(|error| StoreError::Write(error.into()))?;
        out.write_all(b"\n").map_err(StoreError::Write)
    };
    write(&Line::Header(VERSION))?;
    for LedgerJudge { id, name, spec } in ledger.judges()? {
        write(&Line::Judge(JudgeLine { id: id.0, name, spec }))?;
    }
    ledger.scan(None, Detail::Replies, &mut |judge, fact| {
        write(&Line::Attempt(AttemptLine { judge: judge.0, fact }))
    })?;
    out.flush().map_err(StoreError::Write)
}
