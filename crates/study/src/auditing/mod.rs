//! Checks a study's judges by its evidence.
//!
//! It converts the evidence to plain values, from which the checks are computed.

mod check_examples;
mod collection;
mod disguised;
mod flagged_pairs;
mod judges;
mod probed;
mod study_checks;

pub use flagged_pairs::{FlaggedPairs, flagged_pairs};
pub(crate) use study_checks::{study_as_control, study_checks};
