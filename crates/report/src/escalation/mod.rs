//! Answers of a stronger judge, and the labels that they changed.

mod circles;
mod section;
mod sentences;

pub use circles::CirclesSection;
pub use section::{EscalatedCost, EscalationSection, GuaranteeSection};
