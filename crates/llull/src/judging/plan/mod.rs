//! The plans of a study: every pair graded, every query's documents compared, a few documents of each tier graded.
//! The first is [`Exhaustive`](llull_runner::Exhaustive).

mod anchors;
mod query_tournament;
mod tournaments;

pub(crate) use anchors::AnchorGrading;
pub(crate) use tournaments::Tournaments;
