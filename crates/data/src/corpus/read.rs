//! Reads a corpus of any size, once from beginning to end.

use std::path::Path;

use llull_core::Document;

use super::{
    fields::CorpusFields,
    format::Row,
    format::{FORMATS, Format},
    object::CorpusObject,
};
use crate::{
    DataError,
    beir::beir_corpus,
    error::shown_path,
    identifier::check_identifier,
    lines::{Line, Lines},
    unread::UnreadField,
};

/// Remarks on a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CorpusNotes {
    /// The number of documents, duplicates included.
    pub documents: u64,
    /// The number of documents with neither title nor text.
    pub blank: u64,
    /// The fields of JSON objects that are not read and hold something, in the order in which they were met.
    pub unread: Vec<UnreadField>,
}

/// Reads a corpus and passes each document to `each`, with its line, from 1. The buffers of the document are
/// reused: clone what must outlive the call.
///
/// TSV is `id<TAB>text` or `id<TAB>title<TAB>text`, depending on its first line; further tabs belong to the
/// text. JSON lines, detected by the `{` of the first line, have an identifier (`_id`, `id`, `docid` or
/// `doc_id`), a text (`text`, `contents`, `content`, `body` or `segment`; the first of these counts) and
/// optionally a `title`; `fields` can name others. A folder is a BEIR folder.
///
/// # Errors
/// Returns an error if the corpus cannot be read, a line has neither form, a line has no identifier, or no document
/// has a field that `fields` names; and the first error of `each`, which ends the reading.
pub fn stream_corpus(
    path: impl AsRef<Path>,
    fields: &CorpusFields,
    mut each: impl FnMut(&Document, u64) -> Result<(), DataError>,
) -> Result<CorpusNotes, DataError> {
    read_through(path.as_ref(), fields, &mut |document, line| each(document, line.number))
}

type Each<'a> = dyn FnMut(&Document, &Line<'_>) -> Result<(), DataError> + 'a;

pub(super) fn read_through(
    path: &Path,
    fields: &CorpusFields,
    each: &mut Each<'_>,
) -> Result<CorpusNotes, DataError> {
    if path.is_dir() {
        return read_through(&beir_corpus(path)?, fields, each);
    }
    let mut lines = Lines::open(path)?;
    let mut notes = CorpusNotes::default();
    let mut document = Document::default();
    let mut format = None;
    let mut objects = CorpusObject::new(fields);
    while let Some(line) = lines.next_filled()? {
        let row = match format {
            None => {
                let (found, header) = Format::of(&line)?;
                if found != Format::Json && !fields.is_usual() {
                    return Err(super::format::without_names(&line));
                }
                format = Some(found);
                if header {
                    continue;
                }
                found.parse(&line, &mut objects)?
            }
            Some(format) => format.parse(&line, &mut objects)?,
        };
        if row.id.trim().is_empty() {
            return Err(line.unexpected("a document with an identifier", "Use the identifier of the runs"));
        }
        check_identifier(&line, &row.id)?;
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
    notes.unread = objects.finish(&shown_path(path))?;
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
