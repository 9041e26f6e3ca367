//! What a stronger judge saw, and what that changed.

mod section;
mod sentences;

pub use section::{EscalatedCost, EscalationSection, GuaranteeSection};
