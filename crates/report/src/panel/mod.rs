//! What the judges of a panel say beside each other, and what follows without one of them or without what is unclear.

mod method;
mod section;
mod sentences;
mod votes;

pub use method::{PanelMethodSection, TriedMethod};
pub use section::{AmbiguousPairs, JudgesTogether, PanelAlpha, PanelSection, WithoutLabels};
pub use votes::{CountedJudge, CountedVotesSection};
