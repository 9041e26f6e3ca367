//! Judges of a panel compared, and results without one of them.

mod section;
mod sentences;

pub use section::{
    AmbiguousPairs, CountedJudge, CountedVotesSection, JudgesTogether, PanelAlpha, PanelMethodSection,
    PanelSection, TriedMethod, WithoutLabels,
};
pub(crate) use sentences::finding_changes;
