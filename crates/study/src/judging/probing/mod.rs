//! Probes judges by changed documents, to find the basis of their answers.

mod asked;
mod chooser;

pub(super) use asked::ProbedSource;
pub use asked::ProbingOutcome;
pub(crate) use asked::probe_estimates;
