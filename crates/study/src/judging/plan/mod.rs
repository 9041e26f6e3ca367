//! The plans of a study: every pair graded, every query's documents compared, a few documents of each tier graded.
//! The first is [`Exhaustive`](llull_runner::Exhaustive).

mod anchors;
mod query_tournament;
mod rechecks;
mod tournaments;

pub(crate) use anchors::AnchorGrading;
pub use rechecks::LEAST_RECHECKS;
pub(crate) use rechecks::{RecheckRule, Rechecking, rechecking};
pub(crate) use tournaments::Tournaments;
