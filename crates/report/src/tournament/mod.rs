//! Tiers of judges that compare, and contradictions between their comparisons.

mod anchors;
mod by_annotators;
mod distances;
mod panel;
mod section;
mod topic;
mod totals;

pub use anchors::AnchorFigures;
pub use by_annotators::{
    AnnotatorPairs, AnnotatorPreferenceAgreement, ComparedByAnnotators, PreferencesAlike,
};
pub use distances::DistanceCount;
pub(crate) use distances::{distance_chart, distance_sentence};
pub use panel::{JudgeTriangles, PanelTriangles};
pub use section::{TournamentSection, TournamentSetup};
pub use topic::{TierDetail, TierVote, TopicTournament};
pub use totals::{ComponentCount, TournamentTotals};
