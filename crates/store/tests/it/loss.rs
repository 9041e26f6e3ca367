//! Tests that a lost write-ahead log is detected and reported.
//!
//! It is reported before lost attempts are paid for again.

use std::path::{Path, PathBuf};

use llull_store::{LedgerCheck, LedgerLoss, LedgerReader, LedgerWriter, SqliteLedger, StoreError};

use crate::facts::{all, attempt, graded, spec};

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn append(ledger: &mut SqliteLedger, attempts: std::ops::Range<usize>) {
    let judge = ledger.register("j", &spec("m")).unwrap();
    for at in attempts {
        ledger.append(&[(judge, attempt("q", &at.to_string(), graded(1)))]).unwrap();
    }
}

/// A folder with a ledger that its writer left with 20 attempts in its log, as `kill -9` does, and with the log gone.
fn lost() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let live = folder.path().join("live.sqlite");
    append(&mut SqliteLedger::open(&live).unwrap(), 0..10);
    let mut writer = SqliteLedger::open(&live).unwrap();
    append(&mut writer, 10..30);
    let path = folder.path().join("ledger.sqlite");
    fs_err::copy(&live, &path).unwrap();
    // The files next to a ledger when its writer has ended; the copy was taken before.
    drop(writer);
    fs_err::copy(beside(&live, ".count"), beside(&path, ".count")).unwrap();
    (folder, path)
}

const LOST: LedgerLoss = LedgerLoss { recorded: 30, found: 10 };

#[test]
fn what_was_in_a_lost_log_is_counted() {
    let (_folder, path) = lost();
    let reader = SqliteLedger::open_read_only(&path).unwrap();
    assert_eq!((reader.loss(), all(&reader).len()), (Some(LOST), 10));
    let check = LedgerCheck::read(&reader).unwrap();
    assert_eq!((check.lost, check.is_intact(), check.intact), (Some(LOST), false, 10));
    let error = SqliteLedger::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Lost { loss: LOST, .. }), "{error}");
    for said in ["20 of 30 recorded attempts are missing", "ledger.sqlite-wal", "--accept-loss"] {
        assert!(error.to_string().contains(said), "{error}");
    }
    // The loss is reported until a user accepts it.
    assert_eq!(SqliteLedger::open_read_only(&path).unwrap().loss(), Some(LOST));
}

#[test]
fn a_loss_that_is_accepted_is_said_no_more() {
    let (_folder, path) = lost();
    let mut ledger = SqliteLedger::open_accepting_loss(&path).unwrap();
    assert_eq!(ledger.loss(), Some(LOST));
    append(&mut ledger, 10..12);
    drop(ledger);
    let ledger = SqliteLedger::open(&path).unwrap();
    assert_eq!((ledger.loss(), all(&ledger).len()), (None, 12));
}

#[test]
fn an_older_copy_in_the_ledgers_place_is_a_loss_too() {
    let folder = tempfile::tempdir().unwrap();
    let (path, backup) = (folder.path().join("ledger.sqlite"), folder.path().join("backup.sqlite"));
    append(&mut SqliteLedger::open(&path).unwrap(), 0..10);
    fs_err::copy(&path, &backup).unwrap();
    append(&mut SqliteLedger::open(&path).unwrap(), 10..30);
    fs_err::copy(&backup, &path).unwrap();
    assert!(matches!(SqliteLedger::open(&path), Err(StoreError::Lost { loss: LOST, .. })));
}

#[test]
fn other_ledgers_and_lost_counts_are_no_loss() {
    let (folder, path) = lost();
    // Another ledger, in the place of the old one.
    fs_err::remove_file(&path).unwrap();
    append(&mut SqliteLedger::open(&path).unwrap(), 0..1);
    assert_eq!(SqliteLedger::open(&path).unwrap().loss(), None);
    // A copy that was taken without the count.
    let alone = folder.path().join("alone.sqlite");
    fs_err::copy(&path, &alone).unwrap();
    assert_eq!(SqliteLedger::open_read_only(&alone).unwrap().loss(), None);
    assert!(!beside(&alone, ".count").exists(), "reading writes nothing");
    // Files of another program, and one that was cut.
    for text in ["", "llull-count 1 00", "\u{1f41f}\0\n", "llull-count 1 x 99999999999999999999999\n"] {
        fs_err::write(beside(&alone, ".count"), text).unwrap();
        assert_eq!(SqliteLedger::open(&alone).unwrap().loss(), None, "{text:?}");
    }
    // A ledger of version 1 has no identity until it is written to.
    let old = folder.path().join("old.sqlite");
    fs_err::write(&old, include_bytes!("../fixtures/v1.sqlite")).unwrap();
    fs_err::copy(beside(&path, ".count"), beside(&old, ".count")).unwrap();
    assert_eq!(SqliteLedger::open_read_only(&old).unwrap().loss(), None);
    assert_eq!(SqliteLedger::open(&old).unwrap().loss(), None);
}

/// A reader that read the count after the ledger would count attempts from in between as lost.
#[test]
fn a_reader_beside_a_writer_sees_no_loss() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    let mut writer = SqliteLedger::open(&path).unwrap();
    let appending = std::thread::spawn(move || append(&mut writer, 0..2_000));
    let mut reads = 0;
    while !appending.is_finished() || reads == 0 {
        assert_eq!(SqliteLedger::open_read_only(&path).unwrap().loss(), None);
        reads += 1;
    }
    appending.join().unwrap();
    let count = fs_err::read_to_string(beside(&path, ".count")).unwrap();
    assert!(count.ends_with(" 2000\n"), "{count}");
}

#[test]
fn what_tells_a_ledger_from_others_does_not_hang_on_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    let writer = SqliteLedger::open(&path).unwrap();
    let copy = folder.path().join("copy.sqlite");
    fs_err::copy(&path, &copy).unwrap();
    drop(writer);
    assert_eq!(SqliteLedger::open_read_only(&copy).unwrap().judges().unwrap(), []);
}
