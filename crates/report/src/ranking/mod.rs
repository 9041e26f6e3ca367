//! Tiers and ratings of comparisons, as `llull rank` has them.

mod comparison_ranking;
mod contradictions;
mod error;
mod json;
mod judges;
mod method;
mod query;
mod score_order;
mod table;

pub use comparison_ranking::{ComparisonRanking, RankingOptions};
pub use error::RankingError;
pub use judges::RatedJudge;
pub use method::RankingMethod;
pub use query::{RankedQuery, RankingOutput};
pub use score_order::{RatedItem, equal_scores, names, ordered};
