//! Tiers of judges that compare, and contradictions between their comparisons.

mod panel;
mod section;
mod topic;

pub use panel::{
    AnnotatorPairs, AnnotatorPreferenceAgreement, ComparedByAnnotators, JudgeTriangles, PanelTriangles,
    PreferencesAlike,
};
pub use section::{ComponentCount, TournamentSection, TournamentSetup, TournamentTotals};
pub use topic::{AnchorFigures, DistanceCount, TierDetail, TierVote, TopicTournament};
pub(crate) use topic::{distance_chart, distance_sentence};
