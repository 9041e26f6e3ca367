//! Qrels of several judges in one file.

use indexmap::IndexMap;
use llull_core::Qrels;
use llull_data::{RowPlace, read_qrels, read_qrels_jg, write_sourced_qrels};
use proptest::prelude::*;

use crate::{complaint, file};

#[test]
fn the_second_column_is_the_judge() {
    let (_folder, path) =
        file("# two\nq1 ann d1 1\n q1\tbob d1 0\n\nq1 ann d2 -1\nq2 bob d1 2\nq1 ann d1 1\n");
    let read = read_qrels_jg(&path).unwrap();
    assert_eq!(read.judges.keys().collect::<Vec<_>>(), ["ann", "bob"]);
    let (ann, bob) = (&read.judges["ann"], &read.judges["bob"]);
    assert_eq!((ann.grade("q1", "d1"), ann.grade("q1", "d2"), ann.pairs()), (Some(1), Some(-1), 2));
    assert_eq!((bob.grade("q1", "d1"), bob.grade("q2", "d1")), (Some(0), Some(2)));
    assert!(ann.topic("q2").is_none(), "what a judge did not judge is not theirs");
    assert_eq!(
        (read.notes.lines, read.notes.repeats, read.notes.first_repeat.unwrap().place),
        (5, 1, RowPlace::Line(7))
    );
    // the same file for one judge contradicts itself
    assert!(
        read_qrels(&path).unwrap_err().to_string().contains("document d1 of query q1 is graded 1 and then 0")
    );
}

#[test]
fn sources_are_a_column_that_readers_of_qrels_skip() {
    let (_folder, path) = file("q1 0 d1 1\nq1 0 d2 0\n");
    let qrels = read_qrels(&path).unwrap().qrels;
    let mut bytes = Vec::new();
    let source = |_: &str, document: &str| if document == "d1" { "human" } else { "gpt" };
    write_sourced_qrels(&qrels, source, &mut bytes).unwrap();
    let (_folder, written) = file(std::str::from_utf8(&bytes).unwrap());
    assert_eq!(read_qrels(&written).unwrap().qrels, qrels);
    assert_eq!(read_qrels_jg(&written).unwrap().judges["human"].grade("q1", "d1"), Some(1));
    assert!(write_sourced_qrels(&qrels, |_, _| "gpt 4o", &mut Vec::new()).is_err());
}

#[test]
fn a_wrong_line_is_named() {
    let fails = |text| complaint(read_qrels_jg, text);
    assert_eq!(
        fails("q a d 1\nq a d\n"),
        "line 2: found 3 columns, expected the four of qrels_jg: qid judge docid grade. \
         Three columns do not name a judge: is this a file of one judge?"
    );
    assert!(
        fails("q a d 1.5\n").starts_with("line 1, column 4 (grade): found \"1.5\", expected a whole number")
    );
    assert!(fails("q a d 1\nq b d 0\nq a d 0\n").starts_with(
        "line 3 and a line before it: judge a grades document d of query q 1 and then 0. Keep one of them"
    ));
}

/// The documents would be called 0 and 2, and their judges d1, d2 and d3.
#[test]
fn ir_datasets_order_is_refused() {
    for text in ["q d1 2 0\nq d2 0 0\nq d3 2 0\n", "1 101 0 0\n1 102 0 0\n"] {
        let error = complaint(read_qrels_jg, text);
        assert!(error.starts_with("line 1: found the columns qid docid grade iter"), "{error}");
        assert!(error.contains("print $1, $4, $2, $3"), "{error}");
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    for text in ["q 1 7 1\nq 2 7 0\n", "q 1 7 1\nq 2 8 1\n", "q ann d1 1\nq ben d1 1\n", ""] {
        fs_err::write(file.path(), text).unwrap();
        assert!(read_qrels_jg(file.path()).is_ok(), "{text:?}");
    }
}

fn name() -> impl Strategy<Value = String> {
    "[^\\s\\p{C}#][^\\s\\p{C}]{0,4}"
}

proptest! {
    #[test]
    fn it_reads_back_as_it_was_written(
        judged in proptest::collection::vec((name(), name(), name(), any::<i32>()), 0..40),
    ) {
        let mut judges: IndexMap<String, Qrels> = IndexMap::new();
        for (judge, topic, document, grade) in &judged {
            judges.entry(judge.clone()).or_default().insert(topic, document, *grade);
        }
        let mut text = String::new();
        for (judge, qrels) in &judges {
            for (topic, documents) in qrels.iter() {
                for (document, grade) in documents {
                    text += &format!("{topic} {judge} {document} {grade}\n");
                }
            }
        }
        let (_folder, path) = file(text.as_bytes());
        prop_assert_eq!(read_qrels_jg(&path).unwrap().judges, judges);
    }
}
