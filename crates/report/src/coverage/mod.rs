//! How much of the pool is labelled, and why the rest is not.

mod section;
mod spread;
mod tally;

pub use section::{CoverageSection, GradeCount};
pub use spread::{DisputedPair, Spread, SpreadCount, spread};
pub use tally::{Count, CoverageTally, JudgeCoverage};
