//! Random samples for human labels: allocation, draw and expected widths.

mod allocate;
mod draw;
mod planned_pairs;
mod planned_queries;
mod planned_width;

pub use allocate::{LEAST_LABELS, StratumToSample, allocate};
pub use draw::draw_without_replacement;
pub use planned_pairs::{PlannedPairs, PlannedStratum, guessed_variance, planned_pairs};
pub use planned_queries::planned_queries;
pub use planned_width::PlannedWidth;
