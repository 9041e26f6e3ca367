//! Labels of tiers: pure functions of a study's evidence.

mod anchored;
mod beside_base;
mod tiers;

pub(crate) use anchored::fit_anchors;
pub(crate) use beside_base::{beside_base, with_base};
pub(crate) use tiers::{tier_labels, too_few_tiers};
