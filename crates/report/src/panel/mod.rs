//! Judges of a panel compared, and results without one of them.

mod method;
mod section;
mod sentences;
mod votes;

pub use method::{PanelMethodSection, TriedMethod};
pub use section::{AmbiguousPairs, JudgesTogether, PanelAlpha, PanelSection, WithoutLabels};
pub(crate) use sentences::finding_changes;
pub use votes::{CountedJudge, CountedVotesSection};
