//! What can go wrong, where, and what to do about it.

use std::{
    io,
    path::{Path, PathBuf},
};

use rusqlite::ErrorCode;

use crate::JudgeId;

/// Why the ledger could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is something else.
    #[error("{path} is not a llull ledger; name another file, or move this one away", path = path.display())]
    NotALedger {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a later llull.
    #[error(
        "{path} has ledger version {found}, and this llull reads up to {supported}; use a newer llull",
        path = path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The latest version that this llull knows.
        supported: i64,
    },
    /// Another process holds the file, and did not let go in time.
    #[error("{path} is busy: another program is writing to it; wait for it to end, then try again", path = path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Another `llull run` works on this ledger.
    #[error(
        "{path} is in use by another llull{owner}; two at once would pay twice: wait for it, or stop it",
        path = path.display(),
        owner = pid.map_or(String::new(), |pid| format!(" (process {pid})"))
    )]
    InUse {
        /// The ledger.
        path: PathBuf,
        /// The process that holds it, where it could be found out.
        pid: Option<u32>,
    },
    /// No room.
    #[error("no room to write {path}: free some disk space and run again; what is recorded is safe", path = path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// The file may be read, not written.
    #[error("{path} cannot be written: {detail}; check the permissions of the file and of its folder", path = path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// SQLite's words.
        detail: String,
    },
    /// The file is there, or should be, and cannot be opened.
    #[error("{path} cannot be opened: {detail}; check that its folder exists and may be read", path = path.display())]
    CannotOpen {
        /// The file.
        path: PathBuf,
        /// SQLite's words.
        detail: String,
    },
    /// The folder cannot be written, and answers of the last run lie beside the file, where SQLite cannot get at them.
    #[error(
        "{log} holds answers that are not in {path} yet, and the folder cannot be written, so they cannot be read; copy both \
         files to a folder that can be written and read the ledger there, or let its owner run `llull ledger status`",
        path = path.display(),
        log = log.display()
    )]
    UnreadLog {
        /// The ledger.
        path: PathBuf,
        /// SQLite's write-ahead log.
        log: PathBuf,
    },
    /// What is in the file makes no sense.
    #[error(
        "{path} is damaged: {detail}; copy it away, save what can be read with `sqlite3 {path} .recover`, and go on from the copy",
        path = path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// Any other refusal.
    #[error("{path}: could not {doing}: {source}", path = path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What was being done.
        doing: &'static str,
        /// SQLite's words.
        source: rusqlite::Error,
    },
    /// An attempt names a judge that is not registered in this ledger.
    #[error("judge number {} is not registered in this ledger", .0.0)]
    UnknownJudge(JudgeId),
    /// A file beside the ledger, such as its lock, could not be used; the error names it.
    #[error("{0}")]
    File(io::Error),
    /// An export could not be written.
    #[error("the export could not be written: {0}")]
    Write(io::Error),
    /// An import could not be read.
    #[error("line {line}: the import could not be read: {source}")]
    Read {
        /// The line, from 1.
        line: u64,
        /// Why.
        source: io::Error,
    },
    /// A line of an import is not what it should be. Nothing was imported.
    #[error("line {line}: {problem}; nothing was imported")]
    Line {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it, and what was expected.
        problem: String,
    },
}

impl StoreError {
    /// SQLite's error as ours.
    pub(crate) fn sqlite(path: &Path, doing: &'static str, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        let detail = source.to_string();
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotALedger { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            Some(ErrorCode::DiskFull) => Self::Full { path },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly { path, detail },
            Some(ErrorCode::CannotOpen) => Self::CannotOpen { path, detail },
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged { path, detail },
            _ => Self::Sqlite { path, doing, source },
        }
    }
}
