//! Tests topics: forms and refusals.

use llull_core::{Topic, Topics};
use llull_data::{Columns, read_topics, read_topics_file};

use crate::{file, fixture, message};

fn topics(pairs: &[(&str, &str)]) -> Topics {
    pairs.iter().map(|(id, text)| Topic { id: (*id).into(), text: (*text).into() }).collect()
}

#[test]
fn tsv_json_lines_and_beir_are_read() {
    let expected = topics(&[("1", "How long is a lease held?"), ("2", "What ends a watch?")]);
    assert_eq!(read_topics(fixture("topics.tsv")).unwrap(), expected);
    assert_eq!(read_topics(fixture("topics-header.tsv")).unwrap(), expected);
    let expected = topics(&[("1", "How long is a lease held?"), ("2", "What \"ends\" a watch?")]);
    assert_eq!(read_topics(fixture("topics.jsonl")).unwrap(), expected);
    let expected = topics(&[("1", "How long is a lease held?")]);
    assert_eq!(read_topics(fixture("beir")).unwrap(), expected);
}

#[test]
fn a_wrong_line_is_named() {
    assert_eq!(
        message(read_topics(fixture("topics-twice.tsv")).unwrap_err()),
        "topics-twice.tsv lines 1 and 3: both are query 1. Give each query its own identifier"
    );
    for (content, expected) in [
        ("1\tone\n2\t \n", "line 2: found no query, expected a value for query in every row"),
        ("1 one\n", "line 1: found \"1 one\", expected a header with query, JSON, or lines of id<TAB>text"),
        ("1\tone\ttwo\n", "line 1: found \"1\\tone\\ttwo\", expected a header with query, JSON, or lines"),
        ("<top>\n", "line 1: found <top> without an end, expected </top> before the next one"),
        ("<top><num>1<desc>d</top>", "line 1: found no column for query among \"num\", \"desc\""),
        (
            "<top><num>1<title>a</top>\n<top><title>b</top>",
            "line 2: found no id, expected a value for id in every row",
        ),
        ("[\n{\"_id\": 1}\n]\n", "at [0]: found no query, expected a value for query"),
        ("\tone\n", "line 1: found no id, expected a value for id in every row"),
        ("{\"_id\": \"1\"}\n", "line 1: found no column for query among \"_id\""),
        ("1\tone\n2\ta\tb\n", "line 2: found 3 columns, expected two, id<TAB>text. Replace the tab"),
        (
            "\n{\"_id\": \"1\", \"text\": \"on",
            "line 2: found the end of the text inside a JSON value, expected a query in each entry. Is",
        ),
        ("", "there is no query in it"),
        ("qid\tquery\n", "there is no query in it"),
    ] {
        let (_folder, path) = file(content);
        let error = read_topics(&path).unwrap_err().to_string();
        assert!(error.contains(expected), "{content:?}: {error}");
    }
    let error = message(read_topics(fixture("beir/qrels")).unwrap_err());
    assert!(error.starts_with("beir/qrels: there is no queries.jsonl in it"), "{error}");
}

#[test]
fn a_field_of_a_query_that_is_not_read_is_noticed() {
    let line = r#"{"_id":"q1","text":"who","expected_answers":["she"],"metadata":{}}"#;
    let (_folder, path) = file(format!("{line}\n"));
    let unread = read_topics_file(&path, &Columns::default()).unwrap().table.unread;
    assert_eq!(unread.iter().map(|field| &*field.name).collect::<Vec<_>>(), ["expected_answers"]);
}
