//! The corpus: read once from beginning to end, of any size; only the wanted documents are kept.

use std::{borrow::Cow, path::Path};

use indexmap::{IndexMap, map::Entry};
use llull_core::Document;
use rustc_hash::FxBuildHasher;
use serde::Deserialize;

use crate::{
    Conflict, DataError,
    beir::beir_corpus,
    error::shown_path,
    json::{self, Id, Text},
    lines::{Line, Lines},
};

/// Remarks on a corpus.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CorpusNotes {
    /// The number of documents, duplicates included.
    pub documents: u64,
    /// The number of documents with neither title nor text.
    pub blank: u64,
}

/// Reads a corpus and passes each document to `each`, with its line, from 1. The buffers of the document are
/// reused: clone what must outlive the call.
///
/// TSV is `id<TAB>text` or `id<TAB>title<TAB>text`, depending on its first line; further tabs belong to the
/// text. JSON lines, detected by the `{` of the first line, have an identifier (`_id`, `id`, `docid` or
/// `doc_id`), a text (`text`, `contents`, `content`, `body` or `segment`; the first of these counts) and
/// optionally a `title`. A folder is a BEIR folder.
///
/// # Errors
/// Returns an error if the corpus cannot be read, a line has neither form, or a line has no identifier; and
/// the first error of `each`, which ends the reading.
pub fn stream_corpus(
    path: impl AsRef<Path>,
    mut each: impl FnMut(&Document, u64) -> Result<(), DataError>,
) -> Result<CorpusNotes, DataError> {
    read_through(path.as_ref(), &mut |document, line| each(document, line.number))
}

/// Documents by identifier, in the order of the corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Documents {
    /// The wanted documents that were found. A wanted document that is missing here is not in the corpus.
    pub found: IndexMap<String, Document, FxBuildHasher>,
    /// The lines, from 1, of the documents found, in the same order.
    pub lines: Vec<u64>,
    /// Remarks on the corpus.
    pub notes: CorpusNotes,
}

impl Documents {
    /// Returns the documents found that have neither title nor text, with their lines. They cannot be judged.
    pub fn blank(&self) -> impl Iterator<Item = (&str, u64)> {
        let pairs = self.found.values().zip(&self.lines);
        pairs
            .filter(|(document, _)| document.is_blank())
            .map(|(document, line)| (document.id.as_str(), *line))
    }
}

/// Reads a corpus and keeps the documents that are `wanted`. Every document, wanted or not, is passed to
/// `observe`, for example to build an index.
///
/// # Errors
/// Returns an error in the same cases as [`stream_corpus`], and if a wanted document occurs twice with
/// different texts. (A repetition of the same text is harmless; duplicates of other documents are not looked
/// for.)
pub fn read_documents(
    path: impl AsRef<Path>,
    wanted: impl Fn(&str) -> bool,
    observe: &mut dyn FnMut(&Document),
) -> Result<Documents, DataError> {
    let mut documents = Documents::default();
    let (found, lines) = (&mut documents.found, &mut documents.lines);
    let notes = read_through(path.as_ref(), &mut |document, line| {
        observe(document);
        if !wanted(&document.id) {
            return Ok(());
        }
        match found.entry(document.id.clone()) {
            Entry::Vacant(place) => {
                place.insert(document.clone());
                lines.push(line.number);
                Ok(())
            }
            Entry::Occupied(place) if place.get() == document => Ok(()),
            Entry::Occupied(place) => Err(DataError::from(Conflict {
                file: line.file.to_owned(),
                first: lines.get(place.index()).copied(),
                second: line.number,
                what: format!("both are document {}, with different texts", document.id),
                remedy: "Give each document its own identifier, or remove one".into(),
            })),
        }
    })?;
    documents.notes = notes;
    Ok(documents)
}

type Each<'a> = dyn FnMut(&Document, &Line<'_>) -> Result<(), DataError> + 'a;

fn read_through(path: &Path, each: &mut Each<'_>) -> Result<CorpusNotes, DataError> {
    if path.is_dir() {
        return read_through(&beir_corpus(path)?, each);
    }
    let mut lines = Lines::open(path)?;
    let mut notes = CorpusNotes::default();
    let mut document = Document::default();
    let mut format = None;
    while let Some(line) = lines.next_filled()? {
        let row = match format {
            None => {
                let (found, header) = Format::of(&line)?;
                format = Some(found);
                if header {
                    continue;
                }
                found.parse(&line)?
            }
            Some(format) => format.parse(&line)?,
        };
        if row.id.trim().is_empty() {
            return Err(line.unexpected("a document with an identifier", "Use the identifier of the runs"));
        }
        fill(&mut document, &row);
        notes.documents += 1;
        notes.blank += u64::from(document.is_blank());
        each(&document, &line)?;
    }
    if notes.documents == 0 {
        return Err(DataError::Empty {
            file: shown_path(path),
            wanted: "document",
            remedy: format!("It needs lines of {FORMATS}"),
        });
    }
    Ok(notes)
}

fn fill(document: &mut Document, row: &Row<'_>) {
    for (field, value) in
        [(&mut document.id, &row.id), (&mut document.title, &row.title), (&mut document.text, &row.text)]
    {
        field.clear();
        field.push_str(value);
    }
}

const FORMATS: &str =
    "id<TAB>text, id<TAB>title<TAB>text, or JSON objects with \"_id\", \"text\" and perhaps \"title\"";

struct Row<'a> {
    id: Cow<'a, str>,
    title: Cow<'a, str>,
    text: Cow<'a, str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    /// `id<TAB>text`
    Two,
    /// `id<TAB>title<TAB>text`
    Three,
}

impl Format {
    /// Returns the format according to the first line, and whether that line is a header.
    fn of(line: &Line<'_>) -> Result<(Self, bool), DataError> {
        if line.text.trim_start().starts_with('{') {
            return Ok((Self::Json, false));
        }
        let columns: Vec<&str> = line.text.split('\t').map(str::trim).collect();
        let header = columns.iter().all(|name| {
            matches!(
                name.to_ascii_lowercase().as_str(),
                "id" | "_id" | "docid" | "doc_id" | "title" | "text" | "contents" | "content" | "body"
            )
        });
        match columns.len() {
            2 => Ok((Self::Two, header)),
            3 => Ok((Self::Three, header)),
            _ => Err(line.unexpected(FORMATS, remedy(line.text))),
        }
    }

    fn parse<'a>(self, line: &Line<'a>) -> Result<Row<'a>, DataError> {
        let columns = match self {
            Self::Json => return from_json(line),
            Self::Two => line.text.split_once('\t').map(|(id, text)| (id, "", text)),
            Self::Three => line.text.split_once('\t').and_then(|(id, rest)| {
                let (title, text) = rest.split_once('\t')?;
                Some((id, title, text))
            }),
        };
        let (id, title, text) = columns.ok_or_else(|| {
            let found = line.text.split('\t').count();
            line.wrong(
                None,
                format!("{found} column{}", if found == 1 { "" } else { "s" }),
                if self == Self::Two { "two, id<TAB>text" } else { "three, id<TAB>title<TAB>text" },
                "Every line has as many as the first",
            )
        })?;
        Ok(Row { id: Cow::Borrowed(id.trim()), title: Cow::Borrowed(title), text: Cow::Borrowed(text) })
    }
}

/// Returns what to do about a line of another well-known format.
fn remedy(text: &str) -> &'static str {
    if text.starts_with('<') {
        "TREC's SGML documents are not read: convert them to one line per document"
    } else if text.starts_with('[') {
        "A JSON array is not read: write one object per line"
    } else {
        "Put a tab, not spaces, between the columns"
    }
}

#[derive(Deserialize)]
struct Object<'a> {
    #[serde(borrow)]
    _id: Option<Id<'a>>,
    #[serde(borrow)]
    id: Option<Id<'a>>,
    #[serde(borrow)]
    docid: Option<Id<'a>>,
    #[serde(borrow)]
    doc_id: Option<Id<'a>>,
    #[serde(borrow)]
    title: Option<Text<'a>>,
    #[serde(borrow)]
    text: Option<Text<'a>>,
    #[serde(borrow)]
    contents: Option<Text<'a>>,
    #[serde(borrow)]
    content: Option<Text<'a>>,
    #[serde(borrow)]
    body: Option<Text<'a>>,
    #[serde(borrow)]
    segment: Option<Text<'a>>,
}

fn from_json<'a>(line: &Line<'a>) -> Result<Row<'a>, DataError> {
    let object: Object<'a> = json::parse(line, "a JSON object with \"_id\" and \"text\"")?;
    let id = object._id.or(object.id).or(object.docid).or(object.doc_id).ok_or_else(|| {
        line.wrong(None, "no identifier", "one of \"_id\", \"id\", \"docid\" and \"doc_id\"", "")
    })?;
    let text = object.text.or(object.contents).or(object.content).or(object.body).or(object.segment);
    let text = text.ok_or_else(|| {
        line.wrong(
            None,
            format!("document {} without a text", id.0),
            "one of \"text\", \"contents\", \"content\", \"body\" and \"segment\"",
            "",
        )
    })?;
    let title = object.title.map_or(Cow::Borrowed(""), |title| title.0);
    Ok(Row { id: id.0, title, text: text.0 })
}
