//! TREC's files: runs and qrels, read and written.

mod judges;
mod part;
mod prefs;
mod qrels;
mod run;
mod write;
mod zscores;

pub use judges::{JudgesFile, read_qrels_jg};
pub use prefs::{PreferencesFile, read_prefs, read_qrels_prefs};
pub(crate) use prefs::{PrefsForm, read as read_preferences};
pub(crate) use qrels::is_beir_header;
pub use qrels::{QrelsFile, QrelsNotes, read_qrels, read_qrels_order};
pub use run::{RunFile, RunNotes, RunOptions, read_run, read_run_alone};
pub use write::{write_prefs, write_qrels, write_qrels_jg, write_qrels_prefs, write_run};
pub use zscores::{ZscoresFile, ZscoresNotes, read_zscores};

/// A line that repeats an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// The line, from 1.
    pub line: u64,
    /// The topic that it is about.
    pub topic: String,
    /// The document that the topic already had.
    pub document: String,
}
