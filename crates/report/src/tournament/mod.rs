//! The tiers of judges that compare, and how far their comparisons contradict each other.

mod anchors;
mod section;
mod topic;
mod totals;

pub use anchors::AnchorFigures;
pub use section::{TournamentSection, TournamentSetup};
pub use topic::{TierDetail, TopicTournament};
pub use totals::{ComponentCount, TournamentTotals};
