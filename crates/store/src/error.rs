//! Errors of the ledger.

use std::{
    io,
    path::{Path, PathBuf},
};

use rusqlite::ErrorCode;

use crate::{bad_row::BadRow, ledger_judge::JudgeId, ledger_loss::LedgerLoss};

/// The reason why the ledger could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is not a ledger.
    #[error("{path} is not a llull ledger; name another file, or move this one away", path = path.display())]
    NotALedger {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a newer llull.
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
    /// Another process has locked the file for too long.
    #[error(
        "{path} is busy: another program is writing to it; wait for it to end, then try again",
        path = path.display()
    )]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file was deleted, moved or replaced during writing.
    #[error(
        "{path} was deleted, moved or replaced while llull wrote to it, so answers since then are lost; put it back, \
         or run again to ask anew",
        path = path.display()
    )]
    Gone {
        /// The file.
        path: PathBuf,
    },
    /// Another `llull run` is using this ledger.
    #[error(
        "{path} is in use by another llull{owner}; two at once would pay twice: wait for it, or stop it",
        path = path.display(),
        owner = pid.map_or(String::new(), |pid| format!(" (process {pid})"))
    )]
    InUse {
        /// The ledger.
        path: PathBuf,
        /// The process that holds the lock, if it is known.
        pid: Option<u32>,
    },
    /// The disk is full.
    #[error(
        "no room to write {path}: free some disk space and run again; what is recorded is safe",
        path = path.display()
    )]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error(
        "{path} cannot be written: {detail}; check the permissions of the file and of its folder",
        path = path.display()
    )]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// SQLite's message.
        detail: String,
    },
    /// The file cannot be opened.
    #[error(
        "{path} cannot be opened: {detail}; check that its folder exists and may be read",
        path = path.display()
    )]
    CannotOpen {
        /// The file.
        path: PathBuf,
        /// SQLite's message.
        detail: String,
    },
    /// The folder is read-only, and answers of the last run are in a write-ahead log, which SQLite cannot read there.
    #[error(
        "{log} holds answers that are not in {path} yet, and the folder cannot be written, so they cannot be read; \
         copy both files to a folder that can be written and read the ledger there, or let its owner run \
         `llull ledger status`",
        path = path.display(),
        log = log.display()
    )]
    UnreadLog {
        /// The ledger.
        path: PathBuf,
        /// SQLite's write-ahead log.
        log: PathBuf,
    },
    /// The ledger, or a file next to it, is a symbolic link.
    #[error(
        "{path} is a symbolic link, which can lead anywhere, and a ledger is opened through none; put the file itself \
         there",
        path = path.display()
    )]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// The ledger, or a file next to it, is a pipe or a device.
    #[error("{path} is no regular file; move it away", path = path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The rollback journal of the ledger would have SQLite delete another file.
    #[error(
        "{journal} names another file, which SQLite would delete; no ledger leaves such a journal, so remove it",
        journal = journal.display()
    )]
    ForeignJournal {
        /// The journal.
        journal: PathBuf,
    },
    /// The ledger holds something that acts on its own and is not llull's.
    #[error(
        "{path} holds the {kind} {name:?}, which is not llull's and may change what is recorded; use another ledger, \
         or drop it with sqlite3 if you know where it comes from",
        path = path.display()
    )]
    Foreign {
        /// The ledger.
        path: PathBuf,
        /// Its kind: `trigger`, `view`, `table`.
        kind: String,
        /// Its name.
        name: String,
    },
    /// The ledger has fewer attempts than were recorded in it.
    #[error(
        "{path}: {loss}: its write-ahead log ({path}-wal) was removed or left behind, or an older copy has taken the \
         ledger's place; put the right file back, or go on without them by --accept-loss: what is missing is then \
         asked and paid for again",
        path = path.display()
    )]
    Lost {
        /// The ledger.
        path: PathBuf,
        /// The missing attempts.
        loss: LedgerLoss,
    },
    /// A row differs from the written one, or breaks a rule for all rows.
    #[error(
        "{path}: {row}; nothing is read from a damaged ledger: `llull ledger check` names every such row and says \
         how to go on",
        path = path.display()
    )]
    BadRow {
        /// The file.
        path: PathBuf,
        /// The row, and the error in it.
        row: Box<BadRow>,
    },
    /// The contents of the file are invalid.
    #[error(
        "{path} is damaged: {detail}; `llull ledger check` says what can still be read and how to go on; if it cannot \
         either, save what there is with `sqlite3 {path} .recover`",
        path = path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The finding.
        detail: String,
    },
    /// Any other error of SQLite.
    #[error("{path}: could not {doing}: {source}", path = path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The operation.
        doing: &'static str,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// A PostgreSQL database could not be used.
    #[error("the ledger in PostgreSQL ({at}): could not {doing}: {why}; what is recorded is safe")]
    Postgres {
        /// The variable with its address, or host, port and database.
        at: String,
        /// The operation.
        doing: &'static str,
        /// The server's message.
        why: String,
    },
    /// An attempt names a judge that is not registered in this ledger.
    #[error("judge number {} is not registered in this ledger", .0.0)]
    UnknownJudge(JudgeId),
    /// The target of a copy has attempts that the copied ledger lacks.
    #[error(
        "{0} attempts of the target are not in the ledger to copy; nothing was copied. To add one ledger to another, \
         use `llull ledger export` and `llull ledger import`"
    )]
    OtherAttempts(u64),
    /// A file next to the ledger, such as its lock, could not be used. The error names it.
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
        /// The cause.
        source: io::Error,
    },
    /// A line of an import is invalid. Nothing was imported.
    #[error("line {line}: {problem}; nothing was imported")]
    Line {
        /// The line, from 1.
        line: u64,
        /// The error in the line, and the expected form.
        problem: String,
    },
}

impl StoreError {
    /// Converts an error of SQLite.
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
