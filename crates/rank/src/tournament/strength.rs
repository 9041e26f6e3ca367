//! A rating of the votes: the order inside a tier, and who fills the room that a question has left.

use super::votes::{UNITS, Votes};

/// Virtual games that every item wins, and as many that it loses, against an average one. They keep ratings finite where an item
/// won or lost everything. Between 0.02 and 0.5 the choice moved no simulated nDCG@10 by more than 0.0015.
const PRIOR: f64 = 0.1;

/// Sweeps for an order that is only to be about right.
pub(crate) const ROUGH: usize = 10;

/// Sweeps for an order that is shown.
pub(crate) const FINE: usize = 50;

/// Ratings closer than this after a sweep are left as they are.
const CLOSE: f64 = 1e-6;

/// Bradley-Terry strengths (more is better, 1 is average) of the pair votes, a tie counting as half a win for each, after at
/// most so many sweeps of Newman's iteration (Efficient computation of rankings from pairwise comparisons, JMLR 24, 2023).
pub(crate) fn strengths(votes: &Votes, sweeps: usize) -> Vec<f64> {
    let mut games: Vec<Vec<(usize, f64, f64)>> = vec![Vec::new(); votes.items()];
    for ((low, high), tally) in votes.pairs() {
        let half = tally.tied as f64 / 2.0;
        let (for_low, for_high) = ((tally.low as f64 + half) / UNITS, (tally.high as f64 + half) / UNITS);
        games[low as usize].push((high as usize, for_low, for_high));
        games[high as usize].push((low as usize, for_high, for_low));
    }
    let mut strengths = vec![1.0f64; votes.items()];
    for _ in 0..sweeps {
        let mut moved = 0.0f64;
        for (item, games) in games.iter().enumerate() {
            let own = strengths[item];
            let (mut up, mut down) = (PRIOR / (own + 1.0), PRIOR / (own + 1.0));
            for &(other, won, lost) in games {
                let share = 1.0 / (own + strengths[other]);
                up += won * strengths[other] * share;
                down += lost * share;
            }
            let next = up / down;
            moved = moved.max((next / own - 1.0).abs());
            strengths[item] = next;
        }
        if moved < CLOSE {
            break;
        }
    }
    strengths
}
