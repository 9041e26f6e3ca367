//! Tiers and ratings of comparisons, as `llull rank` has them.

mod contradictions;
mod error;
mod json;
mod judges;
mod method;
mod query;
mod ranking;
mod score_order;
mod table;

pub use error::RankingError;
pub use judges::RatedJudge;
pub use method::RankingMethod;
pub use query::{RankedQuery, RankingOutput};
pub use ranking::{ComparisonRanking, RankingOptions};
pub use score_order::{RatedItem, equal_scores, names, ordered};
