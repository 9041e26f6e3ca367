//! Checks a study's judges by its evidence.
//!
//! It converts the evidence to plain values, from which the checks are computed.

mod alarmed_pairs;
mod anchors;
mod collection;
mod disguised;
mod judges;
mod pointed_at;
mod probed;
mod served;
mod study_alarms;

pub use alarmed_pairs::{AlarmedPairs, alarmed_pairs};
pub(crate) use study_alarms::{study_alarms, study_as_control};
