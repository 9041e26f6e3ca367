//! Export and import.

use llull_core::{Attempt, ComparedVerdict, Outcome, Verdict};
use llull_store::{
    ImportSummary, LedgerReader, LedgerWriter, MemoryLedger, SqliteLedger, StoreError, copy, export, import,
};
use serde_json::Value;

use crate::facts::{
    all, attempt, compared, comparison, fill, fill_adjusted, fill_compared, fill_counted, graded, spec,
    unusable,
};

/// An export that version 1 wrote.
const V1: &str = include_str!("../fixtures/v1.jsonl");

/// An export that version 2 wrote.
const V2: &str = include_str!("../fixtures/v2.jsonl");

/// An export that version 3 wrote.
const V3: &str = include_str!("../fixtures/v3.jsonl");

/// An export that version 4 wrote.
const V4: &str = include_str!("../fixtures/v4.jsonl");

/// An earlier export with the current header.
fn as_written_now(earlier: &str) -> Vec<Value> {
    let end = earlier.find('\n').unwrap();
    lines(&format!("{{\"llull_ledger\":4}}{}", &earlier[end..]))
}

fn lines(export: &str) -> Vec<Value> {
    export.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn exported(ledger: &dyn LedgerReader) -> String {
    let mut lines = Vec::new();
    export(ledger, &mut lines).unwrap();
    String::from_utf8(lines).unwrap()
}

#[test]
fn an_export_of_version_1_is_read_and_nothing_but_its_header_would_change() {
    let mut ledger = MemoryLedger::default();
    let summary = import(V1.as_bytes(), &mut ledger).unwrap();
    assert_eq!(summary, ImportSummary { judges: 2, added: 10, already_there: 0 });
    let mut expected = MemoryLedger::default();
    fill(&mut expected);
    assert_eq!(ledger.attempts(), expected.attempts());
    assert_eq!(lines(&exported(&ledger)), as_written_now(V1));
}

#[test]
fn an_export_of_version_2_is_read_and_nothing_but_its_header_would_change() {
    let mut ledger = MemoryLedger::default();
    let summary = import(V2.as_bytes(), &mut ledger).unwrap();
    assert_eq!(summary, ImportSummary { judges: 3, added: 14, already_there: 0 });
    let mut expected = MemoryLedger::default();
    fill_compared(&mut expected);
    assert_eq!(ledger.attempts(), expected.attempts());
    assert_eq!(lines(&exported(&ledger)), as_written_now(V2));
}

#[test]
fn an_export_of_version_3_is_read_and_nothing_but_its_header_would_change() {
    let mut ledger = MemoryLedger::default();
    let summary = import(V3.as_bytes(), &mut ledger).unwrap();
    assert_eq!(summary, ImportSummary { judges: 3, added: 15, already_there: 0 });
    let mut expected = MemoryLedger::default();
    fill_adjusted(&mut expected);
    assert_eq!(ledger.attempts(), expected.attempts());
    assert_eq!(lines(&exported(&ledger)), as_written_now(V3));
}

#[test]
fn an_export_of_version_4_is_read_and_still_written() {
    let mut ledger = MemoryLedger::default();
    let summary = import(V4.as_bytes(), &mut ledger).unwrap();
    assert_eq!(summary, ImportSummary { judges: 3, added: 16, already_there: 0 });
    let mut expected = MemoryLedger::default();
    fill_counted(&mut expected);
    assert_eq!(ledger.attempts(), expected.attempts());
    assert_eq!(lines(&exported(&ledger)), lines(V4));
}

#[test]
fn importing_twice_adds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = SqliteLedger::open(folder.path().join("ledger.sqlite")).unwrap();
    assert_eq!(import(V1.as_bytes(), &mut ledger).unwrap().added, 10);
    let again = import(V1.as_bytes(), &mut ledger).unwrap();
    assert_eq!(again, ImportSummary { judges: 2, added: 0, already_there: 10 });
    assert_eq!(lines(&exported(&ledger)), as_written_now(V1));
}

#[test]
fn alike_attempts_are_counted_not_merged() {
    let mut ledger = MemoryLedger::default();
    let judge = ledger.register("j", &spec("m")).unwrap();
    let twice = (judge, attempt("q", "d", unusable(llull_core::Reason::Empty)));
    ledger.append(&[twice.clone(), twice.clone()]).unwrap();
    let lines = exported(&ledger);
    assert_eq!(import(lines.as_bytes(), &mut ledger).unwrap().added, 0);
    let mut other = MemoryLedger::default();
    other.register("j", &spec("m")).unwrap();
    other.append(&[twice]).unwrap();
    let summary = import(lines.as_bytes(), &mut other).unwrap();
    assert_eq!((summary.added, summary.already_there), (1, 1));
}

#[test]
fn a_copy_is_completed_and_replaces_nothing() {
    let (mut source, mut part, mut other) =
        (MemoryLedger::default(), MemoryLedger::default(), MemoryLedger::default());
    let judge = fill(&mut source)[0];
    import(V1.as_bytes(), &mut other).unwrap();
    let more = (judge, attempt("q", "only here", graded(1)));
    for ledger in [&mut source, &mut part] {
        ledger.register("j", &spec("another")).unwrap();
    }
    let copied = copy(&source, &mut part).unwrap();
    assert_eq!((copied.added, copied.already_there), (10, 0));
    assert_eq!(all(&part).len(), 10);
    source.append(std::slice::from_ref(&more)).unwrap();
    let copied = copy(&source, &mut part).unwrap();
    assert_eq!((copied.added, copied.already_there), (1, 10));
    other.append(&[more.clone(), more]).unwrap();
    let before = all(&other);
    assert!(matches!(copy(&source, &mut other), Err(StoreError::OtherAttempts(1))));
    assert_eq!(all(&other), before);
}

#[test]
fn judges_are_matched_by_what_they_are_not_by_number() {
    let mut ledger = MemoryLedger::default();
    ledger.register("first", &spec("another model")).unwrap();
    let model = ledger.register("mine", &spec("openai/gpt-4o-mini")).unwrap();
    import(V1.as_bytes(), &mut ledger).unwrap();
    assert_eq!(ledger.judges().unwrap().len(), 3);
    assert_eq!(crate::facts::log(&ledger, model).len(), 3);
}

#[test]
fn a_bad_line_is_named_and_nothing_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = SqliteLedger::open(folder.path().join("ledger.sqlite")).unwrap();
    let lines: Vec<&str> = V1.lines().collect();
    let cut_off = V1[..V1.len() - 20].to_owned();
    let with = |line: &str| format!("{V1}\n{line}\n");
    let off_scale = lines[4].replace("\"grade\":3", "\"grade\":4");
    assert_ne!(off_scale, lines[4]);
    for (text, line, problem) in [
        (cut_off, 13, "expected a judge or an attempt"),
        (with("{\"attempt\":{\"judge\":1}}"), 15, "missing field `fact`"),
        (with("{\"comment\":1}"), 15, "unknown variant `comment`"),
        (with("[1"), 15, "expected a judge or an attempt"),
        (with(lines[0]), 15, "second header"),
        (with(lines[1]), 15, "described twice"),
        (with(&off_scale), 15, "grade 4 is not on the judge's scale, 0 to 3"),
        (format!("{}\n{}\n", lines[0], lines[3]), 2, "judge 1 is not described"),
        (lines[1..].join("\n"), 1, "not a ledger export"),
        (V1.replacen("\"llull_ledger\":1", "\"llull_ledger\":5", 1), 1, "version 5"),
        (V1.replacen("\"llull_ledger\":1", "\"llull_ledger\":0", 1), 1, "version 0"),
        ("\n\n".into(), 1, "the file is empty"),
    ] {
        match import(text.as_bytes(), &mut ledger) {
            Err(StoreError::Line { line: at, problem: what }) => {
                assert_eq!(at, line, "{what}");
                assert!(what.contains(problem), "{what:?} does not say {problem:?}");
            }
            other => panic!("{problem}: {other:?}"),
        }
        assert_eq!(all(&ledger), []);
        assert_eq!(ledger.judges().unwrap(), []);
    }
    assert_eq!(import(V1.as_bytes(), &mut ledger).unwrap().added, 10, "a refusal leaves the ledger usable");
}

#[test]
fn an_order_that_is_none_is_refused_with_its_line() {
    let three = |order: &[&[u16]]| comparison(&["a", "b", "c"], compared(order));
    let with = |change: &dyn Fn(&mut Attempt)| {
        let mut attempt = three(&[&[1], &[0]]);
        change(&mut attempt);
        attempt
    };
    let probable = |probabilities| {
        let order = vec![vec![0]];
        let verdict = ComparedVerdict { order, probabilities, rationale: String::new() };
        comparison(&["a", "b"], Outcome::Judged { verdict: Verdict::Compared(verdict) })
    };
    for (attempt, problem) in [
        (three(&[&[0], &[3]]), "the order has position 3, but only 3 documents were shown"),
        (three(&[&[0], &[1, 0]]), "position 0 occurs twice in the order"),
        (with(&|attempt| attempt.documents.clear()), "0 documents were shown"),
        (with(&|attempt| attempt.document = "b".into()), "the first of documents is \"a\""),
        (with(&|attempt| attempt.answer.outcome = graded(1)), "a grade is for one document"),
        (three(&[]), "no place at all"),
        (three(&[&[0], &[]]), "a place without a document"),
        (probable(vec![0.5]), "there are 1 probabilities for 2 documents"),
        (probable(vec![1.5, -0.5]), "are not probabilities"),
        (probable(vec![0.75, 0.5]), "are not probabilities"),
    ] {
        // `append` does not check.
        let mut ledger = MemoryLedger::default();
        let judge = ledger.register("j", &spec("m")).unwrap();
        ledger.append(&[(judge, three(&[&[2]])), (judge, attempt)]).unwrap();
        match import(exported(&ledger).as_bytes(), &mut MemoryLedger::default()) {
            Err(StoreError::Line { line: 4, problem: what }) if what.contains(problem) => {}
            other => panic!("{problem}: {other:?}"),
        }
    }
}

#[test]
fn prices_survive_the_way_through_text() {
    let mut ledger = MemoryLedger::default();
    let judge = ledger.register("j", &spec("m")).unwrap();
    // serde_json's fast parser reads this value with one wrong bit.
    for cost in [0.1 + 0.2, 1.0 / 3.0 * 1e-5, 5e-324, 123_456_789.123_456_78] {
        let mut attempt = attempt("q", "d", graded(1));
        attempt.answer.cost_usd = Some(cost);
        ledger.append(&[(judge, attempt)]).unwrap();
    }
    let lines = exported(&ledger);
    assert_eq!(import(lines.as_bytes(), &mut ledger).unwrap().added, 0);
}

/// An 8 GB line inside a small compressed file took all memory.
#[test]
fn a_line_without_end_is_refused() {
    let endless = std::io::BufReader::new(std::io::repeat(b'x'));
    let error = import(endless, &mut MemoryLedger::default()).unwrap_err();
    assert!(error.to_string().contains("line 1: it is longer than 64 MiB"), "{error}");
}
