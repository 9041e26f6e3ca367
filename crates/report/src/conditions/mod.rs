//! Checks whether two figures were measured alike.
//!
//! They are in one report, or in a report and an earlier one.

mod section;
mod since;

pub use section::{Condition, Incomparability};
pub(crate) use since::SinceView;
pub use since::{SinceFigure, SinceSection};
