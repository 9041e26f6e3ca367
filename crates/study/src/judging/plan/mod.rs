//! The plans of a study.
//!
//! They grade every pair ([`Exhaustive`](llull_runner::Exhaustive)), compare every query's documents, or grade a few
//! documents of each tier.

mod anchors;
mod query_tournament;
mod rechecks;
mod tournaments;

pub(crate) use anchors::AnchorGrading;
pub use rechecks::LEAST_RECHECKS;
pub(crate) use rechecks::{RecheckRule, Rechecking, rechecking};
pub(crate) use tournaments::Tournaments;
