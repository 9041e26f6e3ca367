//! The pairs to which two label sets give different grades: how many, the first of them, and what judges say of these.

mod best_ranks;
mod pairs;
mod text;

pub use pairs::{
    AAndB, DifferingPair, DifferingPairs, HereAndThere, JudgeReason, PairDetails, PairReasons, Sides,
    TruthAndOther, differing_pairs,
};
pub use text::differing_text;
pub(crate) use text::{reason_text, shown};
