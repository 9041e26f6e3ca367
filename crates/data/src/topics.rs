//! Queries: `id<TAB>text`, or JSON lines in BEIR's form.

use std::{borrow::Cow, path::Path};

use llull_core::{Topic, Topics};
use rustc_hash::FxHashMap;

use crate::{
    Conflict, DataError,
    beir::beir_queries,
    error::shown_path,
    identifier::check_identifier,
    lines::{Line, Lines},
    object::{Kind, ObjectReader},
    unread::UnreadField,
};

/// The queries of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TopicsFile {
    /// The queries.
    pub topics: Topics,
    /// The fields of JSON objects that are not read and hold something, in the order in which they were met.
    pub unread: Vec<UnreadField>,
}

/// Reads queries: TSV of two columns, `id<TAB>text`; or JSON lines with an identifier (`_id`, `id`,
/// `query_id` or `qid`) and a text (`text`, `query` or `query_text`; the first of these counts), detected by
/// the `{` of the first line; or a BEIR folder. If the first line of a TSV is a header (such as
/// `qid<TAB>query`), it is skipped.
///
/// # Errors
/// Returns an error if the file cannot be read, a line has neither form, a query has no text, two lines have
/// the same identifier, or there is no query.
pub fn read_topics(path: impl AsRef<Path>) -> Result<Topics, DataError> {
    read_topics_file(path).map(|file| file.topics)
}

/// Reads queries, as [`read_topics`] does, with remarks on the file.
///
/// # Errors
/// Returns an error in the same cases as [`read_topics`].
pub fn read_topics_file(path: impl AsRef<Path>) -> Result<TopicsFile, DataError> {
    let path = path.as_ref();
    if path.is_dir() {
        return read_topics_file(beir_queries(path)?);
    }
    let mut lines = Lines::open(path)?;
    let mut topics = Topics::default();
    let mut places: FxHashMap<String, u64> = FxHashMap::default();
    let mut format = None;
    let mut objects = TopicObject::new();
    while let Some(line) = lines.next_filled()? {
        let first = format.is_none();
        let json = *format.get_or_insert_with(|| line.text.trim_start().starts_with('{'));
        let (id, text) = if json { objects.read(&line)? } else { from_tsv(&line)? };
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
    Ok(TopicsFile { topics, unread: objects.objects.finish() })
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
    check_identifier(line, id)?;
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

/// Returns advice about a line of another well-known format.
fn remedy(text: &str) -> &'static str {
    if text.starts_with('<') {
        "TREC's SGML topics are not read: convert them to one line per query"
    } else if text.starts_with('[') {
        "A JSON array is not read: write one object per line"
    } else {
        "Put a tab, not spaces, between identifier and text"
    }
}

const IDS: [&str; 4] = ["_id", "id", "query_id", "qid"];
const TEXTS: [&str; 3] = ["text", "query", "query_text"];

/// Reads queries of JSON lines.
struct TopicObject {
    objects: ObjectReader,
    ids: [usize; 4],
    texts: [usize; 3],
}

impl TopicObject {
    fn new() -> Self {
        let mut objects = ObjectReader::new(&[]);
        let ids = IDS.map(|id| objects.slot(id, Kind::Id));
        let texts = TEXTS.map(|text| objects.slot(text, Kind::Text));
        Self { objects, ids, texts }
    }

    fn read<'a>(&mut self, line: &Line<'a>) -> Result<(Cow<'a, str>, Cow<'a, str>), DataError> {
        let mut values = self.objects.read(line, "a JSON object with \"_id\" and \"text\"")?;
        let id = self.ids.iter().find_map(|slot| values.take(*slot)).ok_or_else(|| {
            line.wrong(None, "no identifier", "one of \"_id\", \"id\", \"query_id\" and \"qid\"", "")
        })?;
        let text = self.texts.iter().find_map(|slot| values.take(*slot)).ok_or_else(|| {
            line.wrong(None, "no text", "one of \"text\", \"query\" and \"query_text\"", "")
        })?;
        // The first text counts, so later fields are not read.
        for slot in self.texts {
            if values.take(slot).is_some_and(|other| !other.trim().is_empty()) {
                self.objects.unread(slot, line.number);
            }
        }
        Ok((id, text))
    }
}
