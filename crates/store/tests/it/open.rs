//! Tests opening files of all kinds, and unchangeable records.

use std::path::Path;

use llull_core::{FailureKind, Hash, Judgment, Reason, Status};
use llull_store::{
    BatchRecord, BatchState, BatchTable, Detail, JudgeId, JudgeLog, LedgerReader, LedgerWriter, MemoryLedger,
    SqliteBatches, SqliteLedger, StoreError, Totals,
};
use rusqlite::Connection;

use crate::facts::{
    all, attempt, compared, comparison, failed, fill, fill_adjusted, fill_compared, fill_counted, graded,
    log, rationale, spec, status, unusable,
};

/// A ledger that version 1 wrote.
const V1: &[u8] = include_bytes!("../fixtures/v1.sqlite");

/// A ledger that version 2 wrote.
const V2: &[u8] = include_bytes!("../fixtures/v2.sqlite");

/// A ledger that version 3 wrote.
const V3: &[u8] = include_bytes!("../fixtures/v3.sqlite");

/// A ledger that version 4 wrote.
const V4: &[u8] = include_bytes!("../fixtures/v4.sqlite");

/// A ledger that version 5 wrote.
const V5: &[u8] = include_bytes!("../fixtures/v5.sqlite");

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
        let log = log(&ledger, model);
        assert_eq!(log.len(), 3);
        assert_eq!(status(&log, &Hash::of(b"q1 d1")).grade(), Some(3));
        let refused = Status::Refused(Reason::Refused);
        assert_eq!(status(&log, &Hash::of(b"q1 d2")), refused);
        assert_eq!(status(&log, &Hash::of(b"q2 d3")).grade(), Some(0));
        assert_eq!(status(&log, &Hash::of(b"q9 d9")), Status::NotAsked);
    });
}

/// A copy of the file without its log, or the loss of the log, loses little.
#[test]
fn little_hangs_on_the_log() {
    in_folder(|path| {
        let mut ledger = SqliteLedger::open(path).unwrap();
        let judge = ledger.register("j", &spec("m")).unwrap();
        for at in 0..300 {
            ledger.append(&[(judge, attempt("q", &at.to_string(), graded(1)))]).unwrap();
        }
        let copy = path.with_file_name("copy.sqlite");
        fs_err::copy(path, &copy).unwrap();
        let kept = all(&SqliteLedger::open_read_only(&copy).unwrap()).len();
        assert!(kept >= 150, "{kept} of 300");
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
        assert_eq!(log(&ledger, model), log(&expected, model));
        assert_eq!(Totals::read(&ledger, None).unwrap(), Totals::read(&expected, None).unwrap());
        assert_eq!(fs_err::read(path).unwrap(), V1);
        // Another process migrates the file in the meantime.
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
fn a_ledger_of_version_2_that_is_only_read_is_left_as_it_is() {
    in_folder(|path| {
        fs_err::write(path, V2).unwrap();
        let mut expected = MemoryLedger::default();
        fill_compared(&mut expected);
        let ledger = SqliteLedger::open_read_only(path).unwrap();
        assert_eq!(ledger.judges().unwrap(), expected.judges().unwrap());
        assert_eq!(all(&ledger), expected.attempts());
        assert_eq!(fs_err::read(path).unwrap(), V2);
    });
}

#[test]
fn a_ledger_of_version_3_can_be_read_and_written() {
    in_folder(|path| {
        fs_err::write(path, V3).unwrap();
        let mut expected = MemoryLedger::default();
        let judge = fill_adjusted(&mut expected);
        assert_eq!(all(&SqliteLedger::open_read_only(path).unwrap()), expected.attempts());
        let mut ledger = SqliteLedger::open(path).unwrap();
        assert_eq!(ledger.judges().unwrap(), expected.judges().unwrap());
        ledger.append(&[(judge, attempt("q9", "d9", graded(1)))]).unwrap();
        assert_eq!(all(&ledger).len(), expected.attempts().len() + 1);
    });
}

#[test]
fn a_ledger_of_version_4_can_be_read_and_written() {
    in_folder(|path| {
        fs_err::write(path, V4).unwrap();
        let mut expected = MemoryLedger::default();
        let judge = fill_adjusted(&mut expected);
        assert_eq!(all(&SqliteLedger::open_read_only(path).unwrap()), expected.attempts());
        let table = SqliteBatches::new(path);
        assert_eq!(table.batches().unwrap(), [batch()]);
        let mut ledger = SqliteLedger::open(path).unwrap();
        ledger.append(&[(judge, attempt("q9", "d9", graded(1)))]).unwrap();
        table.record(&BatchRecord { state: BatchState::Ended, ..batch() }).unwrap();
        assert_eq!(table.batches().unwrap(), [BatchRecord { state: BatchState::Ended, ..batch() }]);
    });
}

#[test]
fn a_ledger_of_version_5_can_be_read_and_written() {
    in_folder(|path| {
        fs_err::write(path, V5).unwrap();
        let mut expected = MemoryLedger::default();
        let judge = fill_counted(&mut expected);
        assert_eq!(all(&SqliteLedger::open_read_only(path).unwrap()), expected.attempts());
        let mut ledger = SqliteLedger::open(path).unwrap();
        ledger.append(&[(judge, attempt("q9", "d9", graded(1)))]).unwrap();
        assert_eq!(all(&ledger).len(), expected.attempts().len() + 1);
    });
}

/// Each of the columns that a version of its own added is covered by the checksum.
#[test]
fn a_count_that_changed_is_damage() {
    for change in ["cached_tokens = 601", "reasoning_tokens = NULL", "request_id = 'req_2'"] {
        in_folder(|path| {
            fs_err::write(path, V5).unwrap();
            let file = Connection::open(path).unwrap();
            file.execute_batch("DROP TRIGGER attempts_are_not_changed").unwrap();
            file.execute(&format!("UPDATE attempts SET {change} WHERE request_id = 'req_011C'"), []).unwrap();
            drop(file);
            let ledger = SqliteLedger::open_read_only(path).unwrap();
            let error = Totals::read(&ledger, None).unwrap_err();
            assert!(error.to_string().contains("its checksum differs"), "{error}");
        });
    }
}

/// The batch in the ledger of version 4.
fn batch() -> BatchRecord {
    BatchRecord {
        name: "llull-0".into(),
        judge: "j".into(),
        state: BatchState::Submitted,
        remote: Some("batch_1".into()),
        requests: ["a-0", "b-1"].map(str::to_owned).to_vec(),
        at_ms: 1_800_000_000_000,
    }
}

/// An older ledger has no batches, and gets a table of them when it is opened for writing.
#[test]
fn a_ledger_of_version_3_has_no_batches() {
    in_folder(|path| {
        fs_err::write(path, V3).unwrap();
        let table = SqliteBatches::new(path);
        assert_eq!(table.batches().unwrap(), []);
        let ledger = SqliteLedger::open(path).unwrap();
        table.record(&batch()).unwrap();
        assert_eq!(table.batches().unwrap(), [batch()]);
        assert_eq!(llull_store::LedgerCheck::read(&ledger).unwrap().sqlite, [""; 0]);
    });
}

#[test]
fn an_order_is_known_whole() {
    in_folder(|path| {
        let mut ledger = SqliteLedger::open(path).unwrap();
        let judge = fill_compared(&mut ledger);
        let before = log(&ledger, judge);
        assert_eq!(before.len(), 3);
        let of = |documents: &str| crate::facts::status(&before, &Hash::of(documents.as_bytes()));
        assert_eq!(of("d2 d0 d1").order().unwrap().order, [vec![1], vec![0, 2]]);
        assert_eq!(of("d1 d0").order().unwrap().probabilities[0], 0.1 + 0.2);
        assert_eq!(rationale(&before, &Hash::of(b"d1 d0")), Some("The second says «ça»."));
        assert_eq!(of("d3 d0"), Status::Unusable { reason: Reason::NotAnOrder, times: 1 });
        ledger.append(&[(judge, comparison(&["d1", "d0"], unusable(Reason::CutOff)))]).unwrap();
        let after = log(&ledger, judge);
        assert_eq!(
            crate::facts::status(&after, &Hash::of(b"d1 d0")),
            of("d1 d0"),
            "an order outlives an unusable answer"
        );
        assert_eq!(after.totals().judged, 2);
    });
}

/// A damaged ledger, or one that another program wrote.
#[test]
fn an_order_of_documents_that_were_not_shown_is_damage() {
    in_folder(|path| {
        let mut ledger = SqliteLedger::open(path).unwrap();
        let judge = fill_compared(&mut ledger);
        ledger.append(&[(judge, comparison(&["d1", "d0"], compared(&[&[2], &[0]])))]).unwrap();
        let error = JudgeLog::read(&ledger, &[Some(judge)], Detail::Facts).unwrap_err();
        assert!(matches!(error, StoreError::BadRow { .. }), "{error}");
        assert!(error.to_string().contains("position 2, but only 2 documents were shown"), "{error}");
    });
}

#[test]
fn a_verdict_outlives_an_unusable_answer_and_that_a_failure() {
    in_folder(|path| {
        let mut ledger = SqliteLedger::open(path).unwrap();
        let judge = ledger.register("j", &spec("m")).unwrap();
        let key = Hash::of(b"q d");
        for (outcome, known) in [
            (failed(FailureKind::Timeout), Status::Failed(FailureKind::Timeout)),
            (unusable(Reason::Empty), Status::Unusable { reason: Reason::Empty, times: 1 }),
            (failed(FailureKind::Server), Status::Unusable { reason: Reason::Empty, times: 1 }),
            (graded(2), Status::Judged(Judgment::Grade(2))),
            (unusable(Reason::Empty), Status::Judged(Judgment::Grade(2))),
            (graded(1), Status::Judged(Judgment::Grade(1))),
        ] {
            ledger.append(&[(judge, attempt("q", "d", outcome))]).unwrap();
            assert_eq!(status(&log(&ledger, judge), &key), known);
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
            "UPDATE identity SET number = x'00'",
            "DELETE FROM identity",
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
            assert!(matches!(error, StoreError::Newer { found: 99, supported: 5, .. }), "{error}");
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
        assert_eq!(log(&reader, model), log(&writer, model));
        let refused = reader.append(&[(model, attempt("q", "d", graded(0)))]).unwrap_err();
        assert!(matches!(refused, StoreError::ReadOnly { .. }), "{refused}");
        writer.append(&[(model, attempt("q", "d", graded(0)))]).unwrap();
        assert_eq!(log(&reader, model), log(&writer, model));
    });
}

#[test]
fn a_damaged_file_says_so() {
    in_folder(|path| {
        fill(&mut SqliteLedger::open(path).unwrap());
        let mut bytes = fs_err::read(path).unwrap();
        // After the header page: damages the tables, not the file's identity.
        bytes[4096..].fill(0x5a);
        fs_err::write(path, bytes).unwrap();
        let error = SqliteLedger::open_read_only(path).and_then(|ledger| ledger.judges()).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("`llull ledger check`"));
    });
}

#[test]
fn verdicts_come_whole_with_their_reasons() {
    in_folder(|path| {
        let mut ledger = SqliteLedger::open(path).unwrap();
        let [model, baseline] = fill(&mut ledger);
        let with_words = log(&ledger, model);
        assert_eq!(rationale(&with_words, &Hash::of(b"q1 d1")), Some("It says\nall of it."));
        assert_eq!(rationale(&with_words, &Hash::of(b"q1 d2")), None, "d2 has only unusable answers");
        let ids = [Some(baseline), None, Some(model)];
        let logs = JudgeLog::read(&ledger, &ids, Detail::Facts).unwrap();
        assert_eq!(logs.iter().map(JudgeLog::len).collect::<Vec<_>>(), [4, 0, 3]);
        assert_eq!(rationale(&logs[2], &Hash::of(b"q1 d1")), None, "words were not asked for");
    });
}

#[test]
fn totals_can_be_of_one_judge_and_of_some_tasks() {
    in_folder(|path| {
        let mut ledger = SqliteLedger::open(path).unwrap();
        let [model, _] = fill(&mut ledger);
        let totals = Totals::read(&ledger, None).unwrap();
        assert_eq!((totals.attempts, totals.judged), (10, 6));
        let totals = Totals::read(&ledger, Some(model)).unwrap();
        assert_eq!(
            (totals.attempts, totals.judged, totals.unusable_attempts(), totals.refused_attempts()),
            (6, 2, 2, 1)
        );
        assert_eq!(totals.prompt_tokens.total, 5 * 812);
        assert_eq!(totals.models["gpt-4o-mini-2024-07-18"], 5);
        let totals = {
            let log = log(&ledger, model);
            log.totals_of(log.find(&Hash::of(b"q1 d1")))
        };
        assert_eq!((totals.attempts, totals.judged, totals.failed_attempts()), (2, 1, 1));
        assert_eq!(totals.latency.map(|latency| latency.p95_ms), Some(734));
    });
}

/// Simulates a read-only folder: SQLite cannot create the file through which it reads a file in WAL mode.
fn seal(path: &Path) {
    fs_err::create_dir(path.with_extension("sqlite-shm")).unwrap();
}

#[test]
fn a_ledger_in_a_folder_that_cannot_be_written_is_read_as_it_is() {
    for name in ["ledger.sqlite", "odd ?name#with%20signs.sqlite"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fill(&mut SqliteLedger::open(&path).unwrap());
        seal(&path);
        let mut expected = MemoryLedger::default();
        fill(&mut expected);
        let ledger = SqliteLedger::open_read_only(&path).unwrap();
        assert_eq!(all(&ledger), expected.attempts());
        assert_eq!(ledger.path(), path);
    }
}
