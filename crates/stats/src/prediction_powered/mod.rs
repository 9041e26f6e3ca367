//! Figures of a judge's labels, corrected by a human sample.
//!
//! They hold whatever the judge does.
//!
//! Angelopoulos, Duchi and Zrnic, PPI++: Efficient prediction-powered inference, 2023 (arXiv 2311.01453). A judge's
//! labels reduce the width of an interval; they cannot bias it, because the sample measures the judge's errors.

mod corrected;
mod effective_queries;
mod estimand;
mod frame;
mod looks;
mod pairs_options;
mod sampled_pairs;
mod sampled_queries;
mod strata;
mod unequal_pairs;
mod unequal_queries;
mod variance_over_queries;

pub use corrected::{BetweenQueries, Corrected, DivisorVariance, PlainEstimate};
pub use effective_queries::effective_queries;
pub use estimand::Estimand;
pub use frame::{DrawnPair, PairOfFrame};
pub use looks::Looks;
pub use pairs_options::PairsOptions;
pub use sampled_pairs::correct_sampled_pairs;
pub use sampled_queries::{QueriesOptions, correct_sampled_queries};
pub use unequal_pairs::{DividedQuery, correct_divided_pairs, correct_unequal_pairs, divisor_variance};
pub use unequal_queries::correct_unequal_queries;
