//! A dataset of either form.

use std::{
    io::{Cursor, Read as _},
    path::Path,
};

use super::{csv_form, expected::EvaluationDataset, json_form};
use crate::{DataError, LineError, error::shown_path, lines::Lines, open::open};

/// Reads a dataset of evret's form. JSON, known by its first character: `{"queries": [...], "documents": [...]}`; a
/// query has `query_id` (or `id`), `query_text` (or `query`), and lists `expected_answers` and `expected_doc_ids` (or
/// `relevant_doc_ids`); a document `doc_id` and `text`. CSV: a header with `query_text` (or `query`), and perhaps
/// `query_id` (or `id`; `q1`, `q2` and so on without it), `expected_answers` and `expected_doc_ids`, which hold JSON
/// lists or values separated by commas. A query may have an `origin`, an object with `synthetic` (in CSV as JSON),
/// which says where it comes from and is kept. Other fields are ignored.
///
/// # Errors
/// Returns an error that names the line and the field if a query has no identifier or text, a list is none, two queries
/// or documents have one identifier, a row has more fields than the header, or there is no query.
pub fn read_dataset(path: impl AsRef<Path>) -> Result<EvaluationDataset, DataError> {
    let path = path.as_ref();
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|error| DataError::io(path, "read", error))?;
    let file = shown_path(path);
    let read = if matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
        let text =
            std::str::from_utf8(&bytes).map_err(|error| not_utf8(&file, &bytes, error.valid_up_to()))?;
        json_form::parse(text, &file)?
    } else {
        csv_form::parse(Lines::over(file.clone(), Box::new(Cursor::new(bytes))))?
    };
    if read.queries.is_empty() {
        let remedy = "It needs {\"queries\": [...]}, or CSV with the columns query_text and expected_answers";
        return Err(DataError::Empty { file, wanted: "query", remedy: remedy.to_owned() });
    }
    Ok(read)
}

fn not_utf8(file: &str, bytes: &[u8], valid: usize) -> DataError {
    let before = bytes.get(..valid).unwrap_or_default();
    DataError::from(LineError {
        file: file.to_owned(),
        line: before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1,
        column: None,
        found: "bytes that are no UTF-8".to_owned(),
        expected: "text in UTF-8".to_owned(),
        remedy: "Save the file as UTF-8".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::{super::expected::ExpectedQuery, *};

    fn read(text: &str) -> Result<EvaluationDataset, DataError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        read_dataset(file.path())
    }

    fn query(id: &str, text: &str, answers: &[&str], documents: &[&str]) -> ExpectedQuery {
        let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
        ExpectedQuery {
            id: id.into(),
            text: text.into(),
            expected_answers: owned(answers),
            expected_doc_ids: owned(documents),
            origin: None,
        }
    }

    #[test]
    fn json_with_its_aliases() {
        let read = read(
            r#" {"queries": [
                {"query_id": " q1 ", "query_text": "What?", "expected_answers": ["a, b", " ", "a, b", 7], "tags": []},
                {"query_id": "", "id": 2, "query": "Who?", "expected_answers": null, "relevant_doc_ids": ["d1"]},
                {"id": "q3", "query": "When?", "expected_doc_ids": [], "relevant_doc_ids": ["d2", "d2"]}],
              "documents": [{"doc_id": "d1", "text": "one", "metadata": {"x": 1}}, {"doc_id": 5}]}"#,
        )
        .unwrap();
        assert_eq!(
            read.queries,
            [
                query("q1", "What?", &["a, b", "7"], &[]),
                query("2", "Who?", &[], &["d1"]),
                query("q3", "When?", &[], &["d2"]),
            ]
        );
        let documents: Vec<_> = read.documents.iter().map(|d| (d.id.as_str(), d.text.as_str())).collect();
        assert_eq!(documents, [("d1", "one"), ("5", "")]);
    }

    #[test]
    fn csv_with_lists_of_both_forms() {
        let read = read(
            "query,expected_answers,expected_doc_ids,note\nWhat?,\"[\"\"a, b\"\", \"\"c\"\"]\",,x\n\n\
             Who?,\"a, b,,a\",\"d1,d2\"\nWhen?,42\n",
        )
        .unwrap();
        assert_eq!(
            read.queries,
            [
                query("q1", "What?", &["a, b", "c"], &[]),
                query("q2", "Who?", &["a", "b"], &["d1", "d2"]),
                query("q3", "When?", &["42"], &[]),
            ]
        );
        let named = self::read("query_id,id,query_text\n,x,What?\ny,z,Who?\n").unwrap();
        assert_eq!(named.queries, [query("x", "What?", &[], &[]), query("y", "Who?", &[], &[])]);
    }

    #[test]
    fn what_is_wrong_is_said_with_line_and_field() {
        for (text, parts) in [
            (
                "{\"queries\": [\n{\"id\": \"q\", \"query\": \"x\",\n\"expected_answers\": \"y\"}]}",
                &["line 3", "expected_answers", "a list"][..],
            ),
            (
                "{\"queries\": [\n{\"id\": \"q\", \"query\": \"x\", \"expected_doc_ids\": [\n{}]}]}",
                &["line 3", "expected_doc_ids", "a string or a whole number"],
            ),
            ("{\"queries\": [\n{\"id\": \"q\", \"query\": \" \"}]}", &["line 2", "query_text"]),
            ("{\"queries\": [\n{\"query\": \"x\"}]}", &["line 2", "query_id"]),
            (
                "{\"queries\": [{\"id\": \"q\", \"query\": \"x\"},\n{\"id\": \"q\", \"query\": \"y\"}]}",
                &["line 2", "query \"q\" twice"],
            ),
            ("{\"documents\": [{\"doc_id\": 1},\n{\"doc_id\": 1}]}", &["line 2", "document \"1\" twice"]),
            (
                "{\"queries\": [{\"id\": 1, \"query\": \"x\",\n\"origin\": {\"model\": \"m\"}}]}",
                &["line 2", "the field origin", "synthetic"],
            ),
            (
                "id,query,origin\nq,x,\"{\"\"synthetic\"\": 1}\"\n",
                &["line 2", "column 3 (origin)", "a JSON object"],
            ),
            ("{\"queries\": {}}", &["line 1", "queries", "a list"]),
            ("[1]", &["line 1", "an object with \"queries\""]),
            ("{\"queries\": []}", &["no query in it"]),
            ("{\"queries\": [\n", &["line 2", "EOF"]),
            ("id,expected_answers\n1,x\n", &["line 1", "query_text"]),
            ("id,query\nq,x\nq,y\n", &["line 3", "column 1 (query_id)", "\"q\"", "another identifier"]),
            ("id,query,expected_answers\nq, ,x\n", &["line 2", "column 2 (query_text)"]),
            ("id,query,expected_answers\nq,x,a,b\n", &["line 2", "4 fields", "the 3 of the header"]),
            (
                "id,query,expected_answers\nq,x,\"[\"\"a\"\",\"\n",
                &["line 2", "column 3 (expected_answers)", "a JSON list"],
            ),
            ("id,query,query\nq,x,y\n", &["line 1", "query twice"]),
            ("", &["no query in it"]),
        ] {
            let error = read(text).unwrap_err().to_string();
            parts.iter().for_each(|part| assert!(error.contains(part), "{part} is not in {error}"));
        }
    }
}
