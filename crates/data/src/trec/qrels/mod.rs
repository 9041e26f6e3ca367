//! Qrels in TREC's four columns or BEIR's three.
//!
//! These are `qid iter docid grade`, and `query-id corpus-id score` under that header.

mod collector;
mod layout;
mod read;

pub(in crate::trec) use collector::{GRADES, graded_and_dropped};
pub(in crate::trec) use layout::{DROPPED, MEAN, mean_in};
pub use read::{
    OptionForm, QrelsFile, QrelsNotes, ReadQrelsOptions, RepeatedGrades, read_qrels, read_qrels_order_with,
    read_qrels_with,
};
