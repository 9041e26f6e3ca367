//! Figures that hold whatever the judge does: its labels everywhere, corrected by people's labels of a random sample.
//!
//! Angelopoulos, Duchi and Zrnic, PPI++: Efficient prediction-powered inference, 2023 (arXiv 2311.01453). A judge's
//! labels reduce the width of an interval; they cannot bias it, because the sample measures what the judge gets wrong.

mod corrected;
mod effective_queries;
mod estimand;
mod frame;
mod sampled_pairs;
mod sampled_queries;
mod strata;

pub use corrected::{Corrected, PlainEstimate};
pub use effective_queries::effective_queries;
pub use estimand::Estimand;
pub use frame::PairOfFrame;
pub use sampled_pairs::{PairsOptions, correct_sampled_pairs};
pub use sampled_queries::correct_sampled_queries;
