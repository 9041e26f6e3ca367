//! How people's labelling of a study stands: what is labelled, how people and judges agree, and the course of the
//! decision as labels come in.
//!
//! None of it is for the pages of a review, which are blind.

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
