//! What a stronger judge saw, and what that changed.

mod circles;
mod section;
mod sentences;

pub use circles::CirclesSection;
pub use section::{EscalatedCost, EscalationSection, GuaranteeSection};
