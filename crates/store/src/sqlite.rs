//! A ledger in one SQLite file.
//!
//! The file is in WAL mode with `synchronous=FULL`: a commit is on disk when `append` returns, so the runner appends
//! attempts in groups to share one wait for the disk. There is no index over keys. Keys are random, so every commit
//! would rewrite most of such an index, and readers pass over all of a judge's attempts anyway, in the order of
//! recording. Replies are in a separate table, which a pass over the attempts does not read.

use std::{path::Path, path::PathBuf};

use llull_core::{Attempt, JudgeSpec};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::{
    Detail, JudgeId, LedgerJudge, LedgerReader, LedgerWriter, StoreError,
    connect::{Access, connect, with_end},
    rows::{self, RowDefect},
    schema,
};

/// A ledger in one SQLite file.
#[derive(Debug)]
pub struct SqliteLedger {
    path: PathBuf,
    connection: Connection,
}

impl SqliteLedger {
    /// Opens the ledger at `path`, or creates it. Its folder must exist.
    ///
    /// # Errors
    /// Returns an error if the file is not a ledger, has a newer version, or cannot be opened for writing.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let mut ledger = Self::connect(path.as_ref(), Access::Write)?;
        schema::check(&ledger.path, &ledger.connection)?;
        for (setting, value) in [("journal_mode", "wal"), ("synchronous", "full"), ("foreign_keys", "on")] {
            let set = ledger.connection.pragma_update(None, setting, value);
            set.map_err(|error| StoreError::sqlite(&ledger.path, "prepare it for writing", error))?;
        }
        schema::migrate(&ledger.path, &mut ledger.connection)?;
        Ok(ledger)
    }

    /// Opens the ledger at `path` for reading only. This works while a run is writing to it, and if neither the file
    /// nor its folder can be written.
    ///
    /// # Errors
    /// Returns an error if the file does not exist, is not a ledger, or has a newer version; and
    /// [`StoreError::UnreadLog`] if its folder cannot be written and the last run has left a write-ahead log.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let ledger = Self::connect(path, Access::Read)?;
        match schema::check(path, &ledger.connection) {
            // SQLite reads a file in WAL mode through a second file, which it cannot create here.
            Err(StoreError::CannotOpen { .. } | StoreError::ReadOnly { .. }) if path.is_file() => {
                Self::open_immutable(path)
            }
            checked => ledger.checked(checked?),
        }
    }

    /// Opens a file that no process writes to. The caller ensures that: SQLite takes no lock and reads no other file.
    fn open_immutable(path: &Path) -> Result<Self, StoreError> {
        let log = with_end(path, "-wal");
        if fs_err::metadata(&log).is_ok_and(|log| log.len() > 0) {
            return Err(StoreError::UnreadLog { path: path.to_owned(), log });
        }
        let ledger = Self::connect(path, Access::Immutable)?;
        let version = schema::check(path, &ledger.connection)?;
        ledger.checked(version)
    }

    fn checked(self, version: i64) -> Result<Self, StoreError> {
        match version {
            0 => Err(StoreError::NotALedger { path: self.path }),
            _ => Ok(self),
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn connect(path: &Path, access: Access) -> Result<Self, StoreError> {
        Ok(Self { path: path.to_owned(), connection: connect(path, access)? })
    }

    fn failed(&self, doing: &'static str) -> impl Fn(rusqlite::Error) -> StoreError {
        move |error| StoreError::sqlite(&self.path, doing, error)
    }

    fn damaged(&self) -> impl Fn(RowDefect) -> StoreError {
        |detail| StoreError::Damaged { path: self.path.clone(), detail }
    }

    /// Calls `each` with every row of a query until it returns an error.
    fn rows(
        &self,
        query: &str,
        parameters: impl rusqlite::Params,
        mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<Result<(), RowDefect>>,
    ) -> Result<(), StoreError> {
        let failed = self.failed("read it");
        let mut statement = self.connection.prepare_cached(query).map_err(&failed)?;
        let mut rows = statement.query(parameters).map_err(&failed)?;
        while let Some(row) = rows.next().map_err(&failed)? {
            each(row).map_err(&failed)?.map_err(self.damaged())?;
        }
        Ok(())
    }

    fn judge(&self, row: &Row<'_>) -> rusqlite::Result<Result<LedgerJudge, RowDefect>> {
        let (id, name, spec): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(serde_json::from_str(&spec)
            .map(|spec| LedgerJudge { id: JudgeId(id), name, spec })
            .map_err(|error| format!("the description of judge {id} cannot be read: {error}")))
    }
}

impl LedgerReader for SqliteLedger {
    fn judges(&self) -> Result<Vec<LedgerJudge>, StoreError> {
        let mut judges = Vec::new();
        self.rows("SELECT id, name, spec FROM judges ORDER BY id", [], |row| {
            Ok(self.judge(row)?.map(|judge| judges.push(judge)))
        })?;
        Ok(judges)
    }

    fn scan(
        &self,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        // A file of version 1 that is open for reading only has no column for comparisons.
        let version = schema::check(&self.path, &self.connection)?;
        let query = rows::select(judges, detail, version >= schema::COMPARISONS);
        let mut stopped = None;
        let walked = self.rows(&query, [], |row| {
            Ok(rows::attempt(row)?.and_then(|(judge, attempt)| {
                rows::check(&attempt)?;
                each(judge, attempt).map_err(|error| {
                    stopped = Some(error);
                    RowDefect::new()
                })
            }))
        });
        stopped.map_or(walked, Err)
    }
}

impl LedgerWriter for SqliteLedger {
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError> {
        let failed = self.failed("register a judge");
        let fingerprint = spec.fingerprint();
        let known = self
            .connection
            .query_row("SELECT id FROM judges WHERE fingerprint = ?", [fingerprint.0], |row| row.get(0))
            .optional()
            .map_err(&failed)?;
        if let Some(id) = known {
            return Ok(JudgeId(id));
        }
        let json = serde_json::to_string(spec)
            .map_err(|error| failed(rusqlite::Error::ToSqlConversionFailure(Box::new(error))))?;
        let columns = "fingerprint, name, model, prompt, prompt_hash, rubric_hash, spec";
        self.connection
            .execute(
                &format!("INSERT INTO judges ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)"),
                params![
                    fingerprint.0,
                    name,
                    spec.model,
                    spec.prompt,
                    spec.prompt_hash.0,
                    spec.rubric_hash.0,
                    json
                ],
            )
            .map_err(&failed)?;
        Ok(JudgeId(self.connection.last_insert_rowid()))
    }

    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError> {
        let Self { path, connection } = self;
        let failed = |error| StoreError::sqlite(path, "append to it", error);
        // A savepoint is a transaction by itself, or part of an outer transaction.
        let savepoint = connection.savepoint().map_err(failed)?;
        {
            let mut insert = savepoint.prepare_cached(rows::INSERT).map_err(failed)?;
            let mut insert_reply = savepoint.prepare_cached(rows::INSERT_REPLY).map_err(failed)?;
            for (judge, attempt) in attempts {
                let id = rows::insert(&mut insert, *judge, attempt).map_err(|error| {
                    let foreign = rusqlite::ffi::SQLITE_CONSTRAINT_FOREIGNKEY;
                    match error.sqlite_error() {
                        Some(refused) if refused.extended_code == foreign => StoreError::UnknownJudge(*judge),
                        _ => failed(error),
                    }
                })?;
                let prose = rows::verdict_json(&attempt.outcome).map_err(failed)?;
                if attempt.reply.is_some() || prose.is_some() {
                    insert_reply.execute(params![id, attempt.reply, prose]).map_err(failed)?;
                }
            }
        }
        savepoint.commit().map_err(failed)
    }

    fn atomically(
        &mut self,
        work: &mut dyn FnMut(&mut dyn LedgerWriter) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let begun = self.connection.execute_batch("BEGIN IMMEDIATE");
        begun.map_err(self.failed("begin to write"))?;
        let done =
            work(self).and_then(|()| self.connection.execute_batch("COMMIT").map_err(self.failed("commit")));
        if done.is_err() {
            // The first error is the one to return. A rollback fails only if SQLite has rolled back already.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{GradedVerdict, Hash, Outcome, Paradigm, Scale, Verdict};

    use super::*;

    fn spec() -> JudgeSpec {
        JudgeSpec {
            paradigm: Paradigm::Graded,
            model: "m".into(),
            prompt: String::new(),
            prompt_hash: Hash::of(b""),
            rubric_hash: Hash::of(b""),
            scale: Scale::default(),
            sampling: None,
            options: Default::default(),
        }
    }

    /// Calls `open_immutable` directly: tests may run as root, who can write to every folder.
    #[test]
    fn answers_that_lie_beside_a_file_that_cannot_change_are_not_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.sqlite");
        let mut writer = SqliteLedger::open(&path).unwrap();
        writer.register("j", &spec()).unwrap();
        let error = SqliteLedger::open_immutable(&path).unwrap_err();
        assert!(matches!(error, StoreError::UnreadLog { .. }), "{error}");
        assert!(error.to_string().contains("ledger.sqlite-wal holds answers that are not in"), "{error}");
        drop(writer);
        assert_eq!(SqliteLedger::open_immutable(&path).unwrap().judges().unwrap().len(), 1);
    }

    #[test]
    fn a_full_disk_is_said_and_costs_only_the_batch() {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = SqliteLedger::open(folder.path().join("ledger.sqlite")).unwrap();
        let judge = ledger.register("j", &spec()).unwrap();
        let outcome = Outcome::Judged { verdict: Verdict::Graded(GradedVerdict::default()) };
        let reply = Some("long ".repeat(400));
        let attempt = Attempt { reply, ..Attempt::new(Hash::of(b""), outcome) };
        let batch = vec![(judge, attempt); 10];
        ledger.append(&batch).unwrap();
        // SQLite's own limit replaces a full disk: it fails in the same place with the same code.
        ledger.connection.pragma_update(None, "max_page_count", 60).unwrap();
        let mut appended = 1;
        let error = loop {
            match ledger.append(&batch) {
                Ok(()) => appended += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(error, StoreError::Full { .. }), "{error}");
        assert!(error.to_string().contains("free some disk space"), "{error}");
        assert_eq!(crate::Totals::read(&ledger, None).unwrap().attempts, appended * 10);
    }
}
