//! Random samples for human labels: allocation, draw and expected widths.

mod allocate;
mod by_size;
mod draw;
mod planned_pairs;
mod planned_queries;
mod planned_width;

pub use allocate::{LEAST_LABELS, StratumToSample, allocate};
pub use by_size::{draw_by_probability, probabilities_by_size};
pub use draw::draw_without_replacement;
pub use planned_pairs::{
    PlannedTotal, by_place, guessed_share, guessed_square, guessed_variance, planned_total,
};
pub use planned_queries::planned_queries;
pub use planned_width::PlannedWidth;
