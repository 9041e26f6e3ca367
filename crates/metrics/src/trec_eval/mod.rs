//! Names and groups of measures as trec_eval writes them.

mod groups;
mod names;

pub use groups::{TrecEvalMeasure, trec_eval_measures};
