//! Reads a corpus of any size, once from beginning to end.

use std::path::Path;

use llull_core::Document;

use super::fields::CorpusFields;
use super::folder::{FolderNotes, read_folder};
use crate::{
    DataError,
    beir::beir_corpus,
    chunks::Chunks,
    error::shown_path,
    tables::{Role, Row, TableKind, TableNotes, TableSource, read_table},
};

/// Remarks on a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CorpusNotes {
    /// The number of documents, duplicates included.
    pub documents: u64,
    /// The number of documents with neither title nor text.
    pub blank: u64,
    /// How they were read.
    pub table: TableNotes,
    /// The same of a folder of texts.
    pub folder: Option<FolderNotes>,
}

/// Reads a corpus and passes each document to `each`, with its line, from 1, or 0 in JSON that is no list of lines. The
/// buffers of the document are reused: clone what must outlive the call.
///
/// A corpus is JSON lines; a table with a header (CSV, TSV, semicolons); lines of `id<TAB>text` or
/// `id<TAB>title<TAB>text`; a JSON list, an object with `documents` or by identifier, or a saved reply of a search
/// engine; a BEIR folder; or a folder of Markdown, text and HTML, which is cut into passages. Fields are found by their
/// usual names, such as `doc_id`, `title` and `text`; `fields` can name others. Of several texts each has its field's
/// name before it.
///
/// # Errors
/// Returns an error if the corpus cannot be read, a row has no identifier, or no document has a field that `fields`
/// names; and the first error of `each`, which ends the reading.
pub fn stream_corpus(
    path: impl AsRef<Path>,
    fields: &CorpusFields,
    mut each: impl FnMut(&Document, u64) -> Result<(), DataError>,
) -> Result<CorpusNotes, DataError> {
    read_through(path.as_ref(), fields, &mut |document, line| each(document, line))
}

pub(super) type Each<'a> = dyn FnMut(&Document, u64) -> Result<(), DataError> + 'a;

pub(super) fn read_through(
    path: &Path,
    fields: &CorpusFields,
    each: &mut Each<'_>,
) -> Result<CorpusNotes, DataError> {
    if path.is_dir() {
        return match beir_corpus(path) {
            Ok(corpus) => read_through(&corpus, fields, each),
            Err(_) => read_folder(path, fields.passage_tokens, each),
        };
    }
    let empty = || DataError::Empty {
        file: shown_path(path),
        wanted: "document",
        remedy: "It needs a header with id and text, JSON, or lines of id<TAB>text".to_owned(),
    };
    let columns = fields.columns();
    let source =
        TableSource::of(Chunks::open(path)?, path, TableKind::Documents, &columns).map_err(|_| empty())?;
    let (mut documents, mut blank) = (0, 0);
    let mut document = Document::default();
    let table = read_table(source, &mut |row: &Row<'_>| {
        let id = row.get(Role::Document).ok_or_else(|| row.missing(Role::Document))?;
        let (title, text) =
            (row.get(Role::Title).unwrap_or_default(), row.get(Role::Text).unwrap_or_default());
        for (field, value) in
            [(&mut document.id, id.trim()), (&mut document.title, &*title), (&mut document.text, &*text)]
        {
            field.clear();
            field.push_str(value);
        }
        documents += 1;
        blank += u64::from(document.is_blank());
        each(&document, row.place().line())
    })?;
    if documents == 0 {
        return Err(empty());
    }
    Ok(CorpusNotes { documents, blank, table, folder: None })
}
