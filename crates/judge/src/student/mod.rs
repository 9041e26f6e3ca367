//! A student: a small model that learned to grade by surface features.
//!
//! It learns from a judge's labels or from human labels.

mod features;
mod model;
mod saved;

pub use features::{Meanings, STUDENT_FEATURES, STUDENT_MEANING, SurfaceFeatures};
pub use model::{HeldOutAgreement, Student, StudentGrade, StudentLessons, UngradedReason};
pub use saved::StudentError;
