//! Queries: `id<TAB>text`, or JSON lines in BEIR's form.

use std::{borrow::Cow, path::Path};

use llull_core::{Topic, Topics};
use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::{
    Conflict, DataError,
    beir::beir_queries,
    error::shown_path,
    json::{self, Id, Text},
    lines::{Line, Lines},
};

/// Reads queries: TSV of two columns, `id<TAB>text`; or JSON lines with an identifier (`_id`, `id`,
/// `query_id` or `qid`) and a text (`text`, `query` or `query_text`; the first of these counts), detected by
/// the `{` of the first line; or a BEIR folder. If the first line of a TSV is a header (such as
/// `qid<TAB>query`), it is skipped.
///
/// # Errors
/// Returns an error if the file cannot be read, a line has neither form, a query has no text, two lines have
/// the same identifier, or there is no query.
pub fn read_topics(path: impl AsRef<Path>) -> Result<Topics, DataError> {
    let path = path.as_ref();
    if path.is_dir() {
        return read_topics(beir_queries(path)?);
    }
    let mut lines = Lines::open(path)?;
    let mut topics = Topics::default();
    let mut places: FxHashMap<String, u64> = FxHashMap::default();
    let mut format = None;
    while let Some(line) = lines.next_filled()? {
        let first = format.is_none();
        let json = *format.get_or_insert_with(|| line.text.trim_start().starts_with('{'));
        let (id, text) = if json { from_json(&line)? } else { from_tsv(&line)? };
        if first && !json && is_header(&id, &text) {
            continue;
        }
        check(&line, &id, &text)?;
        if let Some(before) = places.insert(id.clone().into_owned(), line.number) {
            return Err(DataError::from(Conflict {
                file: line.file.to_owned(),
                first: Some(before),
                second: line.number,
                what: format!("both are query {id}"),
                remedy: "Give each query its own identifier".into(),
            }));
        }
        topics.insert(Topic { id: id.into_owned(), text: text.into_owned() });
    }
    if topics.is_empty() {
        return Err(DataError::Empty {
            file: shown_path(path),
            wanted: "query",
            remedy: format!("It needs lines of {FORMATS}"),
        });
    }
    Ok(topics)
}

const FORMATS: &str = "id<TAB>text, or JSON objects with \"_id\" and \"text\"";

/// Returns whether a line is a header: no query has such an identifier together with such a text.
fn is_header(id: &str, text: &str) -> bool {
    let lower = |name: &str| name.trim().to_ascii_lowercase();
    matches!(lower(id).as_str(), "id" | "_id" | "qid" | "query_id" | "query-id" | "topic")
        && matches!(lower(text).as_str(), "text" | "query" | "query_text" | "query-text" | "title")
}

fn check(line: &Line<'_>, id: &str, text: &str) -> Result<(), DataError> {
    if id.trim().is_empty() {
        return Err(line.unexpected("a query with an identifier", "Use the identifier of the runs"));
    }
    if text.trim().is_empty() {
        return Err(line.wrong(
            None,
            format!("query {id} without text"),
            "what the searcher asked",
            "Write it, or remove the query",
        ));
    }
    Ok(())
}

fn from_tsv<'a>(line: &Line<'a>) -> Result<(Cow<'a, str>, Cow<'a, str>), DataError> {
    let Some((id, text)) = line.text.split_once('\t') else {
        return Err(line.unexpected(FORMATS, remedy(line.text)));
    };
    if text.contains('\t') {
        let found = line.text.split('\t').count();
        return Err(line.wrong(
            None,
            format!("{found} columns"),
            "two, id<TAB>text",
            "Replace the tab inside the text by a space",
        ));
    }
    Ok((Cow::Borrowed(id.trim()), Cow::Borrowed(text.trim())))
}

/// Returns what to do about a line of another well-known format.
fn remedy(text: &str) -> &'static str {
    if text.starts_with('<') {
        "TREC's SGML topics are not read: convert them to one line per query"
    } else if text.starts_with('[') {
        "A JSON array is not read: write one object per line"
    } else {
        "Put a tab, not spaces, between identifier and text"
    }
}

#[derive(Deserialize)]
struct Row<'a> {
    #[serde(borrow)]
    _id: Option<Id<'a>>,
    #[serde(borrow)]
    id: Option<Id<'a>>,
    #[serde(borrow)]
    query_id: Option<Id<'a>>,
    #[serde(borrow)]
    qid: Option<Id<'a>>,
    #[serde(borrow)]
    text: Option<Text<'a>>,
    #[serde(borrow)]
    query: Option<Text<'a>>,
    #[serde(borrow)]
    query_text: Option<Text<'a>>,
}

fn from_json<'a>(line: &Line<'a>) -> Result<(Cow<'a, str>, Cow<'a, str>), DataError> {
    let row: Row<'a> = json::parse(line, "a JSON object with \"_id\" and \"text\"")?;
    let id = row._id.or(row.id).or(row.query_id).or(row.qid).ok_or_else(|| {
        line.wrong(None, "no identifier", "one of \"_id\", \"id\", \"query_id\" and \"qid\"", "")
    })?;
    let text =
        row.text.or(row.query).or(row.query_text).ok_or_else(|| {
            line.wrong(None, "no text", "one of \"text\", \"query\" and \"query_text\"", "")
        })?;
    Ok((id.0, text.0))
}
