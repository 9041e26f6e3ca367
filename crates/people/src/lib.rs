//! Samples that people label, and figures corrected by their labels.
//!
//! | room | holds |
//! |---|---|
//! | [`sampling`] | what can be drawn, how wide the interval will be, the draw, and its sheet |
//! | [`human_labels`] | a judge's figures, corrected by the labels of a random sample |

pub mod human_labels;
mod lot;
pub mod sampling;

pub use lot::lot;
