//! Stores the number of recorded attempts in a file.
//!
//! Committed attempts are in SQLite's write-ahead log (`<ledger>-wal`) until they are moved into the ledger. A user
//! who copies the ledger without that file, or deletes it, loses them, and the ledger still looks whole: its rows have
//! no gap. So the number of attempts is in `<ledger>.count`. It is written after a commit and not after every one: it
//! may lag behind the ledger, and never leads.

use std::{
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use fs_err as fs;

use crate::{StoreError, connect::with_end, ledger_loss::LedgerLoss};

/// The name of the file ends in this.
pub(crate) const END: &str = ".count";

/// The first word of the file, and its version.
const FORMAT: &str = "llull-count 1";

/// The longest such file, in bytes.
const LONGEST: u64 = 128;

/// How long the file may lag while attempts are appended. Replacing a file takes some 50 microseconds, which a writer
/// of a thousand small commits a second would notice.
const PAUSE: Duration = Duration::from_millis(100);

/// The content of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecordedCount {
    /// The identity of the ledger that it is about, in hexadecimal digits.
    identity: String,
    attempts: u64,
}

impl RecordedCount {
    /// Reads the file of a ledger; `None` if it is missing or not whole. It must be read before the ledger, since
    /// another process may be appending to the ledger.
    pub(crate) fn read(ledger: &Path) -> Result<Option<Self>, StoreError> {
        let path = with_end(ledger, END);
        match fs::symlink_metadata(&path) {
            Ok(found) if found.file_type().is_symlink() => return Err(StoreError::Link { path }),
            Ok(found) if !found.is_file() => return Err(StoreError::NotAFile { path }),
            Ok(_) => {}
            Err(_) => return Ok(None),
        }
        let mut text = String::new();
        let read = fs::File::open(&path).and_then(|file| file.take(LONGEST).read_to_string(&mut text));
        Ok(read.ok().and_then(|_| Self::parse(&text)))
    }

    fn parse(text: &str) -> Option<Self> {
        // A file that was cut lacks the end of its line.
        let words = text.strip_prefix(FORMAT)?.strip_suffix('\n')?;
        let (identity, attempts) = words.trim_start().split_once(' ')?;
        Some(Self { identity: identity.to_owned(), attempts: attempts.parse().ok()? })
    }

    /// Returns the loss of a ledger of this identity, if it has fewer attempts than were recorded.
    pub(crate) fn loss(&self, identity: &str, found: u64) -> Option<LedgerLoss> {
        let lost = self.identity == identity && self.attempts > found;
        lost.then_some(LedgerLoss { recorded: self.attempts, found })
    }

    /// Puts a new file in the place of the old one, through no link.
    fn write(&self, ledger: &Path) -> io::Result<()> {
        let new = with_end(ledger, ".count.new");
        let create = || fs::OpenOptions::new().write(true).create_new(true).open(&new);
        let mut file = match create() {
            // A process was killed while it wrote.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                fs::remove_file(&new)?;
                create()?
            }
            created => created?,
        };
        writeln!(file, "{FORMAT} {} {}", self.identity, self.attempts)?;
        drop(file);
        fs::rename(&new, with_end(ledger, END))
    }
}

/// Keeps the file up to date while attempts are appended.
#[derive(Debug)]
pub(crate) struct CountKeeper {
    ledger: PathBuf,
    now: RecordedCount,
    written: Option<RecordedCount>,
    at: Instant,
}

impl CountKeeper {
    /// Keeps the file of a ledger that has so many attempts, and brings it up to date.
    pub(crate) fn new(
        ledger: &Path,
        identity: String,
        attempts: u64,
        written: Option<RecordedCount>,
    ) -> Self {
        let now = RecordedCount { identity, attempts };
        let mut keeper = Self { ledger: ledger.to_owned(), now, written, at: Instant::now() };
        keeper.write();
        keeper
    }

    /// Takes note of a commit. It is durable.
    pub(crate) fn committed(&mut self, attempts: u64) {
        self.now.attempts = attempts;
        if self.at.elapsed() >= PAUSE {
            self.write();
        }
    }

    /// A file that cannot be written lags, which is no error: commits are durable without it.
    fn write(&mut self) {
        if self.written.as_ref() == Some(&self.now) {
            return;
        }
        self.at = Instant::now();
        if self.now.write(&self.ledger).is_ok() {
            self.written = Some(self.now.clone());
        }
    }
}

impl Drop for CountKeeper {
    fn drop(&mut self) {
        self.write();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(attempts: u64) -> RecordedCount {
        RecordedCount { identity: "00ff".into(), attempts }
    }

    #[test]
    fn a_file_that_was_cut_says_nothing() {
        let whole = "llull-count 1 00ff 1234\n";
        assert_eq!(RecordedCount::parse(whole), Some(count(1234)));
        for end in 0..whole.len() {
            assert_eq!(RecordedCount::parse(&whole[..end]), None, "{:?}", &whole[..end]);
        }
        for other in ["llull-count 2 00ff 1\n", "llull-count 1 00ff -1\n", "llull-count 1 00ff\n", "x"] {
            assert_eq!(RecordedCount::parse(other), None, "{other:?}");
        }
    }

    #[test]
    fn only_fewer_attempts_of_the_same_ledger_are_a_loss() {
        assert_eq!(count(5).loss("00ff", 3), Some(LedgerLoss { recorded: 5, found: 3 }));
        assert_eq!(count(5).loss("00ff", 5), None);
        assert_eq!(count(5).loss("00ff", 9), None);
        assert_eq!(count(5).loss("00aa", 3), None);
    }

    #[test]
    fn what_a_killed_process_left_is_in_nobodys_way() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("ledger.sqlite");
        fs::write(with_end(&ledger, ".count.new"), "llull-co").unwrap();
        count(7).write(&ledger).unwrap();
        assert_eq!(RecordedCount::read(&ledger).unwrap(), Some(count(7)));
        assert!(!with_end(&ledger, ".count.new").exists());
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_neither_read_nor_written() {
        let folder = tempfile::tempdir().unwrap();
        let (ledger, victim) = (folder.path().join("ledger.sqlite"), folder.path().join("bashrc"));
        fs::write(&victim, "mine").unwrap();
        for end in [".count", ".count.new"] {
            std::os::unix::fs::symlink(&victim, with_end(&ledger, end)).unwrap();
        }
        assert!(matches!(RecordedCount::read(&ledger), Err(StoreError::Link { .. })));
        count(7).write(&ledger).unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
        assert_eq!(RecordedCount::read(&ledger).unwrap(), Some(count(7)));
    }
}
