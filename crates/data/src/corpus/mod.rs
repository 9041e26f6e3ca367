//! Reads a corpus in one pass: a table, JSON, BEIR, or a folder of texts.

mod documents;
mod fields;
mod folder;
mod html;
mod read;

pub use documents::{Documents, read_documents};
pub use fields::CorpusFields;
pub use folder::{FolderNotes, corpus_files, is_corpus_text};
pub use read::{CorpusNotes, stream_corpus};
