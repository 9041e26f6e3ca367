//! What a study's answers say about its judges: its evidence, as the plain values that alarms are computed from.

mod anchors;
mod collection;
mod disguised;
mod judges;
mod probed;
mod study_alarms;

pub(crate) use study_alarms::{study_alarms, study_as_control};
