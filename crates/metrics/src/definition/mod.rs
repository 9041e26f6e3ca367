//! The definition of a measure.
//!
//! It has names, parameters, range, source, and the function that computes it.

mod alias;
mod fields;
mod labels;
mod linear;
mod range;
mod reach;

pub(crate) use alias::{Alias, Meaning, WrittenBehind};
pub use fields::Definition;
pub use labels::LabelsRead;
pub(crate) use linear::Linear;
pub use range::ValueRange;
pub(crate) use reach::{Depth, Suffix, Ties};
