//! A rating of the votes.
//!
//! It orders the items inside a tier, and those that fill a question.

use super::prior_order::PriorOrder;
use super::votes::{UNITS, Votes};

/// Virtual games that every item wins against an average item, and as many that it loses. They keep ratings
/// finite if an item won or lost everything. Between 0.02 and 0.5 the choice changed no simulated nDCG@10 by
/// more than 0.0015.
const PRIOR: f64 = 0.1;

/// The weight of the prior order, as a share of one answer: virtual games that an item wins, and as many that
/// it loses, for each item that a question shows. (An answer gives an item as many votes as it shows other
/// items, and they are one observation of it.) Chosen among 0.03, 0.05, 0.1, 0.2 and 0.4 on other seeds than
/// those of the noise study.
const PULL: f64 = 0.1;

/// Sweeps for an order that only needs to be about right.
pub(crate) const ROUGH: usize = 10;

/// Sweeps for an order that is part of the result.
const FINE: usize = 100;

/// The iteration ends after a sweep that changes no rating by a larger share than this.
const CLOSE: f64 = 1e-6;

/// Returns the Bradley-Terry strengths of the pair votes (more is better, 1 is average), a tie counting as
/// half a win for each side, after at most `sweeps` sweeps of Newman's iteration (Efficient computation of
/// rankings from pairwise comparisons, JMLR 24, 2023).
pub(crate) fn strengths(votes: &Votes, sweeps: usize) -> Vec<f64> {
    fit(votes, sweeps, PRIOR, |_| None)
}

/// Returns strengths for an order that is part of the result, with the prior order, if there is one, as
/// evidence.
///
/// The virtual games are then not against the average but against the strength that an item's place in the
/// prior order makes likely, on the line that fits all items best. If the votes do not support the prior
/// order, the line is flat and the prior order has no influence.
pub(crate) fn informed(votes: &Votes, prior: Option<&PriorOrder>, window: usize) -> Vec<f64> {
    match prior {
        Some(prior) => fit(votes, FINE, PULL * window as f64, |strengths| Some(prior.line(strengths))),
        None => strengths(votes, FINE),
    }
}

/// Sweeps until nothing moves. Each item also wins and loses `pull` virtual games against its `expected`
/// strength, or against the average.
fn fit(votes: &Votes, sweeps: usize, pull: f64, expected: impl Fn(&[f64]) -> Option<Vec<f64>>) -> Vec<f64> {
    let mut games: Vec<Vec<(usize, f64, f64)>> = vec![Vec::new(); votes.items()];
    for ((low, high), tally) in votes.pairs() {
        let half = tally.tied as f64 / 2.0;
        let (for_low, for_high) = ((tally.low as f64 + half) / UNITS, (tally.high as f64 + half) / UNITS);
        games[low.index()].push((high.index(), for_low, for_high));
        games[high.index()].push((low.index(), for_high, for_low));
    }
    let mut strengths = vec![1.0f64; votes.items()];
    for _ in 0..sweeps {
        let mut moved = 0.0f64;
        let expected = expected(&strengths);
        for (item, games) in games.iter().enumerate() {
            let own = strengths[item];
            let expected = expected.as_ref().map_or(1.0, |expected| expected[item]);
            let share = pull / (own + expected);
            let (mut up, mut down) = (share * expected, share);
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
