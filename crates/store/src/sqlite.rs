//! A ledger in one SQLite file.
//!
//! The file is in WAL mode with `synchronous=FULL`: a commit is on disk when `append` returns, so the runner appends
//! attempts in groups to share one wait for the disk. There is no index over keys. Keys are random, so every commit
//! would rewrite most of such an index, and readers pass over all of a judge's attempts anyway, in the order of
//! recording. Replies are in a separate table, which a pass over the attempts does not read.

use std::{path::Path, path::PathBuf};

use llull_core::{Attempt, JudgeSpec};
use rusqlite::{Connection, OptionalExtension, params_from_iter, types::Value};

use crate::{
    JudgeId, LedgerWriter, StoreError,
    checksum::Encoded,
    connect::{Access, connect, with_end},
    file_number::FileNumber,
    ledger_loss::LedgerLoss,
    recorded_count::{CountKeeper, RecordedCount},
    rows, schema,
};

/// The columns of a judge: those that its checksum covers, then the checksum.
pub(crate) const JUDGE_COLUMNS: &str =
    "id, fingerprint, name, model, prompt, prompt_hash, rubric_hash, spec, checksum";

/// A ledger in one SQLite file.
#[derive(Debug)]
pub struct SqliteLedger {
    path: PathBuf,
    pub(crate) connection: Connection,
    /// The loss that was found when it was opened.
    pub(crate) loss: Option<LedgerLoss>,
    /// The file that was opened for writing. SQLite would write on to a file that was deleted.
    file: Option<FileNumber>,
    /// `Some` if the ledger is open for writing. It is dropped last: its number counts committed attempts.
    count: Option<CountKeeper>,
}

impl SqliteLedger {
    /// Opens the ledger at `path`, or creates it. Its folder must exist.
    ///
    /// # Errors
    /// Returns an error if the file is not a ledger, has a newer version, or cannot be opened for writing; and
    /// [`StoreError::Lost`] if it has fewer attempts than were recorded.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::open_writer(path.as_ref(), false)
    }

    /// Does what [`open`](Self::open) does, and accepts a ledger that has lost attempts. From then on it counts as
    /// whole.
    ///
    /// # Errors
    /// Returns the other errors of [`open`](Self::open).
    pub fn open_accepting_loss(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::open_writer(path.as_ref(), true)
    }

    fn open_writer(path: &Path, accept_loss: bool) -> Result<Self, StoreError> {
        let recorded = RecordedCount::read(path)?;
        let mut ledger = Self::connect(path, Access::Write)?;
        schema::check(&ledger.path, &ledger.connection)?;
        for (setting, value) in [
            ("journal_mode", "wal"),
            ("synchronous", "full"),
            ("wal_autocheckpoint", "200"),
            ("foreign_keys", "on"),
        ] {
            let set = ledger.connection.pragma_update(None, setting, value);
            set.map_err(|error| StoreError::sqlite(&ledger.path, "prepare it for writing", error))?;
        }
        schema::migrate(&ledger.path, &mut ledger.connection)?;
        ledger.compare(recorded.as_ref());
        ledger.file = FileNumber::of(path);
        match ledger.loss {
            Some(loss) if !accept_loss => Err(StoreError::Lost { path: ledger.path, loss }),
            _ => {
                if let (Some(identity), Some(attempts)) = (ledger.identity(), ledger.attempts()) {
                    ledger.count = Some(CountKeeper::new(path, identity, attempts, recorded));
                }
                Ok(ledger)
            }
        }
    }

    /// Opens the ledger at `path` for reading only. This works while a run is writing to it, and if neither the file
    /// nor its folder can be written.
    ///
    /// # Errors
    /// Returns an error if the file does not exist, is not a ledger, or has a newer version; and
    /// [`StoreError::UnreadLog`] if its folder cannot be written and the last run has left a write-ahead log.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        Self::open_if_begun(path)?.ok_or_else(|| StoreError::NotALedger { path: path.to_owned() })
    }

    /// Does what [`open_read_only`](Self::open_read_only) does; `None` if the file is still empty, as before another
    /// process, which is about to write, has set it up.
    ///
    /// # Errors
    /// Returns the other errors of [`open_read_only`](Self::open_read_only).
    pub fn open_if_begun(path: impl AsRef<Path>) -> Result<Option<Self>, StoreError> {
        let path = path.as_ref();
        let recorded = RecordedCount::read(path)?;
        let ledger = Self::connect(path, Access::Read)?;
        let mut ledger = match schema::check(path, &ledger.connection) {
            // SQLite reads a file in WAL mode through a second file, which it cannot create here.
            Err(StoreError::CannotOpen { .. } | StoreError::ReadOnly { .. }) if path.is_file() => {
                Self::open_immutable(path)?
            }
            Ok(0) => return Ok(None),
            checked => checked.map(|_| ledger)?,
        };
        ledger.compare(recorded.as_ref());
        Ok(Some(ledger))
    }

    /// Compares the ledger with the number of recorded attempts, which was read before.
    fn compare(&mut self, recorded: Option<&RecordedCount>) {
        let Some(recorded) = recorded else { return };
        if let (Some(identity), Some(attempts)) = (self.identity(), self.attempts()) {
            self.loss = recorded.loss(&identity, attempts);
        }
    }

    /// Returns the random number that identifies this ledger, in hexadecimal digits; `None` before version 3.
    fn identity(&self) -> Option<String> {
        let query = "SELECT lower(hex(number)) FROM identity";
        self.connection.query_row(query, [], |row| row.get(0)).ok()
    }

    /// Returns how many attempts there are: they are numbered from 1. `None` if that cannot be read.
    fn attempts(&self) -> Option<u64> {
        self.last_attempt().and_then(|last| u64::try_from(last).ok())
    }

    /// Opens a file that no process writes to. The caller ensures that: SQLite takes no lock and reads no other file.
    fn open_immutable(path: &Path) -> Result<Self, StoreError> {
        let log = with_end(path, "-wal");
        if fs_err::metadata(&log).is_ok_and(|log| log.len() > 0) {
            return Err(StoreError::UnreadLog { path: path.to_owned(), log });
        }
        let ledger = Self::connect(path, Access::Immutable)?;
        match schema::check(path, &ledger.connection)? {
            0 => Err(StoreError::NotALedger { path: path.to_owned() }),
            _ => Ok(ledger),
        }
    }

    /// Returns the findings of SQLite's own check of the file; empty without any.
    pub(crate) fn integrity(&self) -> Vec<String> {
        let mut found = Vec::new();
        let checked = self.connection.pragma_query(None, "integrity_check", |row| {
            found.push(row.get::<_, String>(0)?);
            Ok(())
        });
        found.extend(checked.err().map(|error| error.to_string()));
        found.retain(|line| line != "ok");
        found
    }

    /// Returns the number of the last attempt, or 0; `None` if it cannot be read.
    pub(crate) fn last_attempt(&self) -> Option<i64> {
        let mut query = self.connection.prepare_cached("SELECT coalesce(max(id), 0) FROM attempts").ok()?;
        query.query_row([], |row| row.get(0)).ok()
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that the file is still where it was opened for writing.
    ///
    /// # Errors
    /// Returns [`StoreError::Gone`] if it was deleted, moved or replaced: no reader would find further attempts then.
    pub fn check_place(&self) -> Result<(), StoreError> {
        match self.file == FileNumber::of(&self.path) || self.file.is_none() {
            true => Ok(()),
            false => Err(StoreError::Gone { path: self.path.clone() }),
        }
    }

    fn connect(path: &Path, access: Access) -> Result<Self, StoreError> {
        Ok(Self {
            path: path.to_owned(),
            connection: connect(path, access)?,
            loss: None,
            file: None,
            count: None,
        })
    }

    pub(crate) fn failed(&self, doing: &'static str) -> impl Fn(rusqlite::Error) -> StoreError {
        move |error| StoreError::sqlite(&self.path, doing, error)
    }
}

impl LedgerWriter for SqliteLedger {
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError> {
        let fingerprint = spec.fingerprint();
        let known = self
            .connection
            .query_row("SELECT id FROM judges WHERE fingerprint = ?", [fingerprint.0], |row| row.get(0))
            .optional()
            .map_err(self.failed("register a judge"))?;
        if let Some(id) = known {
            return Ok(JudgeId(id));
        }
        // Another process may register it, too, with the same number: the second one finds it in the transaction.
        if self.connection.is_autocommit() {
            let mut id = JudgeId(0);
            self.atomically(&mut |ledger| {
                id = ledger.register(name, spec)?;
                Ok(())
            })?;
            return Ok(id);
        }
        let failed = self.failed("register a judge");
        let json = serde_json::to_string(spec)
            .map_err(|error| failed(rusqlite::Error::ToSqlConversionFailure(Box::new(error))))?;
        let next = "SELECT coalesce(max(id), 0) + 1 FROM judges";
        let id: i64 = self.connection.query_row(next, [], |row| row.get(0)).map_err(&failed)?;
        let text = |text: &'_ str| Value::Text(text.to_owned());
        let mut values = vec![
            Value::Integer(id),
            Value::Blob(fingerprint.0.to_vec()),
            text(name),
            text(&spec.model),
            text(&spec.prompt),
            Value::Blob(spec.prompt_hash.0.to_vec()),
            Value::Blob(spec.rubric_hash.0.to_vec()),
            text(&json),
        ];
        let mut encoded = Encoded::default();
        values.iter().for_each(|value| encoded.push(value.into()));
        values.push(Value::Blob(encoded.checksum().to_vec()));
        let insert = format!("INSERT INTO judges ({JUDGE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
        self.connection.execute(&insert, params_from_iter(values)).map_err(&failed)?;
        Ok(JudgeId(id))
    }

    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError> {
        // Inside a transaction that writes, no other process adds a row: the number of the next one is certain.
        if self.connection.is_autocommit() {
            return self.atomically(&mut |ledger| ledger.append(attempts));
        }
        let Self { path, connection, .. } = self;
        let failed = |error| StoreError::sqlite(path, "append to it", error);
        let savepoint = connection.savepoint().map_err(failed)?;
        {
            let mut last =
                savepoint.prepare_cached("SELECT coalesce(max(id), 0) FROM attempts").map_err(failed)?;
            let last: i64 = last.query_row([], |row| row.get(0)).map_err(failed)?;
            let mut insert = savepoint.prepare_cached(rows::INSERT).map_err(failed)?;
            let mut insert_reply = savepoint.prepare_cached(rows::INSERT_REPLY).map_err(failed)?;
            for ((judge, attempt), id) in attempts.iter().zip(last + 1..) {
                rows::insert([&mut insert, &mut insert_reply], id, *judge, attempt).map_err(|error| {
                    let foreign = rusqlite::ffi::SQLITE_CONSTRAINT_FOREIGNKEY;
                    match error.sqlite_error() {
                        Some(refused) if refused.extended_code == foreign => StoreError::UnknownJudge(*judge),
                        _ => failed(error),
                    }
                })?;
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
        let done = work(self)
            .and_then(|()| self.check_place())
            .and_then(|()| self.connection.execute_batch("COMMIT").map_err(self.failed("commit")));
        if done.is_err() {
            // The first error is the one to return. A rollback fails only if SQLite has rolled back already.
            let _ = self.connection.execute_batch("ROLLBACK");
        } else if let (Some(attempts), Some(count)) = (self.attempts(), &mut self.count) {
            count.committed(attempts);
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Answer, GradedVerdict, Hash, Outcome, Paradigm, Scale, Verdict};

    use super::*;
    use crate::LedgerReader;

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
        let attempt = Attempt::new(Hash::of(b""), Answer { reply, ..outcome.into() });
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

    /// Two first runs gave two judges one number, or one judge two.
    #[test]
    fn two_writers_register_one_judge_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.sqlite");
        let barrier = std::sync::Barrier::new(2);
        drop(SqliteLedger::open(&path).unwrap());
        let register = || {
            let mut ledger = SqliteLedger::open(&path).unwrap();
            let each = |number: usize| {
                barrier.wait();
                ledger.register("j", &JudgeSpec { model: format!("m{number}"), ..spec() }).unwrap()
            };
            (0..100).map(each).collect::<Vec<_>>()
        };
        let (one, other) = std::thread::scope(|scope| {
            let threads = [scope.spawn(register), scope.spawn(register)];
            threads.map(|thread| thread.join().unwrap()).into()
        });
        assert_eq!(one, other);
        assert_eq!(SqliteLedger::open(&path).unwrap().judges().unwrap().len(), 100);
    }

    /// A run whose folder was deleted sent everything, wrote into nowhere, and ended well.
    #[cfg(unix)]
    #[test]
    fn a_ledger_that_is_deleted_or_replaced_takes_nothing_more() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.sqlite");
        for replaced in [false, true] {
            let mut ledger = SqliteLedger::open(&path).unwrap();
            let judge = ledger.register("j", &spec()).unwrap();
            let outcome = Outcome::Judged { verdict: Verdict::Graded(GradedVerdict::default()) };
            let attempt = (judge, Attempt::new(Hash::of(b""), outcome));
            ledger.append(std::slice::from_ref(&attempt)).unwrap();
            ledger.check_place().unwrap();
            fs_err::rename(&path, folder.path().join("moved")).unwrap();
            if replaced {
                fs_err::write(&path, "").unwrap();
            }
            let error = ledger.append(&[attempt]).unwrap_err();
            assert!(matches!(error, StoreError::Gone { .. }), "{error}");
            assert!(ledger.check_place().is_err());
            drop(ledger);
            for file in fs_err::read_dir(folder.path()).unwrap() {
                fs_err::remove_file(file.unwrap().path()).unwrap();
            }
        }
    }

    /// A run first creates the file, then its tables; a reader in between finds no ledger, and no error.
    #[test]
    fn a_ledger_that_is_about_to_be_set_up_is_not_begun() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.sqlite");
        fs_err::write(&path, "").unwrap();
        assert!(SqliteLedger::open_if_begun(&path).unwrap().is_none());
        let error = SqliteLedger::open_read_only(&path).unwrap_err();
        assert!(matches!(error, StoreError::NotALedger { .. }), "{error}");
        Connection::open(&path).unwrap().pragma_update(None, "journal_mode", "wal").unwrap();
        assert!(SqliteLedger::open_if_begun(&path).unwrap().is_none(), "a header and no table");
        drop(SqliteLedger::open(&path).unwrap());
        assert!(SqliteLedger::open_if_begun(&path).unwrap().is_some());
        fs_err::write(&path, "not a ledger").unwrap();
        assert!(SqliteLedger::open_if_begun(&path).is_err());
    }
}
