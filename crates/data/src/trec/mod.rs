//! TREC's files: runs, qrels, preferences and z-scores, read and written.

mod parsed_chunk;
mod preferences;
mod qrels;
mod qrels_jg;
mod repeat;
mod run;
mod write;
mod zscores;

pub(crate) use crate::error::output;
pub use preferences::{PreferencesFile, read_prefs, read_qrels_prefs};
pub(crate) use preferences::{PrefsForm, read as read_preferences};
pub use qrels::{
    OptionForm, QrelsFile, QrelsNotes, ReadQrelsOptions, RepeatedGrades, read_qrels, read_qrels_order_with,
    read_qrels_with,
};
pub use qrels_jg::{JudgesFile, read_qrels_jg};
pub use repeat::Repeat;
pub use run::{
    ContradictionKind, ReadRunOptions, RunContradiction, RunFile, RunNotes, RunOrder, ThirdColumn,
    VisitedRun, read_result_texts, read_run, read_run_alone, visit_run,
};
pub use write::{
    check_identifiers, check_trec_pair, write_prefs, write_qrels, write_qrels_prefs, write_run,
    write_sourced_qrels,
};
pub(crate) use write::{column, first_column};
pub use zscores::{ZscoresFile, ZscoresNotes, read_zscores};
