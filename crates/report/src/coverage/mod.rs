//! The labelled share of the pool, and reasons for missing labels.

mod section;
mod tally;

pub use section::{CoverageSection, DisputedPair, GradeCount, Spread, SpreadCount, spread};
pub use tally::{AnswerSource, Count, CoverageTally, JudgeCoverage};
