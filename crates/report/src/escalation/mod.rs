//! Answers of a stronger judge, and the labels that they changed.

mod cycles;
mod section;
mod sentences;

pub use cycles::CyclesSection;
pub use section::{EscalatedCost, EscalationSection, GuaranteeSection};
