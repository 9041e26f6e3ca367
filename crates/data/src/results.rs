//! Reads a retriever's results with texts and times, from JSON lines.

use std::path::Path;

use llull_core::Document;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    DataError,
    json::{self, Id, Text},
    lines::{Line, Lines},
    tables::{ColumnName, Columns},
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
    #[serde(borrow, default)]
    results: Option<Vec<Found<'a>>>,
    #[serde(borrow, default)]
    error: Option<Text<'a>>,
    #[serde(default, alias = "latency_ms")]
    ms: Option<f64>,
    #[serde(default, alias = "cost_usd")]
    usd: Option<f64>,
}

#[derive(Deserialize)]
struct Found<'a> {
    #[serde(borrow, alias = "id", alias = "_id", alias = "docid")]
    doc_id: Id<'a>,
    #[serde(borrow, default)]
    title: Option<Text<'a>>,
    #[serde(borrow, default, alias = "content", alias = "page_content")]
    text: Option<Text<'a>>,
    #[serde(default)]
    score: Option<f64>,
}

/// Reads a retriever's results, query by query, from JSON lines. A line is an object with `query_id` and either
/// `results`, best first, or `error`. It may have `ms`, the time in milliseconds, and `usd`, the price. A result has a
/// `doc_id`, and perhaps `score`, `title` and `text`. Other fields are ignored.
///
/// # Errors
/// Returns an error that names the line if a line has another form, has neither `results` nor `error`, or has scores
/// for some results only. It also refuses a time or a price below 0, and returns the first error of `each`.
pub fn read_results(
    path: impl AsRef<Path>,
    mut each: impl FnMut(QueryResults) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let mut lines = Lines::open(path.as_ref())?;
    while let Some(line) = lines.next_filled()? {
        each(query_results(&line)?)?;
    }
    Ok(())
}

/// Returns whether a file has the form that [`read_results`] reads, and none of the fields that the user names.
/// Standard input, which can be read only once, is taken for such a file.
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
    let is_named = named.iter().any(|(_, fields)| fields.iter().any(is_there));
    // An empty list of another name is a typing error rather than another form.
    let is_empty = object.iter().all(|(key, value)| {
        ["query_id", "qid"].contains(&&**key) || value.as_array().is_some_and(Vec::is_empty)
    });
    let is_own = has(&["query_id", "qid"]) && (has(&["results", "error"]) || is_empty) && !is_named;
    if is_own {
        named.search(&[ColumnName::Title, ColumnName::Text]);
    }
    Ok(is_own)
}

fn query_results(line: &Line<'_>) -> Result<QueryResults, DataError> {
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
        (Some(results), None) => {
            let scored = results.iter().filter(|found| found.score.is_some()).count();
            if scored != 0 && scored != results.len() {
                return wrong(
                    format!("scores for {scored} of {} results", results.len()),
                    "Give every result a score, or none",
                );
            }
            read.results = results.into_iter().enumerate().map(found).collect();
        }
    }
    Ok(read)
}

fn found((place, found): (usize, Found<'_>)) -> FoundDocument {
    let text = |text: Option<Text<'_>>| text.map(|text| text.0.into_owned()).unwrap_or_default();
    FoundDocument {
        score: found.score.unwrap_or(-(place as f64)),
        document: Document {
            id: found.doc_id.0.into_owned(),
            title: text(found.title),
            text: text(found.text),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn read(text: &str) -> Result<Vec<QueryResults>, DataError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let mut all = Vec::new();
        read_results(file.path(), |results| {
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
    fn its_own_form_is_told_from_other_results() {
        for (line, named, own) in [
            (r#"{"query_id":"q1","results":[{"doc_id":"a","body":"x"}]}"#, "", true),
            (r#"{"query_id":"q1","results":[{"doc_id":"a","body":"x"}]}"#, "text=body", false),
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
            ("{\"query_id\":\"q\",\"results\":[{\"text\":\"t\"}]}", "missing field `doc_id`"),
            (
                "{\"query_id\":\"q\",\"results\":[{\"doc_id\":\"a\",\"score\":1},{\"doc_id\":\"b\"}]}",
                "1 of 2 results",
            ),
            ("{\"query_id\":\"q\",\"results\":[{\"doc_id\":\"a\",\"score\":1e999}]}", "number out of range"),
            ("{\"query_id\":\"q\",\"results\":[],\"ms\":-1}", "ms = -1"),
            ("{\"query_id\":\"q\",\"results\":[],\"usd\":-1}", "usd = -1"),
            ("not json", "expected ident"),
        ] {
            let error =
                read(&format!("{{\"query_id\":\"q0\",\"results\":[]}}\n{line}\n")).unwrap_err().to_string();
            assert!(error.contains("line 2") && error.contains(says), "{line}: {error}");
        }
    }
}
