//! Pairs to which two label sets give different grades, with reasons.

mod pairs;
mod text;

pub use pairs::{
    AAndB, DifferingPair, DifferingPairs, HereAndThere, JudgeReason, PairDetails, PairReasons, Sides,
    TruthAndOther, differing_pairs,
};
pub use text::differing_text;
pub(crate) use text::{reason_text, shown};
