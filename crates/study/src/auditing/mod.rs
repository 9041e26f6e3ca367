//! What a study's answers say about its judges: its evidence, as the plain values that alarms are computed from.

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
