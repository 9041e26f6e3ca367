//! A rating of the votes, for the order inside a tier.

use super::votes::Votes;

/// Virtual games that every item wins and loses against an average one: keeps ratings finite where an item won or lost
/// everything, and those of items that never met comparable.
const PRIOR: f64 = 0.1;
const MOST: usize = 200;
const CLOSE: f64 = 1e-9;

/// Bradley-Terry strengths (log scale, more is better) of the pair votes, a tie counting as half a win for each, by Newman's
/// iteration (Efficient computation of rankings from pairwise comparisons, JMLR 24, 2023), which never needs more than a
/// few dozen rounds.
pub(crate) fn strengths(votes: &Votes) -> Vec<f64> {
    let size = votes.items();
    let mut wins: Vec<Vec<(usize, f64, f64)>> = vec![Vec::new(); size];
    for ((low, high), tally) in votes.pairs() {
        let half = tally.tied as f64 / 2.0;
        let (l, h) = (low as usize, high as usize);
        let (for_low, for_high) = ((tally.low as f64 + half) / UNITS, (tally.high as f64 + half) / UNITS);
        wins[l].push((h, for_low, for_high));
        wins[h].push((l, for_high, for_low));
    }
    let mut strength = vec![1.0f64; size];
    for _ in 0..(std::env::var("IT").ok().and_then(|v| v.parse().ok()).unwrap_or(MOST)) {
        let mut moved = 0.0f64;
        for item in 0..size {
            let own = strength[item];
            let (mut up, mut down) = (prior() / (own + 1.0), prior() / (own + 1.0));
            for &(other, won, lost) in &wins[item] {
                let sum = own + strength[other];
                up += won * strength[other] / sum;
                down += lost / sum;
            }
            let next = up / down;
            moved = moved.max((next.ln() - own.ln()).abs());
            strength[item] = next;
        }
        if moved < CLOSE {
            break;
        }
    }
    strength.into_iter().map(f64::ln).collect()
}

const UNITS: f64 = (1u64 << 20) as f64;

fn prior() -> f64 { static P: std::sync::OnceLock<f64> = std::sync::OnceLock::new(); *P.get_or_init(|| std::env::var("PRI").ok().and_then(|v| v.parse().ok()).unwrap_or(0.1)) }
