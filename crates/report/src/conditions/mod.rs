//! Whether figures in one report, or in a report and an earlier one, were measured alike.

mod section;
mod since;

pub use section::{Condition, Incomparability};
pub(crate) use since::SinceView;
pub use since::{SinceFigure, SinceSection};
