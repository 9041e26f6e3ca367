//! Runs in TREC's six columns: `qid Q0 docid rank score tag`.

mod block;
mod collector;
mod entry;
mod file;
mod keep;
mod of_table;
mod plain_rows;
mod rank_check;
mod read;
mod run_chunk;

pub use file::{ReadRunOptions, RunFile, RunNotes, RunOrder, ThirdColumn};
pub(in crate::trec) use of_table::QueryNames;
pub use of_table::read_result_texts;
pub use rank_check::{ContradictionKind, RunContradiction};
pub use read::{VisitedRun, read_run, read_run_alone, visit_run};
