//! Reads a corpus in one pass: JSON lines, columns or BEIR.

mod documents;
mod fields;
mod read;

pub use documents::{Documents, read_documents};
pub use fields::CorpusFields;
pub use read::{CorpusNotes, stream_corpus};
