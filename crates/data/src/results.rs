//! Reads a retriever's results with texts and times, from JSON lines.

use std::borrow::Cow;
use std::path::Path;

use indexmap::IndexSet;
use llull_core::Document;
use serde::Deserialize;
use serde::de::DeserializeSeed as _;
use serde_json::{Map, Value};

use crate::{
    DataError,
    decimal::parse_f64,
    error::quoted,
    json::{self, Id, Text},
    lines::{Line, Lines},
    tables::{ColumnName, Columns, FieldMap, Role, TableKind, TableNotes, fields_of},
};

const EXPECTED: &str =
    r#"{"query_id":"q1","results":[{"doc_id":"d1","score":1.5,"text":"..."}]}, best result first"#;

/// The results of a retriever for one query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueryResults {
    /// The query's identifier.
    pub query: String,
    /// The documents, best first; those of [`failed`](Self::failed) are none.
    pub results: Vec<FoundDocument>,
    /// Why the retriever could not answer.
    pub failed: Option<String>,
    /// The retriever's own time for the query, in milliseconds.
    pub milliseconds: Option<f64>,
    /// The retriever's own price for the query, in US dollars.
    pub dollars: Option<f64>,
    /// The line of the file, from 1.
    pub line: u64,
}

/// One document that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundDocument {
    /// The document; without title and text if only its identifier came.
    pub document: Document,
    /// The retriever's score; where it gives none, less for each place.
    pub score: f64,
}

#[derive(Deserialize)]
struct Entry<'a> {
    #[serde(borrow, alias = "qid")]
    query_id: Id<'a>,
    #[serde(default)]
    results: Option<Vec<Map<String, Value>>>,
    #[serde(borrow, default)]
    error: Option<Text<'a>>,
    #[serde(default, alias = "latency_ms")]
    ms: Option<f64>,
    #[serde(default, alias = "cost_usd")]
    usd: Option<f64>,
}

/// The names of a query's identifier.
const QUERY_IDS: [&str; 2] = ["query_id", "qid"];

/// The names of a document's identifier in this form.
const DOCUMENT_IDS: &[&str] = &["doc_id", "id", "_id", "docid"];

/// What a result has: its role, what the user calls it, and its names in this form.
const PARTS: [(Role, &[ColumnName], &[&str]); 3] = [
    (Role::Document, &[ColumnName::Id, ColumnName::Document], DOCUMENT_IDS),
    (Role::Title, &[ColumnName::Title], &["title"]),
    (Role::Text, &[ColumnName::Text], &["text", "content", "page_content"]),
];

/// Reads a retriever's results, query by query, from JSON lines. A line is an object with `query_id` and either
/// `results`, best first, or `error`. It may have `ms`, the time in milliseconds, and `usd`, the price. A result has a
/// `doc_id`, and perhaps `score`, `title` and `text`. With `columns`, what it does not have under these names may have
/// other usual names, or those that `columns` has. Other fields are ignored.
///
/// # Errors
/// Returns an error that names the line if a line has another form, has neither `results` nor `error`, or has scores
/// for some results only. It also refuses a time or a price below 0, and returns the first error of `each`.
pub fn read_results(
    path: impl AsRef<Path>,
    columns: Option<&Columns>,
    mut each: impl FnMut(QueryResults) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let mut lines = Lines::open(path.as_ref())?;
    let mut notes = TableNotes::default();
    while let Some(line) = lines.next_filled()? {
        each(query_results(&line, columns, &mut notes)?)?;
    }
    let is_other = |field: &String| !PARTS.iter().any(|(_, _, known)| known.contains(&field.as_str()));
    if let Some(columns) = columns
        && notes.used.iter().flat_map(|(_, fields)| fields).any(is_other)
    {
        notes.note(lines.file(), columns);
    }
    Ok(())
}

/// Returns whether a file has the form that [`read_results`] reads, whatever its results call their fields, unless the
/// user names other fields for the query or the rank. Standard input, which can be read only once, is taken for such a
/// file.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn is_results(path: impl AsRef<Path>, named: &Columns) -> Result<bool, DataError> {
    if path.as_ref().as_os_str() == "-" {
        return Ok(true);
    }
    // A file that is not text, or whose first line is no object, is another one, whose reader finds its faults.
    let mut lines = Lines::open(path.as_ref())?;
    let line = match lines.next_filled() {
        Ok(Some(line)) => line.text,
        Ok(None) => return Ok(true),
        Err(_) => return Ok(false),
    };
    let Ok(object) = serde_json::from_str::<Map<String, Value>>(line) else {
        return Ok(line.trim_start().starts_with('{') && line.contains("\"query_id\""));
    };
    let has = |names: &[&str]| names.iter().any(|name| object.contains_key(*name));
    let first = object.get("results").and_then(|list| list.get(0)).and_then(Value::as_object);
    let is_there =
        |field: &String| object.contains_key(field) || first.is_some_and(|first| first.contains_key(field));
    let is_named = named.iter().any(|(name, fields)| match name {
        ColumnName::Query => {
            fields.iter().any(|field| is_there(field) && !QUERY_IDS.contains(&field.as_str()))
        }
        ColumnName::Rank | ColumnName::System => fields.iter().any(is_there),
        _ => false,
    });
    // An empty list of another name is a typing error rather than another form.
    let is_empty = object
        .iter()
        .all(|(key, value)| QUERY_IDS.contains(&key.as_str()) || value.as_array().is_some_and(Vec::is_empty));
    Ok(has(&QUERY_IDS) && (has(&["results", "error"]) || is_empty) && !is_named)
}

fn query_results(
    line: &Line<'_>,
    columns: Option<&Columns>,
    notes: &mut TableNotes,
) -> Result<QueryResults, DataError> {
    let Entry { query_id, results, error, ms, usd } = json::parse(line, EXPECTED)?;
    let wrong = |found: String, remedy: &str| Err(line.wrong(None, found, EXPECTED, remedy));
    if let Some(ms) = ms.filter(|ms| !(*ms >= 0.0 && ms.is_finite())) {
        return wrong(format!("ms = {ms}"), "A time is a number of milliseconds, or left out");
    }
    if let Some(usd) = usd.filter(|usd| !(*usd >= 0.0 && usd.is_finite())) {
        return wrong(format!("usd = {usd}"), "A price is a number of US dollars, or left out");
    }
    let mut read = QueryResults {
        query: query_id.0.into_owned(),
        milliseconds: ms,
        dollars: usd,
        line: line.number,
        ..QueryResults::default()
    };
    match (results, error) {
        (None, None) => {
            return wrong(
                "neither results nor error".into(),
                "Write \"results\": [] if nothing was found, or \"error\": \"why\"",
            );
        }
        (_, Some(error)) => read.failed = Some(error.0.into_owned()),
        (Some(results), None) => read.results = found(line, &results, columns, notes)?,
    }
    Ok(read)
}

/// Reads the results of a line. The fields of all of them are known before, so that none comes late.
fn found(
    line: &Line<'_>,
    results: &[Map<String, Value>],
    columns: Option<&Columns>,
    notes: &mut TableNotes,
) -> Result<Vec<FoundDocument>, DataError> {
    let wrong = |found: String, remedy: &str| line.wrong(None, found, EXPECTED, remedy);
    if results.is_empty() {
        return Ok(Vec::new());
    }
    let names: IndexSet<String> = results.iter().flat_map(fields_of).collect();
    let names = Vec::from_iter(names);
    let has = |fields: &[String]| fields.iter().any(|field| names.contains(field));
    let named: [Option<&[String]>; 3] = PARTS.map(|(_, given, _)| {
        let (fields, _) = columns?.of(given, true, &has)?;
        has(fields).then_some(fields)
    });
    let has_id = |object: &Map<String, Value>| filled(object, DOCUMENT_IDS).next().is_some();
    let is_own = results.iter().any(has_id);
    // Beside this form's identifier, fields that it does not have cannot make it ambiguous.
    let own_columns = |strict: bool| {
        let mut own = Columns::default();
        for ((role, given, known), fields) in PARTS.into_iter().zip(named) {
            let Some(column) = given.first().copied() else { continue };
            let there = known.iter().copied().find(|name| names.iter().any(|field| field == name));
            match fields {
                Some(fields) => own.name(column, fields.to_vec()),
                None if there.is_some() || strict || role == Role::Document => {
                    let field = there.or(known.first().copied());
                    own.require(column, field.map(str::to_owned).into_iter().collect());
                }
                None => {}
            }
        }
        own
    };
    let new = |columns: &Columns| FieldMap::new(TableKind::Documents, columns, &names);
    let mut map = match columns {
        None => None,
        Some(_) if is_own => new(&own_columns(false)).or_else(|_| new(&own_columns(true))).ok(),
        Some(columns) => Some(new(columns).map_err(|ambiguity| ambiguity.of(line.file))?),
    };
    let score = columns.and_then(|columns| columns.of(&[ColumnName::Score], true, &has));
    let score = score.filter(|(fields, _)| has(fields));
    let score_field = score.and_then(|(fields, _)| fields.first()).map_or("score", String::as_str);
    let (mut all, mut scored) = (Vec::with_capacity(results.len()), 0);
    let mut values = Vec::new();
    for (place, object) in results.iter().enumerate() {
        if let Some(map) = &mut map {
            let read: Result<(), serde_json::Error> =
                map.object(&mut values, line.number).deserialize(object);
            read.map_err(|error| wrong(error.to_string(), "Write a text or a number"))?;
        }
        let score = match object.get(score_field) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) if text.trim().is_empty() => None,
            Some(score) => {
                let number = score.as_f64().or_else(|| parse_f64(score.as_str()?.trim()));
                let number = number.filter(|number| number.is_finite());
                Some(number.ok_or_else(|| wrong(format!("{score_field} = {score}"), "A score is a number"))?)
            }
        };
        scored += usize::from(score.is_some());
        let part = |at: usize| -> Result<Option<String>, DataError> {
            let (role, _, known) = PARTS[at];
            let own = match named[at] {
                Some(_) => None,
                None => own_value(object, role, known).map_err(|found| {
                    let remedy = "Write it once, as a text; an identifier may be a whole number";
                    wrong(format!("{found} in result {}", place + 1), remedy)
                })?,
            };
            Ok(own.or_else(|| map.as_ref()?.value(role, &values).map(Cow::into_owned)))
        };
        let id = part(0)?.filter(|id| !id.trim().is_empty()).ok_or_else(|| {
            wrong(format!("no doc_id in result {}", place + 1), "Give every result the document's identifier")
        })?;
        let (title, text) = (part(1)?.unwrap_or_default(), part(2)?.unwrap_or_default());
        let document = Document { id, title, text };
        all.push(FoundDocument { document, score: score.unwrap_or(-(place as f64)) });
    }
    if scored != 0 && scored != all.len() {
        return Err(wrong(
            format!("scores for {scored} of {} results", all.len()),
            "Give every result a score, or none",
        ));
    }
    for used in map.iter().flat_map(FieldMap::used) {
        if !notes.used.contains(&used) {
            notes.used.push(used);
        }
    }
    Ok(all)
}

/// Returns the fields of these names that hold something.
fn filled<'v>(
    object: &'v Map<String, Value>,
    names: &'v [&'static str],
) -> impl Iterator<Item = (&'static str, &'v Value)> {
    let of_name = move |name: &&'static str| Some((*name, object.get(*name)?));
    names.iter().filter_map(of_name).filter(|(_, value)| !value.is_null())
}

/// Returns what a result has under one of these names, or what is wrong with it.
fn own_value(
    object: &Map<String, Value>,
    role: Role,
    names: &'static [&'static str],
) -> Result<Option<String>, String> {
    let mut found = filled(object, names);
    let Some((name, value)) = found.next() else { return Ok(None) };
    if let Some((other, _)) = found.next() {
        return Err(format!("both {name} and {other}"));
    }
    match value {
        Value::String(text) => Ok(Some(text.clone())),
        Value::Number(number) if role == Role::Document && !number.is_f64() => Ok(Some(number.to_string())),
        other => Err(format!("{name} = {}", quoted(&other.to_string()))),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn read(text: &str) -> Result<Vec<QueryResults>, DataError> {
        read_with(text, "")
    }

    fn read_with(text: &str, columns: &str) -> Result<Vec<QueryResults>, DataError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let mut all = Vec::new();
        read_results(file.path(), Some(&columns.parse().unwrap()), |results| {
            all.push(results);
            Ok(())
        })?;
        Ok(all)
    }

    #[test]
    fn results_errors_and_times() {
        let read = read(
            "{\"query_id\":\"q1\",\"ms\":2.5,\"usd\":0.002,\
             \"results\":[{\"doc_id\":\"a\",\"text\":\"x\\ny\",\"meta\":{\"k\":1}},{\"doc_id\":7}]}\n\n\
             {\"query_id\":2,\"results\":[{\"id\":\"b\",\"score\":0.5,\"title\":\"t\",\"content\":\"c\"}]}\n\
             {\"query_id\":\"q3\",\"error\":\"down\"}\n{\"query_id\":\"q4\",\"results\":[]}\n",
        )
        .unwrap();
        let ids: Vec<(&str, Vec<(&str, f64)>)> = read
            .iter()
            .map(|query| {
                let found = query.results.iter().map(|found| (&*found.document.id, found.score));
                (&*query.query, found.collect())
            })
            .collect();
        assert_eq!(
            ids,
            [("q1", vec![("a", 0.0), ("7", -1.0)]), ("2", vec![("b", 0.5)]), ("q3", vec![]), ("q4", vec![])]
        );
        assert_eq!(
            (&*read[0].results[0].document.text, read[0].milliseconds, read[0].line),
            ("x\ny", Some(2.5), 1)
        );
        assert_eq!((read[0].dollars, read[1].dollars), (Some(0.002), None));
        assert!(read[0].results[1].document.is_blank());
        assert_eq!((&*read[1].results[0].document.title, &*read[1].results[0].document.text), ("t", "c"));
        assert_eq!((read[2].failed.as_deref(), read[2].line), (Some("down"), 4));
        assert_eq!(read[3].failed, None);
    }

    #[test]
    fn fields_of_results_have_their_usual_names_or_those_that_are_given() {
        let result = r#"{"sku":"a","body":"x","sim":0.5,"metadata":{"title":"t"}}"#;
        let line = format!(r#"{{"query_id":"q1","ms":2.5,"results":[{result}]}}"#);
        let found = |columns| read_with(&line, columns).unwrap().remove(0);
        let document = Document { id: "a".into(), title: "t".into(), text: "x".into() };
        let usual = found("");
        assert_eq!((usual.milliseconds, usual.results[0].score), (Some(2.5), 0.0));
        assert_eq!(usual.results[0].document, document);
        let named = found("document=sku,text=body,score=sim");
        assert_eq!((named.milliseconds, named.results[0].score), (Some(2.5), 0.5));
        assert_eq!(named.results[0].document, document);
        let error = read_with(&line.replace("0.5", "\"high\""), "score=sim").unwrap_err().to_string();
        assert!(error.contains("sim = \"high\""), "{error}");
        let error = read(&line.replace("sku", "id").replace("sim", "doc_id")).unwrap_err().to_string();
        assert!(error.contains("both doc_id and id"), "{error}");
    }

    #[test]
    fn other_fields_beside_its_own_are_ignored() {
        let result =
            r#"{"doc_id":"d7","chunk_id":3,"text":"t","passage":"p","snippet":"s","name":"n","heading":"h"}"#;
        let document = Document { id: "d7".into(), text: "t".into(), ..Document::default() };
        let line = format!(r#"{{"query_id":"q1","results":[{result}]}}"#);
        assert_eq!(read(&line).unwrap()[0].results[0].document, document);
        let named = read_with(&line, "document=chunk_id").unwrap();
        assert_eq!(named[0].results[0].document.id, "3", "what the user names counts");
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(br#"{"query_id":"q1","results":[{"doc_id":"d7","name":"n","body":"b"}]}"#).unwrap();
        let live = |results: QueryResults| {
            assert!(results.results[0].document.is_blank(), "a live system's own names only");
            Ok(())
        };
        read_results(file.path(), None, live).unwrap();
    }

    #[test]
    fn its_own_form_is_told_from_other_results() {
        for (line, named, own) in [
            (r#"{"query_id":"q1","results":[{"doc_id":"a","body":"x"}]}"#, "", true),
            (r#"{"query_id":"q1","results":[{"doc_id":"a","body":"x"}]}"#, "document=doc_id,text=body", true),
            (r#"{"query_id":"q1","q":"red wine","results":[{"doc_id":"a"}]}"#, "query=q", false),
            (r#"{"query_id":"q1","results":[{"doc_id":"a","place":1}]}"#, "rank=place", false),
            (r#"{"query_id":"q1","error":"down"}"#, "", true),
            (r#"{"query_id":"q1","hits":[]}"#, "", true),
            (r#"{"query_id":"q1","results":[NaN]}"#, "", true),
            (r#"{"query_id":"q1","doc_id":"a","text":"x","tags":[]}"#, "", false),
            (r#"{"query":"red wine","results":[{"doc_id":"a"}]}"#, "", false),
            ("query_id,doc_id,text", "", false),
            ("", "", true),
        ] {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(line.as_bytes()).unwrap();
            assert_eq!(is_results(file.path(), &named.parse().unwrap()).unwrap(), own, "{line}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (line, says) in [
            ("[]", "invalid length 0"),
            ("{\"results\":[]}", "missing field `query_id`"),
            ("{\"query_id\":\"q\"}", "neither results nor error"),
            ("{\"query_id\":\"q\",\"results\":[{\"text\":\"t\"}]}", "no doc_id in result 1"),
            (
                "{\"query_id\":\"q\",\"results\":[{\"doc_id\":\"a\",\"score\":1},{\"doc_id\":\"b\"}]}",
                "1 of 2 results",
            ),
            ("{\"query_id\":\"q\",\"results\":[{\"doc_id\":\"a\",\"score\":1e999}]}", "number out of range"),
            ("{\"query_id\":\"q\",\"results\":[],\"ms\":-1}", "ms = -1"),
            ("{\"query_id\":\"q\",\"results\":[],\"usd\":-1}", "usd = -1"),
            ("not json", "not true, false or null"),
        ] {
            let error =
                read(&format!("{{\"query_id\":\"q0\",\"results\":[]}}\n{line}\n")).unwrap_err().to_string();
            assert!(error.contains("line 2") && error.contains(says), "{line}: {error}");
        }
    }
}
