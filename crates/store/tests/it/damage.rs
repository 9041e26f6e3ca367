//! Tests that damaged rows are named, and never read as attempts.

use std::{
    io::{Read, Seek, SeekFrom, Write},
    path::Path,
};

use llull_core::Reason;
use llull_store::{
    BadRow, Detail, JudgeId, LedgerCheck, LedgerReader, LedgerWriter, MemoryLedger, SqliteLedger, StoreError,
    Undamaged, export, import,
};
use rusqlite::Connection;

use crate::facts::{all, attempt, compared, comparison, fill_adjusted, graded, spec, unusable};

/// A ledger that version 2 wrote: its rows have no checksums.
const V2: &[u8] = include_bytes!("../fixtures/v2.sqlite");

/// Three judgments, each with a document that is found in the file, and a fourth to come after them.
fn write(path: &Path) -> JudgeId {
    let mut ledger = SqliteLedger::open(path).unwrap();
    let judge = ledger.register("strict", &spec("m")).unwrap();
    let mut explained = attempt("q-one", "document-one", graded(2));
    explained.answer.reply = Some("reply-one {\"grade\": 2}".into());
    let batch = [
        (judge, explained),
        (judge, attempt("q-two", "document-two", unusable(Reason::Empty))),
        (judge, comparison(&["document-three", "document-four"], compared(&[&[1], &[0]]))),
        (judge, attempt("q-end", "document-five", graded(0))),
    ];
    ledger.append(&batch).unwrap();
    judge
}

fn read(path: &Path) -> Result<Vec<(JudgeId, llull_core::Attempt)>, StoreError> {
    let ledger = SqliteLedger::open_read_only(path)?;
    ledger.judges()?;
    let mut all = Vec::new();
    ledger.scan(None, Detail::Replies, &mut |judge, attempt| {
        all.push((judge, attempt));
        Ok(())
    })?;
    Ok(all)
}

/// Every place of a text in the file.
fn places(bytes: &[u8], text: &str) -> Vec<usize> {
    let found = bytes.windows(text.len()).enumerate().filter(|(_, window)| *window == text.as_bytes());
    found.map(|(at, _)| at).collect()
}

/// Of 32 flips of a bit in a grade, 24 once were a label off the scale.
#[test]
fn no_flipped_bit_of_a_row_becomes_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    write(&path);
    let bytes = fs_err::read(&path).unwrap();
    let expected = read(&path).unwrap();
    // A row's header, its number, judge, key, status and grade come before the query; the reply has a row of its own.
    let rows: Vec<usize> = ["q-onedocument-one", "q-twodocument-two", "q1document-three"]
        .iter()
        .flat_map(|text| places(&bytes, text).into_iter().flat_map(|at| at - 65..at + text.len()))
        .chain(places(&bytes, "reply-one").into_iter().flat_map(|at| at - 5..at + 22))
        .collect();
    assert!(rows.len() > 260, "the rows were not found in the file");
    let mut file = fs_err::OpenOptions::new().read(true).write(true).open(&path).unwrap();
    let mut put = |at: usize, byte: u8| {
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(&[byte]).unwrap();
    };
    let flips = rows.len() * 8;
    let mut without_effect = 0;
    for at in rows {
        for bit in 0..8 {
            put(at, bytes[at] ^ (1 << bit));
            match read(&path) {
                // SQLite does not check every bit of a row's header, nor the bytes between rows.
                Ok(same) => {
                    assert_eq!(same, expected, "bit {bit} of byte {at} was not noticed");
                    without_effect += 1;
                }
                Err(error) => {
                    let said = error.to_string();
                    assert!(said.contains("llull ledger check"), "byte {at}, bit {bit}: {said}");
                }
            }
        }
        put(at, bytes[at]);
    }
    assert!(without_effect * 10 < flips, "{without_effect} of {flips} flips had no effect");
    assert_eq!(read(&path).unwrap(), expected);
}

/// Changes a column past the triggers, as a bad disk would.
fn change(path: &Path, what: &str) {
    let other = Connection::open(path).unwrap();
    let triggers: Vec<String> = {
        let mut names = other.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").unwrap();
        let names = names.query_map([], |row| row.get(0)).unwrap();
        names.map(Result::unwrap).collect()
    };
    for trigger in triggers {
        other.execute(&format!("DROP TRIGGER {trigger}"), []).unwrap();
    }
    other.execute_batch(&format!("PRAGMA foreign_keys = off; {what}")).unwrap();
}

/// The row that is named when everything is read, at every detail and of any judge.
fn named(path: &Path) -> BadRow {
    match read(path).unwrap_err() {
        StoreError::BadRow { row, .. } => *row,
        other => panic!("{other}"),
    }
}

#[test]
fn a_damaged_row_is_named_whoever_reads_it() {
    for what in [
        "UPDATE attempts SET grade = 3 WHERE id = 1",
        "UPDATE attempts SET judge = 2 WHERE id = 1",
        "UPDATE attempts SET cost_usd = 0.5 WHERE id = 1",
        "UPDATE attempts SET checksum = NULL WHERE id = 1; UPDATE attempts SET grade = 9 WHERE id = 1",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.sqlite");
        let judge = write(&path);
        SqliteLedger::open(&path).unwrap().register("other", &spec("n")).unwrap();
        change(&path, what);
        let row = named(&path);
        assert_eq!((row.table, row.row), ("attempts", 1), "{what}");
        assert_eq!((row.query.as_str(), row.document.as_str()), ("q-one", "document-one"), "{what}");
        let ledger = SqliteLedger::open_read_only(&path).unwrap();
        for detail in [Detail::Facts, Detail::Verdicts, Detail::Replies] {
            let said = ledger.scan(Some(&[judge]), detail, &mut |_, _| Ok(())).unwrap_err().to_string();
            assert!(said.contains("row 1 (judge "), "{what}: {said}");
            assert!(said.contains("query \"q-one\", document \"document-one\""), "{what}: {said}");
        }
    }
}

#[test]
fn lost_and_exchanged_rows_are_noticed() {
    for (what, row, problem) in [
        ("DELETE FROM attempts WHERE id = 2", 3, "the rows before it are missing, from 2 to 2"),
        ("DELETE FROM replies WHERE attempt = 1", 1, "its reply or its verdict is not what was written"),
        ("UPDATE attempts SET checksum = NULL WHERE id = 3", 3, "its checksum is missing"),
        ("INSERT INTO replies VALUES (4, 'more', NULL)", 4, "its reply or its verdict"),
        (
            "UPDATE replies SET verdict = '{\"kind\":\"compared\",\"order\":[[0],[1]]}' WHERE attempt = 3",
            3,
            "its verdict",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.sqlite");
        write(&path);
        change(&path, what);
        let found = named(&path);
        assert_eq!(found.row, row, "{what}: {found}");
        assert!(found.problem.contains(problem), "{what}: {found}");
    }
}

#[test]
fn a_damaged_judge_is_named() {
    for what in [
        "UPDATE judges SET name = 'lax'",
        "UPDATE judges SET spec = replace(spec, '\"high\":3', '\"high\":9')",
        "UPDATE judges SET checksum = NULL, spec = replace(spec, '\"high\":3', '\"high\":9')",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.sqlite");
        write(&path);
        change(&path, what);
        assert_eq!((named(&path).table, named(&path).row), ("judges", 1), "{what}");
    }
}

#[test]
fn a_row_without_a_checksum_is_checked_as_an_import_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    for (what, row, problem) in [
        ("UPDATE attempts SET grade = 4 WHERE id = 7", 7, "grade 4 is not on the judge's scale, 0 to 3"),
        ("UPDATE attempts SET grade = 2 WHERE id = 2", 2, "its grade is not that of its verdict"),
        ("UPDATE attempts SET document = 'x' WHERE id = 12", 12, "the first of documents is \"d2\""),
        ("UPDATE attempts SET judge = 9 WHERE id = 3", 3, "judge number 9 is damaged or not registered"),
        ("UPDATE attempts SET status = 'judged' WHERE id = 1", 1, "a judged attempt has no verdict"),
        ("UPDATE attempts SET sample = -1 WHERE id = 5", 5, "a value cannot be read"),
    ] {
        fs_err::write(&path, V2).unwrap();
        change(&path, what);
        let found = named(&path);
        assert_eq!(found.row, row, "{what}: {found}");
        assert!(found.problem.contains(problem), "{what}: {found}");
    }
}

#[test]
fn a_check_names_every_row_and_the_rest_can_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    fill_adjusted(&mut SqliteLedger::open(&path).unwrap());
    let whole = all(&SqliteLedger::open_read_only(&path).unwrap());
    let check = |path: &Path| LedgerCheck::read(&SqliteLedger::open_read_only(path).unwrap()).unwrap();
    assert_eq!(check(&path), LedgerCheck { intact: 15, ..LedgerCheck::default() });
    change(
        &path,
        "UPDATE attempts SET grade = 1 WHERE id IN (7, 9); UPDATE replies SET reply = '' WHERE attempt = 6",
    );
    let found = check(&path);
    assert_eq!((found.intact, found.is_intact()), (12, false));
    assert_eq!(found.bad.iter().map(|bad| bad.row).collect::<Vec<_>>(), [6, 7, 9]);

    let good = Undamaged::of(SqliteLedger::open_read_only(&path).unwrap());
    let mut lines = Vec::new();
    export(&good, &mut lines).unwrap();
    assert_eq!(good.skipped(), 3);
    let mut fresh = MemoryLedger::default();
    assert_eq!(import(&lines[..], &mut fresh).unwrap().added, 12);
    let kept: Vec<_> =
        whole.into_iter().enumerate().filter(|(at, _)| ![5, 6, 8].contains(at)).map(|(_, row)| row).collect();
    assert_eq!(fresh.attempts(), kept);
}

#[test]
fn a_page_that_cannot_be_read_costs_its_rows_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = SqliteLedger::open(&path).unwrap();
    let judge = ledger.register("j", &spec("m")).unwrap();
    let batch: Vec<_> =
        (0..400).map(|at| (judge, attempt("q", &format!("page-{at:03}"), graded(1)))).collect();
    ledger.append(&batch).unwrap();
    drop(ledger);
    let mut bytes = Vec::new();
    fs_err::File::open(&path).unwrap().read_to_end(&mut bytes).unwrap();
    let page = places(&bytes, "page-200")[0] / 4096 * 4096;
    bytes[page..page + 4096].fill(0x5a);
    fs_err::write(&path, &bytes).unwrap();
    let found = LedgerCheck::read(&SqliteLedger::open_read_only(&path).unwrap()).unwrap();
    assert!(!found.sqlite.is_empty());
    assert!(found.bad.len() < 60, "{} rows are given up", found.bad.len());
    assert!(found.intact > 340, "{} rows are kept", found.intact);
    assert_eq!(found.intact + found.bad.len() as u64, 400);
}
