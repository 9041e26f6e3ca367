//! Labels of two sources: what each gave, how they came to one scale, and the verdict without mixing.

mod section;
mod sentences;

pub use section::{LabelMix, LabelSource, MixCalibration, MixedGrade, SingleSourceDecision};
