//! Asking judges about documents that are changed, to learn what their answers rest on.

mod asked;
mod chooser;

pub(super) use asked::ProbedSource;
pub use asked::ProbingOutcome;
pub(crate) use asked::probe_estimates;
