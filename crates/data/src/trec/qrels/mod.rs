//! Qrels in TREC's four columns or BEIR's three.
//!
//! These are `qid iter docid grade`, and `query-id corpus-id score` under that header.

mod collector;
mod file;
mod labels;
mod layout;
mod of_table;
mod options;
mod order;
mod read;

pub(in crate::trec) use collector::graded_and_dropped;
pub use file::{QrelsFile, QrelsNotes};
pub(in crate::trec) use layout::DROPPED;
pub use options::{ReadQrelsOptions, RepeatedGrades};
pub(in crate::trec) use order::GRADES;
pub use read::{read_qrels, read_qrels_order, read_qrels_order_with, read_qrels_with};
