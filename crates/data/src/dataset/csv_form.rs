//! A dataset as CSV with a header.

use rustc_hash::FxHashSet;

use super::expected::{EvaluationDataset, ExpectedQuery, each_once};
use super::origin::QueryOrigin;
use crate::{DataError, csv::Records, json::Id, lines::Lines};

/// Where the header has the columns.
struct Columns {
    ids: [Option<usize>; 2],
    texts: [Option<usize>; 2],
    answers: Option<usize>,
    documents: Option<usize>,
    origin: Option<usize>,
    count: usize,
}

pub(super) fn parse(lines: Lines) -> Result<EvaluationDataset, DataError> {
    let mut records = Records::new(lines, b',');
    let mut read = EvaluationDataset::default();
    if !records.advance()? {
        return Ok(read);
    }
    let columns = columns(&records)?;
    let mut ids = FxHashSet::default();
    while records.advance()? {
        if records.len() > columns.count {
            return Err(records.place().wrong(
                None,
                format!("{} fields", records.len()),
                &format!("the {} of the header", columns.count),
                "A field with a comma in it stands in quotes",
            ));
        }
        let query = query(&records, &columns, read.queries.len() + 1)?;
        if !ids.insert(query.id.clone()) {
            let at = columns.ids.into_iter().flatten().next().unwrap_or_default() + 1;
            let remedy = "Give each query its own identifier";
            return Err(records.place().bad_column(
                at,
                "query_id",
                &query.id,
                "another identifier than before",
                remedy,
            ));
        }
        read.queries.push(query);
    }
    Ok(read)
}

fn columns(header: &Records) -> Result<Columns, DataError> {
    let names: Vec<&str> = (0..header.len()).map(|at| header.field_at(at)).collect();
    let mut known = FxHashSet::default();
    if let Some(twice) = names.iter().find(|name| !name.is_empty() && !known.insert(**name)) {
        let found = format!("the column {twice} twice");
        return Err(header.place().wrong(None, found, "each column once", "Remove one of them"));
    }
    let of = |wanted: &str| names.iter().position(|name| *name == wanted);
    let columns = Columns {
        ids: [of("query_id"), of("id")],
        texts: [of("query_text"), of("query")],
        answers: of("expected_answers"),
        documents: of("expected_doc_ids"),
        origin: of("origin"),
        count: names.len(),
    };
    if columns.texts == [None, None] {
        return Err(header.place().unexpected(
            "a header with query_text (or query), and expected_answers or expected_doc_ids",
            "A dataset is such a CSV, or JSON with \"queries\"",
        ));
    }
    Ok(columns)
}

fn query(row: &Records, columns: &Columns, number: usize) -> Result<ExpectedQuery, DataError> {
    let first = |places: [Option<usize>; 2]| {
        let values = places.into_iter().flatten().map(|at| row.field_at(at).trim());
        values.into_iter().find(|value| !value.is_empty()).map(str::to_owned)
    };
    let Some(text) = first(columns.texts) else {
        let at = columns.texts.into_iter().flatten().next().unwrap_or_default() + 1;
        return Err(row.place().wrong(
            Some((at, "query_text")),
            "nothing",
            "the question",
            "Write it, or remove the row",
        ));
    };
    let list = |at: Option<usize>, name| at.map_or(Ok(Vec::new()), |at| list(row, at, name));
    Ok(ExpectedQuery {
        id: first(columns.ids).unwrap_or_else(|| format!("q{number}")),
        text,
        expected_doc_ids: list(columns.documents, "expected_doc_ids")?,
        expected_answers: list(columns.answers, "expected_answers")?,
        origin: columns.origin.map_or(Ok(None), |at| origin(row, at))?,
    })
}

/// A JSON object, or nothing.
fn origin(row: &Records, at: usize) -> Result<Option<QueryOrigin>, DataError> {
    let value = row.field_at(at).trim();
    if value.is_empty() {
        return Ok(None);
    }
    serde_json::from_str(value).map(Some).map_err(|error| {
        let (wanted, remedy) = ("a JSON object with \"synthetic\"", format!("As JSON: {error}"));
        row.place().bad_column(at + 1, "origin", value, wanted, &remedy)
    })
}

/// A JSON list, or values separated by commas.
fn list(row: &Records, at: usize, name: &'static str) -> Result<Vec<String>, DataError> {
    let value = row.field_at(at).trim();
    if !value.starts_with('[') {
        return Ok(each_once(value.split(',').map(str::to_owned)));
    }
    let ids: Vec<Id<'_>> = serde_json::from_str(value).map_err(|error| {
        let remedy = format!("As JSON: {error}");
        row.place().bad_column(
            at + 1,
            name,
            value,
            "a JSON list of texts, or texts separated by commas",
            &remedy,
        )
    })?;
    Ok(each_once(ids.into_iter().map(|id| id.0.into_owned())))
}
