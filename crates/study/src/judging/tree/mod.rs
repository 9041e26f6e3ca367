//! A judge that is a tree over other judges' answers.
//!
//! It has the features, their judges, and the resulting answers.

mod features;
mod walk;

pub(super) use features::TreeFeatures;
pub(super) use walk::TreeWalk;
