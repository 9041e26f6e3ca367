//! Compares a study with its own earlier states.
//!
//! The ledger has the answers from before the study's rubric, prompt, model or panel changed. A [`StudySide`] is the
//! typed form of a state; [`Study::side`](crate::Study::side) finds its answers. A [`ChangeSample`] estimates the
//! effect of a change on all labels from a few of them.

mod change_sample;
mod choice;
mod known_judge;
mod side_evidence;
mod study_side;

pub use change_sample::ChangeSample;
pub use side_evidence::SideEvidence;
pub(crate) use side_evidence::side_evidence;
pub use study_side::StudySide;
