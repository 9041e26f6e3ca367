//! Reads a corpus of any size, once from beginning to end.

use std::path::Path;

use indexmap::IndexMap;
use indexmap::map::Entry;
use llull_core::Document;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use serde::Serialize;

use super::folder::{FolderNotes, read_folder};
use crate::beir::beir_corpus;
use crate::chunks::Chunks;
use crate::error::shown_path;
use crate::tables::{ColumnName, Columns, Role, Row, TableKind, TableNotes, TableSource, read_table};
use crate::{Conflict, DataError, RowPlace};

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

/// Reads a corpus and passes each document to `each`, with its place. The buffers of the document are reused:
/// clone what must outlive the call.
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
    mut each: impl FnMut(&Document, RowPlace) -> Result<(), DataError>,
) -> Result<CorpusNotes, DataError> {
    read_through(path.as_ref(), fields, &mut |document, place, _| each(document, place))
}

/// Takes a document with its place, and with its row if it has one.
pub(super) type Each<'a> = dyn FnMut(&Document, RowPlace, Option<&Row<'_>>) -> Result<(), DataError> + 'a;

fn read_through(path: &Path, fields: &CorpusFields, each: &mut Each<'_>) -> Result<CorpusNotes, DataError> {
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
    let mut texts: FxHashSet<String> = FxHashSet::default();
    let table = read_table(source, &mut |row: &Row<'_>| {
        let id = row.get(Role::Document).ok_or_else(|| row.missing(Role::Document))?;
        // Chunks repeat headers and footers, and one text is one document.
        if row.is_by_text() && !texts.insert(id.clone().into_owned()) {
            documents += 1;
            return Ok(());
        }
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
        each(&document, row.place().in_file(), Some(row))
    })?;
    if documents == 0 {
        return Err(empty());
    }
    Ok(CorpusNotes { documents, blank, table, folder: None })
}

/// The metadata of documents, by identifier.
pub type DocumentMetadata = FxHashMap<String, Vec<(String, String)>>;

/// The most characters of a document's metadata, names included: a field may hold a page, or a vector.
const MOST_METADATA: usize = 1_000;

/// Documents by identifier, in the order of the corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Documents {
    /// The wanted documents that were found. A wanted document that is missing here is not in the corpus.
    pub found: IndexMap<String, Document, FxBuildHasher>,
    /// The places of the documents found, in the same order.
    pub places: Vec<RowPlace>,
    /// The metadata of the documents found that have some: the names of the fields without a role, with their values,
    /// in the order of the corpus, up to about 1,000 characters.
    pub metadata: DocumentMetadata,
    /// Remarks on the corpus.
    pub notes: CorpusNotes,
}

impl Documents {
    /// Returns the documents found that have neither title nor text, with their places. They cannot be judged.
    pub fn blank(&self) -> impl Iterator<Item = (&str, &RowPlace)> {
        let pairs = self.found.values().zip(&self.places);
        pairs
            .filter(|(document, _)| document.is_blank())
            .map(|(document, place)| (document.id.as_str(), place))
    }
}

/// Reads a corpus, as [`stream_corpus`](super::stream_corpus) does, and keeps the documents that are
/// `wanted`. Every document, wanted or not, is passed to `observe`, for example to build an index.
///
/// # Errors
/// Returns an error in the same cases as [`stream_corpus`](super::stream_corpus), and if a wanted document
/// occurs twice with different texts. (A repetition of the same text is harmless; duplicates of other
/// documents are not looked for.)
pub fn read_documents(
    path: impl AsRef<Path>,
    fields: &CorpusFields,
    wanted: impl Fn(&str) -> bool,
    observe: &mut dyn FnMut(&Document),
) -> Result<Documents, DataError> {
    let mut documents = Documents::default();
    let Documents { found, places, metadata, .. } = &mut documents;
    let notes = read_through(path.as_ref(), fields, &mut |document, place, row| {
        observe(document);
        if !wanted(&document.id) {
            return Ok(());
        }
        match found.entry(document.id.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(document.clone());
                places.push(place);
                let own = row.map_or_else(Vec::new, metadata_of);
                if !own.is_empty() {
                    metadata.insert(document.id.clone(), own);
                }
                Ok(())
            }
            Entry::Occupied(entry) if entry.get() == document => Ok(()),
            Entry::Occupied(entry) => Err(DataError::from(Conflict {
                file: shown_path(path.as_ref()),
                first: places.get(entry.index()).cloned(),
                second: place,
                what: format!("both are document {}, with different texts", document.id),
                remedy: "Give each document its own identifier, or remove one".into(),
            })),
        }
    })?;
    documents.notes = notes;
    Ok(documents)
}

fn metadata_of(row: &Row<'_>) -> Vec<(String, String)> {
    let mut kept = Vec::new();
    let mut room = MOST_METADATA;
    for (field, value) in row.metadata() {
        room = room.saturating_sub(field.chars().count());
        if room == 0 {
            break;
        }
        if let Some((end, _)) = value.char_indices().nth(room) {
            kept.push((field.to_owned(), format!("{}…", &value[..end])));
            break;
        }
        room -= value.chars().count();
        kept.push((field.to_owned(), value.to_owned()));
    }
    kept
}

/// Which fields of a JSON corpus are read, where they are not the usual ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CorpusFields {
    /// The field with the identifier; `None` looks for `_id`, `id`, `docid` and `doc_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The field with the title; `None` is `title`, unless [`text`](Self::text) names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The fields that make up the text, in this order, each on lines of its own. Empty looks for `text`, `contents`,
    /// `content`, `body` and `segment`, of which the first counts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
    /// Fields that are left out on purpose, and so are no remark.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// The most estimated tokens of a passage of a folder of texts; 0 for whole files, `None` for
    /// [`DEFAULT_PASSAGE_TOKENS`](llull_core::DEFAULT_PASSAGE_TOKENS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passage_tokens: Option<u32>,
    /// The columns that the user names for all files; those above come first.
    #[serde(skip_serializing_if = "Columns::is_empty")]
    pub columns: Columns,
}

impl CorpusFields {
    /// Returns whether documents are read as without any settings.
    pub fn is_usual(&self) -> bool {
        self.passage_tokens.is_none()
            && self.id.is_none()
            && self.title.is_none()
            && self.text.is_empty()
            && self.columns.is_empty()
    }

    /// Returns the columns to read.
    pub(super) fn columns(&self) -> Columns {
        let mut columns = self.columns.clone();
        let one = |field: &Option<String>| field.iter().cloned().collect();
        for (name, fields) in [
            (ColumnName::Document, one(&self.id)),
            (ColumnName::Title, one(&self.title)),
            (ColumnName::Text, self.text.clone()),
        ] {
            if !fields.is_empty() {
                columns.require(name, fields);
            }
        }
        columns.ignore(&self.ignore);
        columns
    }
}
