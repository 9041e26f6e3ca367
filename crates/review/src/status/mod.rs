//! The progress of a study's human labels.
//!
//! It has the labels so far, the agreement of annotators and judges, and the course of the decision. The pages of a
//! review show none of it, because they are blind.

mod agreement;
mod course;
mod expected;
mod labels_over_time;
mod marked;
mod people_status;

pub use agreement::{LabellersTogether, PeopleAgreement};
pub use course::{CourseEstimate, CoursePoint, DecisionCourse};
pub use expected::{ExpectedAt, ExpectedHalfWidth};
pub use marked::SetAside;
pub use people_status::{PeopleStatus, PersonProgress, PickedAnswers, SampleProgress};
