//! Tests qrels: forms and refusals.

use llull_core::GRADE_PARTS;
use llull_data::{
    QrelsNotes, ReadQrelsOptions, Repeat, RowPlace, read_qrels, read_qrels_jg, read_qrels_order_with,
    read_qrels_with, write_qrels, write_sourced_qrels,
};

use crate::{file, fixture, message};

#[test]
fn trec_and_beir_labels_are_read() {
    let read = read_qrels(fixture("labels.qrels")).unwrap();
    let grades = ["d1", "d2", "d3"].map(|document| read.qrels.grade("q1", document));
    assert_eq!(grades, [Some(2), Some(-1), None]);
    assert_eq!((read.qrels.grade("q2", "d1"), read.qrels.pairs()), (Some(0), 3));
    let first = Repeat { place: RowPlace::Line(6), topic: "q1".into(), document: "d1".into() };
    assert_eq!(
        read.notes,
        QrelsNotes { lines: 4, repeats: 1, first_repeat: Some(first), ..QrelsNotes::default() }
    );

    let read = read_qrels(fixture("beir/qrels/test.tsv")).unwrap();
    assert_eq!((read.qrels.grade("1", "d1"), read.qrels.grade("1", "d2")), (Some(1), Some(0)));
    assert_eq!(read.notes.lines, 2, "the header is no label");
}

#[test]
fn a_wrong_line_is_named() {
    let fails = |name| message(read_qrels(fixture(name)).unwrap_err());
    assert_eq!(
        fails("conflict.qrels"),
        "conflict.qrels lines 1 and 3: document d1 of query q1 is graded 2 and then 1. Keep one of them, or say \
         which counts (--repeats first, last, median or votes). If the second column names \
         judges, read the file as qrels_jg"
    );
    assert_eq!(
        fails("fraction.qrels"),
        "fraction.qrels line 2, column 4 (grade): found \"0.5\", expected a whole number, such as 0, 2 or -1. \
         Scale the grades to whole numbers, or round them (--round)"
    );
    assert_eq!(
        fails("odd.run"),
        "odd.run line 1: found 6 columns, expected the four of qrels: qid iter docid grade. \
         Six columns are those of a run: is this the system's results?"
    );
    let (_folder, path) = file("q1 0 d1 2\nq1 d1 2\n");
    let error = read_qrels(&path).unwrap_err().to_string();
    assert!(error.contains("line 2: found 3 columns") && error.contains("if all lines have them"), "{error}");
    let (_folder, path) = file("query-id\tcorpus-id\tscore\nq1 0 d1 2\n");
    let error = read_qrels(&path).unwrap_err().to_string();
    assert!(error.contains("line 2: found 4 columns, expected the three of BEIR's"), "{error}");
    let (_folder, path) = file("q1 0 d1 1e2\n");
    let said = read_qrels(&path).unwrap_err().to_string();
    assert!(said.contains("in digits") && said.contains("100") && !said.contains("2147483647"), "{said}");
    let (_folder, path) = file("q1 0 d1 99999999999\n");
    assert!(read_qrels(&path).unwrap_err().to_string().contains("column 4 (grade)"));
}

#[test]
fn whole_numbers_may_be_written_as_decimals() {
    let (_folder, path) = file("q1 0 d1 2.0\nq1 0 d2 -1.00\nq1 0 d1 2\n");
    let read = read_qrels(&path).unwrap();
    assert_eq!((read.qrels.grade("q1", "d1"), read.qrels.grade("q1", "d2")), (Some(2), Some(-1)));
    assert_eq!((read.notes.lines, read.notes.repeats), (3, 1));
}

#[test]
fn fractions_are_numbered_in_their_order_where_nothing_else_counts() {
    let text = "q1 0 d1 0.25\nq1 0 d2 1.5\nq1 0 d3 0.0\nq2 0 d1 3\nq2 0 d2 -1\nq2 0 d3 -0.5\nq2 0 d4 .250\n\
        q1 0 d1 25e-2\n";
    let (_folder, path) = file(text);
    let read = read_qrels_order_with(&path, &ReadQrelsOptions::default()).unwrap();
    let grades = |topic, documents: &[&str]| -> Vec<_> {
        documents.iter().map(|document| read.qrels.grade(topic, document).unwrap()).collect()
    };
    assert_eq!(grades("q1", &["d1", "d2", "d3"]), [1, 2, 0]);
    assert_eq!(grades("q2", &["d1", "d2", "d3", "d4"]), [3, -1, 0, 1]);
    assert_eq!((read.notes.levels, read.notes.lines, read.notes.repeats), (Some(3), 8, 1));

    let (_folder, path) = file("q1 0 d1 7\nq1 0 d2 3.0\nq1 0 d3 -2\n");
    let whole = read_qrels_order_with(&path, &ReadQrelsOptions::default()).unwrap();
    assert_eq!(whole, read_qrels(&path).unwrap(), "whole numbers stay what they are");

    for (text, expected) in [
        ("q1 0 d1 0.5\nq1 0 d1 0.25\n", "lines 1 and 2: document d1 of query q1 is graded 0.5 and then 0.25"),
        ("q1 0 d1 inf\n", "line 1, column 4 (grade): found \"inf\", expected a number, such as 0, 2 or 0.25"),
    ] {
        let (_folder, path) = file(text);
        let error = read_qrels_order_with(&path, &ReadQrelsOptions::default()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// trec_eval ignores the second column.
#[test]
fn the_mean_of_a_panel_stands_in_the_second_column() {
    let text = b"q1 mean=1.333333 a 1\nq1 0 b 2\nq1 mean=2 c nan\nq1 0 c 1\nq2 mean=0.5 a 0\n";
    let (_folder, path) = file(text);
    let read = read_qrels(&path).unwrap().qrels;
    let parts = read.in_parts().unwrap();
    let means = [("q1", "a"), ("q1", "b"), ("q2", "a")].map(|(query, id)| parts.grade(query, id));
    assert_eq!(means, [4 * GRADE_PARTS / 3, 2 * GRADE_PARTS, GRADE_PARTS / 2].map(Some));
    assert_eq!(
        (read.grade("q1", "a"), read.pairs(), parts.grade("q1", "c")),
        (Some(1), 4, Some(GRADE_PARTS))
    );
    let mut written = Vec::new();
    write_qrels(&read, &mut written).unwrap();
    assert_eq!(written, b"q1 mean=1.333333 a 1\nq1 0 b 2\nq1 0 c 1\nq2 mean=0.5 a 0\n");
    let (_folder, path) = file(&written);
    assert_eq!(read_qrels_jg(&path).unwrap().judges.keys().collect::<Vec<_>>(), ["0"]);
    let mut written = Vec::new();
    write_sourced_qrels(&read, |_, _| "judges", &mut written).unwrap();
    assert!(written.starts_with(b"q1 judges;mean=1.333333 a 1\nq1 judges b 2\n"));
    let (_folder, path) = file(&written);
    assert_eq!(read_qrels(&path).unwrap().qrels, read);
    assert_eq!(read_qrels_jg(&path).unwrap().judges.keys().collect::<Vec<_>>(), ["judges"]);
    let (_folder, path) = file("q1 mean=x a 1\n");
    let error = read_qrels(&path).unwrap_err().to_string();
    assert!(error.contains("line 1") && error.contains("\"x\""), "{error}");
}

#[test]
fn a_grade_that_was_chosen_of_several_has_no_mean_and_neither_has_one_that_was_numbered() {
    let (_folder, path) = file("q1 mean=2.666667 d1 3\nq1 0 d1 0\nq1 mean=1.5 d2 2\n");
    let repeats = Some(llull_data::RepeatedGrades::Last);
    let read = read_qrels_with(&path, &ReadQrelsOptions { repeats, ..ReadQrelsOptions::default() }).unwrap();
    let parts = read.qrels.in_parts().unwrap();
    assert_eq!((parts.grade("q1", "d1"), parts.grade("q1", "d2")), (Some(0), Some(3 * GRADE_PARTS / 2)));
    assert_eq!(read.notes.means, 2);
    let (_folder, path) = file("q1 mean=0.5 a 0.5\nq1 0 b 0.25\n");
    let read = read_qrels_order_with(&path, &ReadQrelsOptions::default()).unwrap();
    assert!(!read.qrels.has_means());
}

/// Dropped pairs read back as dropped, and to trec_eval they are pairs in no pool.
#[test]
fn dropped_pairs_read_back() {
    let text = b"q1 0 a 1\nq1 dropped b -1\nq2 0 a -1\nq2 dropped c 0\nq3 dropped a -1\n";
    let (_folder, path) = file(text);
    let read = read_qrels(&path).unwrap();
    let dropped: Vec<_> = read.qrels.dropped().collect();
    assert_eq!(dropped, [("q1", "b"), ("q3", "a")]);
    assert_eq!((read.qrels.grade("q2", "a"), read.qrels.grade("q2", "c")), (Some(-1), Some(0)));
    assert_eq!((read.qrels.len(), read.qrels.pairs(), read.qrels.most_dropped()), (2, 3, 1));
    assert_eq!(read_qrels_order_with(&path, &ReadQrelsOptions::default()).unwrap().qrels, read.qrels);
    let mut written = Vec::new();
    write_qrels(&read.qrels, &mut written).unwrap();
    let written = String::from_utf8(written).unwrap();
    assert_eq!(
        written, "q1 0 a 1\nq1 dropped b -1\nq2 0 a -1\nq2 0 c 0\n",
        "q3 would have no relevant document"
    );
    let judges = read_qrels_jg(&path).unwrap().judges;
    assert_eq!(judges.keys().collect::<Vec<_>>(), ["0", "dropped"], "a grade of 0 is somebody's");
    assert!(judges["0"].dropped().eq([("q1", "b"), ("q3", "a")]));
    let (_folder, path) = file(b"q1 dropped a -1\nq1 0 a 1\n");
    for error in [read_qrels(&path).unwrap_err().to_string(), read_qrels_jg(&path).unwrap_err().to_string()] {
        assert!(error.contains("document a of query q1 is graded 1, and dropped"), "{error}");
    }
}
