//! Derives labels from answers.
//!
//! Answers are grades of a panel, or the votes of one that compares. Labels are pure functions of them.

mod compared;
mod error;
mod graded;

pub(crate) use compared::IN_CYCLE;
pub use compared::{PanelVotes, VoteWeights};
pub use error::LabelError;
pub use graded::FittedPanel;
pub use graded::graded_labels;
pub(crate) use graded::{fractional, graded_votes, lower_middle_note, panel_grades, shares_of_votes};
