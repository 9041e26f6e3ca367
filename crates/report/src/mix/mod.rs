//! Labels of two sources: numbers, scale, and the verdict by each alone.

mod section;
mod sentences;

pub use section::{LabelMix, LabelSource, MixCalibration, MixedGrade, SingleSourceDecision};
