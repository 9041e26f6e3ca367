//! The notation of measures: ir_measures', trec_eval's and ranx's.

mod arguments;
mod check;
mod error;
mod parse;
mod written;

pub(crate) use arguments::{cutoff_from, refused, split_arguments};
pub use error::MeasureError;
pub(crate) use parse::Parts;
pub use written::WrittenMeasure;
