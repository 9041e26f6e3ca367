//! Orders items by comparisons: tournaments with tiers, and rating models.
//!
//! A [`Tournament`] chooses the next items to compare and stores the votes so far. It sends nothing to a judge itself;
//! here the judge is a rule:
//!
//! ```
//! use llull_core::{Ballot, Item};
//! use llull_rank::{Tournament, TournamentOptions};
//!
//! // 25 items in prior order; the higher the worth, the better the item.
//! let worth: Vec<u32> = (0..25).map(|item| item * 7 % 25).collect();
//! let options = TournamentOptions { window: 5, top: 3, ..TournamentOptions::default() };
//! let mut tournament = Tournament::new(25, options)?;
//! loop {
//!     // A wave: disjoint batches that may be asked at the same time.
//!     let wave = tournament.next(usize::MAX);
//!     if wave.is_empty() {
//!         break;
//!     }
//!     for batch in &wave {
//!         let mut order = batch.items.clone();
//!         order.sort_by_key(|&item| std::cmp::Reverse(worth[item.index()]));
//!         tournament.observe(batch, &[Ballot::strict(order)]);
//!     }
//! }
//! let outcome = tournament.outcome();
//! assert_eq!(outcome.order[..3], [7, 14, 21].map(Item));
//! assert!(outcome.complete && outcome.tiers[..3].iter().all(|tier| tier.is_final && !tier.cyclic));
//! assert_eq!((outcome.calls, outcome.waves), (7, 3));
//! # Ok::<(), llull_rank::TournamentError>(())
//! ```
//!
//! [`tiers`] computes tiers of votes that were cast already, and [`ratings`] computes scores.

pub mod ratings;
pub mod simulate;
pub mod tournament;

mod random;
mod tiers;

pub use tiers::tiers;
pub use tournament::{
    Batch, CycleCount, PairsAtDistance, PanelCycles, PanelPair, Schedule, TieRule, Tier, Tournament,
    TournamentError, TournamentOptions, TournamentOutcome, VotesBetween, panel_cycles, panel_pairs,
};
