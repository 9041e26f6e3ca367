//! Labels of a study: pure functions of its evidence.

mod anchored;
mod graded;
mod tiers;

pub(crate) use anchored::fit_anchors;
pub(crate) use graded::{graded_labels, graded_votes, lower_middle_note};
pub(crate) use tiers::{tier_labels, too_few_tiers};
