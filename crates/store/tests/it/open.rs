//! Opening files: ours, others', later ones; and that facts stay facts.

use std::path::Path;

use llull_core::{FailureKind, Hash, Reason};
use llull_store::{JudgeId, JudgmentStore, Known, MemoryLedger, SqliteLedger, StoreError};
use rusqlite::Connection;

use crate::facts::{all, attempt, compared, comparison, failed, fill, fill_compared, graded, spec, unusable};

/// A ledger that version 1 wrote.
const V1: &[u8] = include_bytes!("../fixtures/v1.sqlite");

/// A ledger that version 2 wrote.
const V2: &[u8] = include_bytes!("../fixtures/v2.sqlite");

fn in_folder(work: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    work(&folder.path().join("ledger.sqlite"));
}

#[test]
fn what_was_appended_is_there_when_it_is_opened_again() {
    in_folder(|path| {
        let mut ledger = SqliteLedger::open(path).unwrap();
        let [model, _] = fill(&mut ledger);
        drop(ledger);
        let mut expected = MemoryLedger::default();
        fill(&mut expected);
        let ledger = SqliteLedger::open(path).unwrap();
        assert_eq!(all(&ledger), expected.attempts());
        let known = ledger.known(model).unwrap();
        assert_eq!(known.len(), 3);
        assert_eq!(known[&Hash::of(b"q1 d1")], Known::Grade(3));
        assert_eq!(known[&Hash::of(b"q1 d2")], Known::Unusable { reason: Reason::Refused, times: 2 });
        assert_eq!(known[&Hash::of(b"q2 d3")], Known::Grade(0));
    });
}

#[test]
fn a_ledger_of_version_1_can_be_read_and_written() {
    in_folder(|path| {
        fs_err::write(path, V1).unwrap();
        let mut expected = MemoryLedger::default();
        let [model, _] = fill(&mut expected);
        assert_eq!(all(&SqliteLedger::open_read_only(path).unwrap()), expected.attempts());
        let mut ledger = SqliteLedger::open(path).unwrap();
        assert_eq!(ledger.judges().unwrap(), expected.judges().unwrap());
        assert_eq!(all(&ledger), expected.attempts());
        ledger.append(&[(model, attempt("q9", "d9", graded(1)))]).unwrap();
        assert_eq!(all(&ledger).len(), expected.attempts().len() + 1);
    });
}

#[test]
fn a_ledger_of_version_1_that_is_only_read_is_left_as_it_is() {
    in_folder(|path| {
        fs_err::write(path, V1).unwrap();
        let ledger = SqliteLedger::open_read_only(path).unwrap();
        let mut expected = MemoryLedger::default();
        let [model, _] = fill(&mut expected);
        assert_eq!(ledger.known(model).unwrap(), expected.known(model).unwrap());
        assert_eq!(ledger.totals(None, None).unwrap(), expected.totals(None, None).unwrap());
        assert_eq!(fs_err::read(path).unwrap(), V1);
        // Another process brings the file up to date meanwhile.
        let mut writer = SqliteLedger::open(path).unwrap();
        writer.append(&[(model, comparison(&["d2", "d1"], compared(&[&[1]])))]).unwrap();
        assert_eq!(all(&ledger).last().unwrap().1.documents, ["d2", "d1"]);
    });
}

#[test]
fn a_ledger_of_version_2_can_be_read_and_written() {
    in_folder(|path| {
        fs_err::write(path, V2).unwrap();
        let mut expected = MemoryLedger::default();
        let judge = fill_compared(&mut expected);
        assert_eq!(all(&SqliteLedger::open_read_only(path).unwrap()), expected.attempts());
        let mut ledger = SqliteLedger::open(path).unwrap();
        assert_eq!(ledger.judges().unwrap(), expected.judges().unwrap());
        ledger.append(&[(judge, comparison(&["d8", "d9"], compared(&[&[0]])))]).unwrap();
        assert_eq!(all(&ledger).len(), expected.attempts().len() + 1);
    });
}

#[test]
fn an_order_is_known_whole() {
    in_folder(|path| {
        let mut ledger = SqliteLedger::open(path).unwrap();
        let judge = fill_compared(&mut ledger);
        let known = ledger.known(judge).unwrap();
        assert_eq!(known.len(), 3);
        let Known::Compared(verdict) = &known[&Hash::of(b"d2 d0 d1")] else { panic!("{known:?}") };
        assert_eq!(verdict.order, [vec![1], vec![0, 2]]);
        let Known::Compared(verdict) = &known[&Hash::of(b"d1 d0")] else { panic!("{known:?}") };
        assert_eq!(
            (verdict.rationale.as_str(), verdict.probabilities[0]),
            ("The second says «ça».", 0.1 + 0.2)
        );
        assert_eq!(known[&Hash::of(b"d3 d0")], Known::Unusable { reason: Reason::NotAnOrder, times: 1 });
        ledger.append(&[(judge, comparison(&["d1", "d0"], unusable(Reason::CutOff)))]).unwrap();
        assert_eq!(ledger.known(judge).unwrap(), known, "an order outlives an unusable answer");
        assert_eq!(ledger.totals(Some(judge), None).unwrap().judged, 2);
    });
}

#[test]
fn a_verdict_outlives_an_unusable_answer_and_a_failure_teaches_nothing() {
    in_folder(|path| {
        let mut ledger = SqliteLedger::open(path).unwrap();
        let judge = ledger.register("j", &spec("m")).unwrap();
        let key = Hash::of(b"q d");
        for (outcome, known) in [
            (failed(FailureKind::Timeout), None),
            (unusable(Reason::Empty), Some(Known::Unusable { reason: Reason::Empty, times: 1 })),
            (failed(FailureKind::Server), Some(Known::Unusable { reason: Reason::Empty, times: 1 })),
            (graded(2), Some(Known::Grade(2))),
            (unusable(Reason::Empty), Some(Known::Grade(2))),
            (graded(1), Some(Known::Grade(1))),
        ] {
            ledger.append(&[(judge, attempt("q", "d", outcome))]).unwrap();
            assert_eq!(ledger.known(judge).unwrap().get(&key).cloned(), known);
        }
    });
}

#[test]
fn judges_with_one_fingerprint_are_one() {
    in_folder(|path| {
        let mut ledger = SqliteLedger::open(path).unwrap();
        let one = ledger.register("a", &spec("m")).unwrap();
        assert_eq!(ledger.register("another name", &spec("m")).unwrap(), one);
        assert_ne!(ledger.register("a", &spec("n")).unwrap(), one);
        let names: Vec<_> = ledger.judges().unwrap().into_iter().map(|judge| judge.name).collect();
        assert_eq!(names, ["a", "a"]);
    });
}

#[test]
fn a_batch_with_a_stranger_is_refused_whole() {
    in_folder(|path| {
        let mut ledger = SqliteLedger::open(path).unwrap();
        let judge = ledger.register("j", &spec("m")).unwrap();
        let batch = [(judge, attempt("q", "d", graded(1))), (JudgeId(7), attempt("q", "e", graded(1)))];
        assert!(matches!(ledger.append(&batch), Err(StoreError::UnknownJudge(JudgeId(7)))));
        assert_eq!(all(&ledger), []);
    });
}

#[test]
fn facts_cannot_be_changed_or_deleted() {
    in_folder(|path| {
        fill(&mut SqliteLedger::open(path).unwrap());
        let other = Connection::open(path).unwrap();
        for attack in [
            "UPDATE attempts SET grade = 3",
            "DELETE FROM attempts",
            "UPDATE replies SET reply = ''",
            "DELETE FROM replies",
            "UPDATE judges SET name = 'x'",
            "DELETE FROM judges",
        ] {
            let refusal = other.execute(attack, []).unwrap_err().to_string();
            assert!(refusal.contains("append-only"), "{attack}: {refusal}");
        }
    });
}

#[test]
fn other_files_are_refused_and_left_alone() {
    in_folder(|path| {
        for text in [
            "not a database at all, and longer than SQLite's header of one hundred bytes; ".repeat(3),
            "x".into(),
        ] {
            fs_err::write(path, &text).unwrap();
            assert!(matches!(SqliteLedger::open(path), Err(StoreError::NotALedger { .. })));
            assert_eq!(fs_err::read_to_string(path).unwrap(), text);
        }
    });
    in_folder(|path| {
        Connection::open(path).unwrap().execute_batch("CREATE TABLE mine (x)").unwrap();
        let before = fs_err::read(path).unwrap();
        let error = SqliteLedger::open(path).unwrap_err();
        assert!(error.to_string().contains("ledger.sqlite is not a llull ledger"), "{error}");
        assert_eq!(fs_err::read(path).unwrap(), before);
    });
}

#[test]
fn a_later_version_is_refused_with_both_numbers() {
    in_folder(|path| {
        drop(SqliteLedger::open(path).unwrap());
        Connection::open(path).unwrap().pragma_update(None, "user_version", 99).unwrap();
        for error in [SqliteLedger::open(path).unwrap_err(), SqliteLedger::open_read_only(path).unwrap_err()]
        {
            assert!(matches!(error, StoreError::Newer { found: 99, supported: 2, .. }), "{error}");
            assert!(error.to_string().contains("newer llull"));
        }
    });
}

#[test]
fn reading_needs_a_file_and_writes_nothing() {
    in_folder(|path| {
        assert!(matches!(SqliteLedger::open_read_only(path), Err(StoreError::CannotOpen { .. })));
        assert!(!path.exists());
        let error = SqliteLedger::open(path.join("no/folder")).unwrap_err();
        assert!(matches!(error, StoreError::CannotOpen { .. }), "{error}");

        let mut writer = SqliteLedger::open(path).unwrap();
        let [model, _] = fill(&mut writer);
        let mut reader = SqliteLedger::open_read_only(path).unwrap();
        assert_eq!(reader.known(model).unwrap(), writer.known(model).unwrap());
        let refused = reader.append(&[(model, attempt("q", "d", graded(0)))]).unwrap_err();
        assert!(matches!(refused, StoreError::ReadOnly { .. }), "{refused}");
        writer.append(&[(model, attempt("q", "d", graded(0)))]).unwrap();
        assert_eq!(reader.known(model).unwrap(), writer.known(model).unwrap());
    });
}

#[test]
fn a_damaged_file_says_so() {
    in_folder(|path| {
        fill(&mut SqliteLedger::open(path).unwrap());
        let mut bytes = fs_err::read(path).unwrap();
        // Past the header page: tables, not the file's identity.
        bytes[4096..].fill(0x5a);
        fs_err::write(path, bytes).unwrap();
        let error = SqliteLedger::open_read_only(path).and_then(|ledger| ledger.judges()).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains(".recover"));
    });
}

#[test]
fn verdicts_come_whole_with_their_reasons() {
    in_folder(|path| {
        let mut ledger = SqliteLedger::open(path).unwrap();
        let [model, baseline] = fill(&mut ledger);
        let wanted = [Hash::of(b"q1 d1"), Hash::of(b"q1 d2"), Hash::of(b"q9 d9")].into_iter().collect();
        let verdicts = ledger.verdicts(model, &wanted).unwrap();
        assert_eq!(verdicts.len(), 1, "d2 has only unusable answers");
        assert_eq!(verdicts[&Hash::of(b"q1 d1")].rationale(), "It says\nall of it.");
        assert_eq!(ledger.verdicts(baseline, &wanted).unwrap().len(), 2);
    });
}

#[test]
fn totals_can_be_of_one_judge_and_of_some_tasks() {
    in_folder(|path| {
        let mut ledger = SqliteLedger::open(path).unwrap();
        let [model, _] = fill(&mut ledger);
        let totals = ledger.totals(None, None).unwrap();
        assert_eq!((totals.attempts, totals.judged), (10, 6));
        let totals = ledger.totals(Some(model), None).unwrap();
        assert_eq!((totals.attempts, totals.judged, totals.unusable_attempts()), (6, 2, 3));
        assert_eq!(totals.prompt_tokens.total, 5 * 812);
        assert_eq!(totals.models["gpt-4o-mini-2024-07-18"], 5);
        let only = [Hash::of(b"q1 d1")].into_iter().collect();
        let totals = ledger.totals(Some(model), Some(&only)).unwrap();
        assert_eq!((totals.attempts, totals.judged, totals.failed_attempts()), (2, 1, 1));
        assert_eq!(totals.latency.map(|latency| latency.p95_ms), Some(734));
    });
}
