//! Tests runs: forms, refusals and remarks.

use llull_core::Run;
use llull_data::{
    ContradictionKind, DataError, ReadRunOptions, Repeat, RowPlace, RunNotes, locate, read_run,
};

use crate::{file, fixture, message};

fn order(run: &Run, topic: &str) -> Vec<(String, f64)> {
    run.ranking(topic).unwrap().iter().map(|hit| (hit.document.to_owned(), hit.score)).collect()
}

fn hits(expected: &[(&str, f64)]) -> Vec<(String, f64)> {
    expected.iter().map(|(document, score)| ((*document).to_owned(), *score)).collect()
}

#[test]
fn unusual_but_legal_lines_are_read() {
    let read = read_run(fixture("odd.run"), &ReadRunOptions::default()).unwrap();
    assert_eq!(read.run.name, "bm25");
    assert_eq!(order(&read.run, "q1"), hits(&[("d3", f64::INFINITY), ("d2", 10.0), ("d1", 7.5)]));
    assert_eq!(order(&read.run, "q2"), hits(&[("d1", -3.25), ("d3", f64::NEG_INFINITY)]));
    assert_eq!(read.run.iter().map(|(topic, _)| topic).collect::<Vec<_>>(), ["q1", "q2"]);
    let queries = read.notes.contradiction.as_ref().map(|found| (found.kind, found.queries));
    assert_eq!(queries, Some((ContradictionKind::OtherOrder, 2)), "its ranks are those of no order by score");
    assert_eq!(
        read.notes,
        RunNotes { lines: 5, contradiction: read.notes.contradiction.clone(), ..RunNotes::default() }
    );
}

#[test]
fn without_a_tag_the_run_is_named_after_its_file() {
    let options = ReadRunOptions::default();
    let read = read_run(fixture("five-columns-bom.run"), &options).unwrap();
    assert_eq!(read.run.name, "five-columns-bom");
    assert_eq!(order(&read.run, "q1"), hits(&[("d1", 2.0), ("d2", 1.0)]));
    let options = ReadRunOptions { name: Some("mine".into()), ..options };
    assert_eq!(read_run(fixture("odd.run"), &options).unwrap().run.name, "mine");
}

#[test]
fn of_a_repeated_document_the_better_place_is_kept_and_it_is_counted() {
    for depth in [None, Some(2)] {
        let read = read_run(
            fixture("duplicates.run"),
            &ReadRunOptions { depth, name: None, ..ReadRunOptions::default() },
        )
        .unwrap();
        assert_eq!(order(&read.run, "q1"), hits(&[("d1", 5.0), ("d2", 2.0)]));
        assert_eq!(read.notes.duplicates, 2, "one within a block, one across blocks");
        let first = Repeat { place: RowPlace::Line(3), topic: "q1".into(), document: "d1".into() };
        assert_eq!(read.notes.first_duplicate, Some(first));
    }
}

#[test]
fn a_wrong_line_is_named() {
    let options = ReadRunOptions::default();
    let fails = |name| message(read_run(fixture(name), &options).unwrap_err());
    assert_eq!(
        fails("nan.run"),
        "nan.run line 3, column 5 (score): found \"NaN\", expected a number, such as 12.5, -3 or 1e-7. \
         A document without a score cannot be ranked: remove the line, or give it the lowest score"
    );
    assert_eq!(
        fails("nine-columns.run"),
        "nine-columns.run line 2: found 9 columns, expected the six of a run: qid Q0 docid rank score tag. \
         A tag is one word, and no identifier may hold white space"
    );
    assert_eq!(
        fails("labels.qrels"),
        "labels.qrels line 1: found 4 columns, expected the six of a run: qid Q0 docid rank score tag. \
         Four columns are those of qrels: is this a file of labels?"
    );
    let (_folder, path) = file(b"q1 Q0 d1 1 3 a\nq1 Q0 d\xff 2 2 a\n");
    let error = read_run(&path, &options).unwrap_err().to_string();
    assert!(error.contains("line 2: found a byte that is not UTF-8 at position 8"), "{error}");
}

/// trec_eval reads past the tag; a blank within an identifier looks much the same.
#[test]
fn words_behind_the_tag_are_counted_and_blanks_in_identifiers_refused() {
    let (_folder, path) =
        file("q1 Q0 d1 1 3 t\nq1\tQ0\td2\t2\t2.5\tSTANDARD more junk at\n\nq1 Q0 d3 3 1 t end\n");
    let read = read_run(&path, &ReadRunOptions::default()).unwrap();
    assert_eq!(order(&read.run, "q1"), hits(&[("d1", 3.0), ("d2", 2.5), ("d3", 1.0)]));
    assert_eq!(
        read.notes,
        RunNotes { lines: 3, trailing: 2, first_trailing: Some(2), ..RunNotes::default() }
    );
    for line in [
        "q1 Q0 doc 1 1 12.5 tag",
        "q1 Q0 doc b 1 12.5 tag",
        "q1 Q0 my long doc 1 12.5 tag",
        "q 1 Q0 d1 1 12.5 tag",
        "q1 Q0 doc 7 1 12.5 tag of words",
        "q1 Q0 d1 - 12.5 tag of words",
    ] {
        let (_folder, path) = file(format!("q1 Q0 d1 1 3 t\n{line}\n"));
        let error = read_run(&path, &ReadRunOptions::default()).unwrap_err().to_string();
        assert!(
            error.contains("line 2: found ") && error.contains("no identifier may hold white space"),
            "{error}"
        );
    }
}

#[test]
fn an_empty_run_is_a_run_and_a_missing_one_is_not() {
    let (_folder, path) = file("# nothing found\n\n");
    let read = read_run(&path, &ReadRunOptions::default()).unwrap();
    assert!(read.run.is_empty());
    assert_eq!((read.run.name.as_str(), read.notes.lines), ("file", 0));
    assert!(matches!(read_run(path.join("x"), &ReadRunOptions::default()), Err(DataError::File(_))));
}

#[test]
fn a_comment_may_be_indented() {
    let (_folder, path) = file("q1 Q0 d1 1 3 t\n  # q2 Q0 d2 1 2\n\t#\nq1 Q0 d#2 2 2 t\n");
    let read = read_run(&path, &ReadRunOptions::default()).unwrap();
    assert_eq!(order(&read.run, "q1"), hits(&[("d1", 3.0), ("d#2", 2.0)]));
    assert_eq!((read.run.len(), read.notes.lines), (1, 2));
}

#[test]
fn topics_whose_lines_are_scattered_are_put_together() {
    let mut text = String::new();
    for document in 0..300 {
        for topic in 0..7 {
            text += &format!("q{topic} Q0 d{document} 0 {} t\n", (document * 37 + topic) % 101);
        }
    }
    let (_folder, path) = file(&text);
    let all = read_run(&path, &ReadRunOptions::default()).unwrap();
    assert_eq!(all.notes.duplicates, 0);
    for topic in 0..7 {
        let expected: Vec<_> =
            (0..300).map(|d| (format!("d{d}"), f64::from((d * 37 + topic) % 101))).collect();
        let expected = llull_core::Ranking::from_scored(
            expected.iter().map(|(document, score)| (document.as_str(), *score)),
        );
        assert_eq!(all.run.ranking(&format!("q{topic}")), Some(&expected));
    }
}

#[test]
fn a_depth_bounds_even_a_topic_of_very_many_lines() {
    let lines = 150_000;
    let text: String =
        (0..lines).map(|number| format!("q Q0 d{number:06} 0 {} t\n", (number * 7919) % lines)).collect();
    let (_folder, path) = file(&text);
    let all = read_run(&path, &ReadRunOptions::default()).unwrap();
    let top = read_run(&path, &ReadRunOptions { depth: Some(10), name: None, ..ReadRunOptions::default() })
        .unwrap();
    assert_eq!(all.run.ranking("q").unwrap().len(), lines);
    assert_eq!(order(&top.run, "q"), order(&all.run, "q")[..10]);
    assert_eq!((top.notes.lines, top.notes.duplicates), (lines as u64, 0));
}

#[test]
fn lines_are_found_again() {
    assert_eq!(locate(fixture("odd.run"), "q2", None), Some(5));
    assert_eq!(locate(fixture("odd.run"), "q1", Some("d3")), Some(7));
    assert_eq!(locate(fixture("odd.run"), "q1", Some("d9")), None);
    assert_eq!(locate(fixture("labels.qrels"), "q1", Some("d2")), Some(2));
    assert_eq!(locate(fixture("beir/qrels/test.tsv"), "1", Some("d2")), Some(3));
    assert_eq!(locate(fixture("no.such.file"), "1", None), None);
}

#[test]
fn a_run_is_visited_query_by_query_unless_a_query_comes_back() {
    let visit = |path: &std::path::Path| {
        let options = ReadRunOptions { depth: Some(2), ..ReadRunOptions::default() };
        llull_data::visit_run(path, &options, true, |topic, ranking| (topic.to_owned(), ranking.len()))
            .unwrap()
    };
    let (_folder, path) = file("q2 Q0 d1 1 3 t\nq2 Q0 d2 2 2 t\nq2 Q0 d3 3 1 t\nq1 Q0 d1 1 3 t\n");
    let visited = visit(&path).unwrap();
    let made: Vec<_> = visited.topics.iter().map(|(topic, made)| (topic.as_str(), made.1)).collect();
    assert_eq!((visited.name.as_str(), made, visited.notes.lines), ("t", vec![("q2", 2), ("q1", 1)], 4));
    let (_folder, path) = file("q2 Q0 d1 1 3 t\nq1 Q0 d1 1 3 t\nq2 Q0 d2 2 2 t\n");
    assert!(visit(&path).is_none());
    assert!(visit(std::path::Path::new("-")).is_none(), "it could not be read again");
}
