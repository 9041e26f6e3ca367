//! From comparisons to an order: the tournament graph with its tiers and schedule, and rating models.

pub mod ratings;
pub mod simulate;

mod cycles;
mod tiers;
pub mod tournament;

pub use cycles::CycleCount;
pub use tiers::tiers;
pub use tournament::{Batch, Outcome, Schedule, TieRule, Tier, Tournament, TournamentError, TournamentOptions};
