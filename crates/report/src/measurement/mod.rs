//! Figures of systems with intervals, as `llull measure` and the Python package show them.

mod conventions;
mod figures;
mod warnings;

pub use conventions::{conventions, level_note, own_conventions, topics_note};
pub use figures::Measurement;
pub use warnings::{warning_of_unjudged, warning_of_unlabelled};
