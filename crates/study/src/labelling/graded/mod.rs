//! Labels of judges that grade: pure functions of what each said.

mod method;
mod votes;

pub use method::FittedPanel;
pub(crate) use method::{panel_grades, shares_of_votes};
pub use votes::graded_labels;
pub(crate) use votes::{graded_votes, lower_middle_note};
