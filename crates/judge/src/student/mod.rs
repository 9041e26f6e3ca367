//! A student: a small model that grades by what query and document show without being read, learnt from a judge's
//! labels or from people's.

mod features;
mod lessons;
mod model;
mod saved;

pub use features::{STUDENT_FEATURES, SurfaceFeatures};
pub use lessons::{HeldOutAgreement, StudentLessons};
pub use model::{Student, StudentGrade};
pub use saved::StudentError;
