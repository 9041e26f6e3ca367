//! Reads a corpus in one pass: a table, JSON, BEIR, or a folder of texts.

mod folder;
mod html;
mod read;

pub use folder::{FolderNotes, corpus_files, is_corpus_text};
pub use read::{CorpusFields, CorpusNotes, DocumentMetadata, Documents, read_documents, stream_corpus};
