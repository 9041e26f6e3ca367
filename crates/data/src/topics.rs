//! Topics: `id<TAB>text`, or JSON lines as BEIR has them.

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

/// Reads topics: TSV of two columns, `id<TAB>text`; or JSON lines with an identifier (`_id`, `id`, `query_id` or
/// `qid`) and a text (`text`, `query` or `query_text`; of several the first of these counts), known by the first
/// line's `{`; or a BEIR folder. A TSV whose first line is a header (`qid<TAB>query`, say) is read without it.
///
/// # Errors
/// When the file cannot be read, a line is neither, a topic has no text, or two lines have one identifier; or
/// there is no topic.
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
                what: format!("both are topic {id}"),
                remedy: "Give each topic its own identifier".into(),
            }));
        }
        topics.insert(Topic { id: id.into_owned(), text: text.into_owned() });
    }
    if topics.is_empty() {
        return Err(DataError::Empty {
            file: shown_path(path),
            wanted: "topic",
            remedy: format!("It needs lines of {FORMATS}"),
        });
    }
    Ok(topics)
}

const FORMATS: &str = "id<TAB>text, or JSON objects with \"_id\" and \"text\"";

/// Names of columns that no topic has as its identifier together with its text.
fn is_header(id: &str, text: &str) -> bool {
    let lower = |name: &str| name.trim().to_ascii_lowercase();
    matches!(lower(id).as_str(), "id" | "_id" | "qid" | "query_id" | "query-id" | "topic")
        && matches!(lower(text).as_str(), "text" | "query" | "query_text" | "query-text" | "title")
}

fn check(line: &Line<'_>, id: &str, text: &str) -> Result<(), DataError> {
    if id.trim().is_empty() {
        return Err(line.unexpected("a topic with an identifier", "Name the topic as the runs name it"));
    }
    if text.trim().is_empty() {
        return Err(line.wrong(
            None,
            format!("topic {id} without text"),
            "what the searcher asked",
            "Write it, or remove the topic",
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

/// What to do about a line of some other well-known format.
fn remedy(text: &str) -> &'static str {
    if text.starts_with('<') {
        "TREC's SGML topics are not read: convert them to one line per topic"
    } else if text.starts_with('[') {
        "A JSON array is not read: write one object per line"
    } else {
        "A tab, not spaces, stands between identifier and text"
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
