//! From a name to a measure: ir_measures' notation, and the names of trec_eval and ranx.

mod error;
mod names;
mod nearest;
mod parameters;
mod text;

pub use error::MeasureError;
pub(crate) use parameters::{cutoff_from, number, whole};
pub(crate) use text::Parts;
