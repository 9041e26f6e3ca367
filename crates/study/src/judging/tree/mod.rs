//! A judge that is made of other judges' answers: which they are, who gives them, and what follows from them.

mod features;
mod walk;

pub(super) use features::TreeFeatures;
pub(super) use walk::TreeWalk;
