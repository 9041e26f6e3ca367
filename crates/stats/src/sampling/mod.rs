//! Random samples for human labels: allocation, draw and expected widths.

mod draw;
mod planned_width;

pub use draw::{
    LEAST_LABELS, StratumToSample, allocate, draw_by_probability, draw_without_replacement,
    probabilities_by_size,
};
pub use planned_width::{
    PlannedTotal, PlannedWidth, by_place, guessed_share, guessed_square, guessed_variance, planned_queries,
    planned_total,
};
