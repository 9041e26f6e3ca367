//! Writing a dataset.

use std::io::{self, Write};

use serde::Serialize;

use super::expected::{EvaluationDataset, ExpectedQuery, QueryOrigin};
use crate::SheetFormat;
use crate::spreadsheet::{Cell, write_row};

#[derive(Serialize)]
struct QueryObject<'a> {
    query_id: &'a str,
    query_text: &'a str,
    expected_answers: &'a [String],
    #[serde(skip_serializing_if = "is_empty")]
    expected_doc_ids: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'a QueryOrigin>,
}

#[derive(Serialize)]
struct DocumentObject<'a> {
    doc_id: &'a str,
    text: &'a str,
}

#[derive(Serialize)]
struct DatasetObject<'a> {
    queries: Vec<QueryObject<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<DocumentObject<'a>>,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_empty(list: &&[String]) -> bool {
    list.is_empty()
}

impl<'a> QueryObject<'a> {
    fn of(query: &'a ExpectedQuery) -> Self {
        Self {
            query_id: &query.id,
            query_text: &query.text,
            expected_answers: &query.expected_answers,
            expected_doc_ids: &query.expected_doc_ids,
            origin: query.origin.as_ref(),
        }
    }
}

/// Writes a dataset as JSON, as [`read_dataset`](super::read_dataset) reads it, with the questions' origins.
///
/// # Errors
/// Returns an error if it cannot be written.
pub fn write_dataset(dataset: &EvaluationDataset, out: &mut dyn Write) -> io::Result<()> {
    let documents = dataset.documents.iter();
    let object = DatasetObject {
        queries: dataset.queries.iter().map(QueryObject::of).collect(),
        documents: documents
            .map(|document| DocumentObject { doc_id: &document.id, text: &document.text })
            .collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &object)?;
    out.write_all(b"\n")
}

/// Writes the questions of a dataset as CSV, as [`read_dataset`](super::read_dataset) reads it: lists and origins are
/// JSON in their fields. CSV has no place for documents.
///
/// # Errors
/// Returns an error if it cannot be written.
pub fn write_dataset_csv(dataset: &EvaluationDataset, out: &mut dyn Write) -> io::Result<()> {
    let named = dataset.queries.iter().any(|query| !query.expected_doc_ids.is_empty());
    let made = dataset.queries.iter().any(|query| query.origin.is_some());
    let columns = [("query_id", true), ("query_text", true), ("expected_answers", true)];
    let columns = columns.into_iter().chain([("expected_doc_ids", named), ("origin", made)]);
    let names: Vec<Cell<'_>> = columns.filter(|(_, has)| *has).map(|(name, _)| Cell::Value(name)).collect();
    write_row(out, SheetFormat::Commas, &names)?;
    for query in &dataset.queries {
        let (answers, documents) = (list(&query.expected_answers)?, list(&query.expected_doc_ids)?);
        let origin = query.origin.as_ref().map(serde_json::to_string).transpose()?.unwrap_or_default();
        let mut cells = vec![Cell::Text(&query.id), Cell::Text(&query.text), Cell::Text(&answers)];
        cells.extend(named.then_some(Cell::Text(&documents)));
        cells.extend(made.then_some(Cell::Text(&origin)));
        write_row(out, SheetFormat::Commas, &cells)?;
    }
    Ok(())
}

/// A JSON list: an answer with a comma is one answer for every reader.
fn list(values: &[String]) -> io::Result<String> {
    match values {
        [] => Ok(String::new()),
        values => Ok(serde_json::to_string(values)?),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;

    use super::super::file::{ReadDatasetOptions, read_dataset};
    use super::*;

    fn read(bytes: &[u8]) -> EvaluationDataset {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        read_dataset(file.path(), &ReadDatasetOptions::default()).unwrap().dataset
    }

    fn origin() -> impl Strategy<Value = Option<QueryOrigin>> {
        let made =
            (any::<bool>(), "\\PC{0,12}", "\\PC{0,12}", any::<Option<[u64; 2]>>(), any::<Option<u64>>());
        proptest::option::of(made.prop_map(|(synthetic, model, document, characters, seed)| QueryOrigin {
            synthetic,
            category: "detail".into(),
            documents: if document.is_empty() { Vec::new() } else { vec![document] },
            characters,
            seed,
            check: if synthetic { "answered".into() } else { String::new() },
            model,
            ..QueryOrigin::default()
        }))
    }

    proptest! {
        /// A dataset reads back as written, with the mark of generated questions.
        #[test]
        fn a_dataset_is_read_as_it_was_written(
            made in proptest::collection::vec(("[a-z\"<,é|;=']{1,9}", "[a-z,\"\\[ ;=']{0,9}", origin()), 1..6),
        ) {
            let query = |(at, (text, answer, origin)): (usize, (String, String, Option<QueryOrigin>))| {
                let answer = answer.trim().to_owned();
                ExpectedQuery {
                    id: format!("q{at}"),
                    text,
                    expected_answers: if answer.is_empty() { Vec::new() } else { vec![answer] },
                    origin,
                    ..ExpectedQuery::default()
                }
            };
            let queries = made.into_iter().enumerate().map(query).collect();
            let dataset = EvaluationDataset { queries, documents: Vec::new() };
            let (mut json, mut csv) = (Vec::new(), Vec::new());
            write_dataset(&dataset, &mut json).unwrap();
            write_dataset_csv(&dataset, &mut csv).unwrap();
            prop_assert_eq!(&read(&json), &dataset);
            prop_assert_eq!(&read(&csv), &dataset, "{}", String::from_utf8_lossy(&csv));
        }
    }
}
