//! A student: a small model that grades by what query and document show without being read, learnt from a judge's
//! labels or from people's.

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
