//! A study beside itself: as it is now, and as the ledger has it from before its rubric, prompt, model or panel
//! changed.
//!
//! A [`StudySide`] is what somebody types; [`Study::side`](crate::Study::side) finds the answers. A [`ChangeSample`]
//! says what a change would do to all labels from a few of them.

mod change_sample;
mod choice;
mod error;
mod known_judge;
mod side_evidence;
mod study_side;

pub use change_sample::ChangeSample;
pub use error::DiffError;
pub use side_evidence::SideEvidence;
pub(crate) use side_evidence::side_evidence;
pub use study_side::StudySide;
