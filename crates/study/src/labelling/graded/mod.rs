//! Labels of grading judges, as pure functions of their answers.

mod method;
mod votes;

pub use method::FittedPanel;
pub(crate) use method::{fractional, panel_grades, shares_of_votes};
pub use votes::graded_labels;
pub(crate) use votes::{graded_votes, lower_middle_note};
