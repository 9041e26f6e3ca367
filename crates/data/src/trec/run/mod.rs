//! Runs in TREC's six columns: `qid Q0 docid rank score tag`.

mod block;
mod collector;
mod entry;
mod file;
mod keep;
mod rank_check;
mod read;
mod run_chunk;

pub use file::{ReadRunOptions, RunFile, RunNotes, RunOrder, ThirdColumn};
pub use rank_check::{ContradictionKind, RunContradiction};
pub use read::{VisitedRun, read_run, read_run_alone, visit_run};
