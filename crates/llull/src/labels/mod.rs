//! Labels of a study: pure functions of its evidence.

mod anchored;
mod beside_base;
mod graded;
mod tiers;

pub(crate) use anchored::fit_anchors;
pub(crate) use beside_base::{beside_base, with_base};
pub(crate) use graded::{graded_labels, graded_votes, lower_middle_note};
pub(crate) use tiers::{tier_labels, too_few_tiers};
