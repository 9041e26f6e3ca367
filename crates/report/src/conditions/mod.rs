//! Whether figures that stand beside each other were measured alike: those of the systems of a study, and those of a
//! report and an earlier one.

mod section;
mod since;

pub use section::{Condition, Incomparability};
pub(crate) use since::SinceView;
pub use since::{SinceFigure, SinceSection};
