//! The tournament graph: votes, what follows from them, what to ask next, and the tiers that come of it.

mod asked;
pub(crate) mod bits;
mod options;
pub(crate) mod outcome;
mod padding;
mod play;
pub(crate) mod reach;
mod rejudge;
pub(crate) mod schedule;
pub(crate) mod standing;
mod strength;
pub(crate) mod votes;

pub(crate) use asked::Asked;
pub use options::{Schedule, TieRule, TournamentError, TournamentOptions};
pub use outcome::{Outcome, Tier};
pub use play::{Batch, Tournament};
