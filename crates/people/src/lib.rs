//! Samples for human labels, and figures corrected by these labels.
//!
//! | room | holds |
//! |---|---|
//! | [`sampling`] | the frame, the expected width of intervals, the draw, and its sheet |
//! | [`human_labels`] | a judge's figures, corrected by the labels of a random sample |

pub mod human_labels;
mod ideal_gain;
mod lot;
pub mod sampling;

pub use lot::lot;
