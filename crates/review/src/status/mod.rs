//! The progress of a study's human labels.
//!
//! It has the labels so far, the agreement of annotators and judges, and the course of the decision. The pages of a
//! review show none of it, because they are blind.

mod agreement;
mod course;
mod expected;
mod human_labels_status;
mod labels_over_time;
mod marked;

pub use agreement::{AnnotatorAgreement, PairAgreement};
pub use course::{CourseEstimate, CoursePoint, DecisionCourse};
pub use expected::{ExpectedAt, ExpectedHalfWidth};
pub use human_labels_status::{AnnotatorProgress, HumanLabelsStatus, PickedAnswers, SampleProgress};
pub use marked::SetAside;
