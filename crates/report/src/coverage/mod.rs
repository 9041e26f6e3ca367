//! The labelled share of the pool, and reasons for missing labels.

mod section;
mod spread;
mod tally;

pub use section::{CoverageSection, GradeCount};
pub use spread::{DisputedPair, Spread, SpreadCount, spread};
pub use tally::{Count, CoverageTally, JudgeCoverage};
