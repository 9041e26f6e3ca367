//! A student: a small model that learned to grade by surface features.
//!
//! It learns from a judge's labels or from human labels.

mod features;
mod lessons;
mod meanings;
mod model;
mod saved;

pub use features::{STUDENT_FEATURES, STUDENT_MEANING, SurfaceFeatures};
pub use lessons::{HeldOutAgreement, StudentLessons};
pub use meanings::Meanings;
pub use model::{Student, StudentGrade, UngradedReason};
pub use saved::StudentError;
