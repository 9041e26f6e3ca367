//! Tests strangers' ledgers: links, pipes, triggers and journals.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use llull_store::{LedgerReader, SqliteLedger, StoreError};
use rusqlite::Connection;

use crate::facts::fill;

fn in_folder(work: impl FnOnce(&Path, &Path)) {
    let folder = tempfile::tempdir().unwrap();
    let victim = folder.path().join("victim");
    fs_err::write(&victim, "mine").unwrap();
    work(&folder.path().join("ledger.sqlite"), &victim);
    assert_eq!(fs_err::read_to_string(&victim).unwrap(), "mine");
}

fn beside(path: &Path, end: &str) -> PathBuf {
    PathBuf::from(format!("{}{end}", path.display()))
}

/// Both ways of opening it.
fn refusals(path: &Path) -> [StoreError; 2] {
    [SqliteLedger::open(path).unwrap_err(), SqliteLedger::open_read_only(path).unwrap_err()]
}

#[test]
fn a_ledger_behind_a_link_is_left_alone() {
    in_folder(|path, victim| {
        for target in [victim.to_owned(), victim.with_file_name("not there")] {
            symlink(&target, path).unwrap();
            for error in refusals(path) {
                assert!(matches!(&error, StoreError::Link { path: found } if found == path), "{error}");
            }
            fs_err::remove_file(path).unwrap();
        }
        assert!(!victim.with_file_name("not there").exists());
    });
}

#[test]
fn files_of_sqlite_behind_links_are_left_alone() {
    in_folder(|path, victim| {
        fill(&mut SqliteLedger::open(path).unwrap());
        for end in ["-wal", "-shm", "-journal"] {
            let link = beside(path, end);
            symlink(victim, &link).unwrap();
            for error in refusals(path) {
                assert!(matches!(&error, StoreError::Link { path: found } if *found == link), "{error}");
            }
            fs_err::remove_file(&link).unwrap();
        }
    });
}

#[test]
fn the_way_to_the_folder_may_be_a_link() {
    in_folder(|path, _| {
        fill(&mut SqliteLedger::open(path).unwrap());
        let way = path.with_file_name("way");
        symlink(path.parent().unwrap(), &way).unwrap();
        assert_eq!(SqliteLedger::open(way.join("ledger.sqlite")).unwrap().judges().unwrap().len(), 2);
    });
}

#[test]
fn a_pipe_is_not_waited_for() {
    in_folder(|path, _| {
        for end in ["", "-journal"] {
            let pipe = beside(path, end);
            assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            for error in refusals(path) {
                assert!(matches!(error, StoreError::NotAFile { .. }), "{error}");
            }
            fs_err::remove_file(&pipe).unwrap();
        }
    });
}

#[test]
fn what_acts_in_a_ledger_and_is_not_llulls_is_refused() {
    for (script, named) in [
        ("CREATE TRIGGER best AFTER INSERT ON judges BEGIN SELECT 1; END", "the trigger \"best\""),
        (
            "DROP TRIGGER attempts_are_not_changed; CREATE TRIGGER attempts_are_not_changed AFTER INSERT ON attempts \
             BEGIN UPDATE attempts SET grade = 3; END",
            "the trigger \"attempts_are_not_changed\"",
        ),
        ("CREATE VIEW good AS SELECT * FROM attempts", "the view \"good\""),
    ] {
        in_folder(|path, _| {
            fill(&mut SqliteLedger::open(path).unwrap());
            Connection::open(path).unwrap().execute_batch(script).unwrap();
            for error in refusals(path) {
                assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
                assert!(error.to_string().contains(named), "{error}");
            }
        });
    }
}

/// The record at the end of a journal that names a super-journal: <https://www.sqlite.org/fileformat2.html>, 3.
#[test]
fn a_journal_that_has_sqlite_delete_another_file_is_not_played() {
    in_folder(|path, victim| {
        fill(&mut SqliteLedger::open(path).unwrap());
        let magic = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
        let name = victim.as_os_str().as_encoded_bytes();
        let sum: u32 = name.iter().map(|byte| u32::from(*byte)).sum();
        let journal = [
            &magic[..],
            &[0; 504],
            name,
            &u32::try_from(name.len()).unwrap().to_be_bytes(),
            &sum.to_be_bytes(),
            &magic,
        ];
        fs_err::write(beside(path, "-journal"), journal.concat()).unwrap();
        for error in refusals(path) {
            assert!(matches!(error, StoreError::ForeignJournal { .. }), "{error}");
        }
    });
}
