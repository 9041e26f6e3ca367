//! Figures of a judge's labels, corrected by a human sample.
//!
//! They hold whatever the judge does.
//!
//! Angelopoulos, Duchi and Zrnic, PPI++: Efficient prediction-powered inference, 2023 (arXiv 2311.01453). A judge's
//! labels reduce the width of an interval; they cannot bias it, because the sample measures the judge's errors.

mod corrected;
mod frame;
mod sampled_pairs;
mod sampled_queries;
mod unequal_pairs;

pub use corrected::{
    BetweenQueries, Corrected, DivisorVariance, Estimand, Looks, PlainEstimate, effective_queries,
};
pub use frame::{DrawnPair, PairOfFrame, PairsOptions};
pub use sampled_pairs::correct_sampled_pairs;
pub use sampled_queries::{QueriesOptions, correct_sampled_queries, correct_unequal_queries};
pub use unequal_pairs::{DividedQuery, correct_divided_pairs, correct_unequal_pairs, divisor_variance};
