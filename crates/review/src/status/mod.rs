//! The progress of a study's human labels.
//!
//! It has the labels so far, the agreement of annotators and judges, and the course of the decision. The pages of a
//! review show none of it, because they are blind.

mod agreement;
mod course;
mod human_labels_status;
mod labels_over_time;

pub use agreement::{AnnotatorAgreement, PairAgreement};
pub use course::{CourseEstimate, CoursePoint, DecisionCourse, ExpectedAt, ExpectedHalfWidth};
pub use human_labels_status::{
    AnnotatorProgress, HumanLabelsStatus, PickedAnswers, SampleProgress, SetAside,
};
