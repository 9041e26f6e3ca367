//! Reads a dataset of either form.

use std::{io::Cursor, path::Path};

use super::{csv_form, json_form, notes::DatasetFile};
use crate::{
    DataError,
    chunks::Chunks,
    error::shown_path,
    lines::Lines,
    open::open_other_encoding,
    tables::{Columns, parquet_rows},
    whole::{file_limit, rest_of, utf8},
};

/// How a dataset is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadDatasetOptions {
    /// The separator of several expected answers in one cell of a CSV. Without it a cell is one answer. evret's files
    /// have commas.
    pub answers_separator: Option<String>,
    /// The columns that the user names: id, query, answer and document.
    pub columns: Columns,
}

/// Reads questions with expected answers: JSON, known by its first character, Parquet, CSV or the sheet of a workbook.
///
/// JSON is `{"queries": [...], "documents": [...]}`, a list of queries, or a query a line. A query has `query_id` (or
/// `id`), `query_text` (or `query`), and the lists `expected_answers` and `expected_doc_ids` (or `relevant_doc_ids`). A
/// document has `doc_id` and `text`.
///
/// CSV has commas, semicolons or tabs, and a header, in any case, with `query_text` (or `query`), and perhaps
/// `query_id` (or `id`; `q1`, `q2` and so on without it), `expected_answers` and `expected_doc_ids`. A cell of answers
/// is one answer, or a JSON list, or several where [`ReadDatasetOptions`] declare a separator; the column may be
/// repeated. A cell of documents is a JSON list, or identifiers separated by commas.
///
/// Both also have other usual names: `question`, `user_input`; `ground_truth`, `reference`, `answers`.
///
/// The words `nan`, `None` and `null` are missing values, and are counted. A query may have an `origin`, an object
/// with `synthetic` (in CSV as JSON), which records its source. Other fields are ignored.
///
/// # Errors
/// Returns an error that names the line and the field if a query has no identifier or text, or a field is not a list.
/// It also refuses a repeated identifier of queries or documents, a row with more fields than the header, and a file
/// without a query.
pub fn read_dataset(path: impl AsRef<Path>, options: &ReadDatasetOptions) -> Result<DatasetFile, DataError> {
    let path = path.as_ref();
    let file = shown_path(path);
    let mut chunks = Chunks::open(path)?;
    let read = if chunks.is_parquet() {
        json_form::of_rows(parquet_rows(&file, chunks.into_reader())?, &file, &options.columns)?
    } else {
        let is_workbook = chunks.is_workbook();
        let bytes = rest_of(chunks.into_reader(), &file, file_limit())?;
        if matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
            json_form::parse(&utf8(bytes, &file)?, &file, &options.columns)?
        } else {
            let (reader, encoding) = match open_other_encoding(path).filter(|_| !is_workbook) {
                Some((other, name)) => (other, Some(name)),
                None => (Box::new(Cursor::new(bytes)) as _, None),
            };
            let lines = Lines::over(file.clone(), reader);
            csv_form::parse(lines, options.answers_separator.as_deref(), &options.columns, encoding)?
        }
    };
    if read.dataset.queries.is_empty() {
        let remedy = "It needs {\"queries\": [...]}, or CSV with the columns query_text and expected_answers";
        return Err(DataError::Empty { file, wanted: "query", remedy: remedy.to_owned() });
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::{
        super::expected::{EvaluationDataset, ExpectedQuery},
        super::notes::DatasetNotes,
        *,
    };

    fn read_separated(text: &str, separator: Option<&str>) -> Result<DatasetFile, DataError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let answers_separator = separator.map(str::to_owned);
        read_dataset(file.path(), &ReadDatasetOptions { answers_separator, ..ReadDatasetOptions::default() })
    }

    #[test]
    fn columns_of_other_names_are_named_by_the_user() {
        let expected = [query("7", "What?", &["yes"], &["d1"]), query("8", "Who?", &["a", "b"], &[])];
        for text in [
            "key,Frage,query,gold,docs\n7,What?,x,yes,d1\n8,Who?,y,\"[\"\"a\"\", \"\"b\"\"]\",\n",
            r#"[{"key": 7, "Frage": "What?", "query": "x", "gold": "yes", "docs": "d1"},
                {"key": 8, "Frage": "Who?", "gold": ["a", "b"]}]"#,
            "{\"key\":7,\"Frage\":\"What?\",\"gold\":\"yes\",\"docs\":[\"d1\"]}\n\n\
             {\"key\":8,\"Frage\":\"Who?\",\"gold\":[\"a\",\"b\"]}\n",
        ] {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            let columns: Columns = "id=key,query=Frage,answer=gold,document=docs".parse().unwrap();
            let options = ReadDatasetOptions { columns: columns.clone(), ..ReadDatasetOptions::default() };
            assert_eq!(read_dataset(file.path(), &options).unwrap().dataset.queries, expected, "{text}");
            let said = columns.take_tables().join("\n");
            assert!(said.contains(": id = key, query = Frage, answer = gold, document = docs"), "{said}");
            let columns: Columns = "query=Frge".parse().unwrap();
            let options = ReadDatasetOptions { columns: columns.clone(), ..ReadDatasetOptions::default() };
            let _ = read_dataset(file.path(), &options);
            assert_eq!(columns.never_found().as_deref(), Some("query=Frge"));
        }
    }

    /// The rows of `parquet/ORIGIN.md`, whose column `text` is no usual name here.
    #[cfg(feature = "parquet")]
    #[test]
    fn rows_of_parquet_are_questions() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/parquet/queries.snappy.parquet");
        let error = read_dataset(&path, &ReadDatasetOptions::default()).unwrap_err().to_string();
        assert!(error.contains("at row 1: found a query without query_text"), "{error}");
        let columns = "query=text".parse().unwrap();
        let read = read_dataset(&path, &ReadDatasetOptions { columns, ..ReadDatasetOptions::default() });
        assert_eq!(read.unwrap().dataset.queries[1], query("2", "shoes, size 42", &[], &[]));
    }

    fn read(text: &str) -> Result<EvaluationDataset, DataError> {
        read_separated(text, None).map(|read| read.dataset)
    }

    fn answers(text: &str, separator: Option<&str>) -> (Vec<Vec<String>>, DatasetNotes) {
        let read = read_separated(text, separator).unwrap();
        (read.dataset.queries.into_iter().map(|query| query.expected_answers).collect(), read.notes)
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

    /// The columns of RAGAS, whose `answer` is what a system generated.
    #[test]
    fn lists_lines_and_tables_with_usual_names() {
        let expected = [query("q1", "What?", &["a"], &[]), query("q2", "Who?", &["b", "c"], &[])];
        for text in [
            r#"[{"question": "What?", "answer": "x", "ground_truth": "a"},
                {"question": "Who?", "contexts": ["t"], "ground_truth": ["b", "c"]}]"#,
            "{\"user_input\": \"What?\", \"reference\": \"a\"}\n\n\
             {\"user_input\": \"Who?\", \"reference\": [\"b\", \"c\"]}\n",
            "question,answer,ground_truth\nWhat?,x,a\nWho?,,\"[\"\"b\"\", \"\"c\"\"]\"\n",
        ] {
            assert_eq!(read(text).unwrap().queries, expected, "{text}");
        }
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
                query("q2", "Who?", &["a, b,,a"], &["d1", "d2"]),
                query("q3", "When?", &["42"], &[]),
            ]
        );
        let named = self::read("query_id,id,query_text\n,x,What?\ny,z,Who?\n").unwrap();
        assert_eq!(named.queries, [query("x", "What?", &[], &[]), query("y", "Who?", &[], &[])]);
    }

    #[test]
    fn an_answer_with_commas_stays_one_answer_unless_a_separator_is_declared() {
        let text = "query,expected_answers\nWho?,\"Anna, Bea and Cleo\"\nWhat?,\"[\"\"a, b\"\", \"\"c\"\"]\"\nOne?,x\n";
        let (undeclared, notes) = answers(text, None);
        assert_eq!(undeclared, [vec!["Anna, Bea and Cleo"], vec!["a, b", "c"], vec!["x"]]);
        assert_eq!(notes, DatasetNotes { undivided_cells: 1, ..DatasetNotes::default() });
        let (declared, notes) = answers(text, Some(","));
        assert_eq!(declared, [vec!["Anna", "Bea and Cleo"], vec!["a, b", "c"], vec!["x"]]);
        assert_eq!(notes, DatasetNotes { split_cells: 1, split_answers: 2, ..DatasetNotes::default() });
        assert_eq!(answers("query,expected_answers\nx,a||b\n", Some("||")).0, [["a", "b"]]);
    }

    #[test]
    fn a_repeated_column_holds_several_answers() {
        let text = "Query Text;Expected_Answers;expected_answers.1;EXPECTED_ANSWERS;note\nWho?;a, b;c;;n\nWhy?;;;d;\n";
        assert_eq!(answers(text, None).0, [vec!["a, b", "c"], vec!["d"]]);
    }

    #[test]
    fn words_for_missing_values_are_no_answers() {
        let csv = "id,query,expected_answers,expected_doc_ids\na,x,nan,None\nb,y,None of them,d1\n\
                   c,z,\"[null, \"\"x\"\"]\",NaN\n";
        let (of_csv, notes) = answers(csv, None);
        assert_eq!(of_csv, [vec![], vec!["None of them"], vec!["x"]]);
        assert_eq!((notes.missing, notes.first_missing.as_deref()), (4, Some("a")));
        let json = r#"{"queries": [{"id": "a", "query": "x", "expected_answers": ["b", "nan", null]},
            {"id": "b", "query": "x", "expected_answers": null}]}"#;
        let (of_json, notes) = answers(json, None);
        assert_eq!(of_json, [vec!["b"], vec![]]);
        assert_eq!((notes.missing, notes.first_missing.as_deref()), (2, Some("a")));
    }

    #[test]
    fn any_separator_and_any_case_of_the_header_are_read_alike() {
        let plain = "query_id,query_text,expected_answers\nq1,What?,yes\n";
        let read = |text: &str| super::tests::read(text).unwrap();
        for text in [
            plain.replace(',', ";"),
            plain.replace(',', "\t"),
            format!("sep=;\r\n{}", plain.replace(',', ";")),
            plain.replace("query_id,query_text", "Query_ID,QUERY-TEXT").replace("expected", "Expected"),
            format!("\u{feff}{plain}"),
        ] {
            assert_eq!(read(&text), read(plain), "{text:?}");
        }
    }

    #[test]
    fn json_errors_name_the_place_and_what_was_found_once() {
        for (text, expected) in [
            ("[1]", "line 1: found the number `1` in [0], expected a query, an object"),
            (
                "{\"queries\": [\n{\"id\": \"q\", \"query\": \"x\",\n\"expected_answers\": \"y\"}]}",
                "line 3: found string \"y\" in queries[0].expected_answers, expected a list",
            ),
            ("{\"queries\": {}}", "line 1: found an object in queries, expected a list"),
            (
                "{\"queries\": [[\"q\", \"x\"]]}",
                "line 1: found a list in queries[0], expected a query, an object",
            ),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.ends_with(expected), "{error}");
        }
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
            ("{\"query\": \"x\"}\n{\"question\": 3.5}\n", &["line 2"]),
            (
                "{\"id\": 1, \"query\": \"x\"}\n{\"id\": 1, \"query\": \"y\"}\n",
                &["line 2", "query \"1\" twice"],
            ),
            (
                "{\"queries\": [{\"id\": \"q\", \"query\": \"x\"},\n{\"id\": \"q\", \"query\": \"y\"}]}",
                &["line 2", "query \"q\" twice"],
            ),
            ("{\"documents\": [{\"doc_id\": 1},\n{\"doc_id\": 1}]}", &["line 2", "document \"1\" twice"]),
            (
                "{\"queries\": [{\"id\": 1, \"query\": \"x\",\n\"origin\": {\"model\": \"m\"}}]}",
                &["line 2", "queries[0].origin", "synthetic"],
            ),
            (
                "id,query,origin\nq,x,\"{\"\"synthetic\"\": 1}\"\n",
                &["line 2", "column 3 (origin)", "a JSON object"],
            ),
            ("{\"queries\": {}}", &["line 1", "queries", "a list"]),
            ("[1]", &["line 1", "a query, an object"]),
            ("{\"queries\": []}", &["no query in it"]),
            ("{\"queries\": [\n", &["line 2", "the end of the text"]),
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
