//! Tiers and ratings of comparisons, as `llull rank` has them.

mod comparison_ranking;
mod table;

pub use comparison_ranking::{
    ComparisonRanking, RankedQuery, RankingError, RankingMethod, RankingOptions, RankingOutput, RatedItem,
    RatedJudge, equal_scores, names, ordered,
};
