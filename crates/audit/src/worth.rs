//! The worth of each document to a judge, on a common scale.

use std::collections::BTreeMap;

use crate::reference::{Place, Votes};

/// Returns the worth of each document to a judge: its grade, or the share of its comparisons that it won, less the
/// judge's mean and in units of the judge's standard deviation. Empty if all values are equal.
pub(crate) fn worth(votes: &Votes) -> BTreeMap<Place, f64> {
    let raw = if votes.grades.is_empty() { shares_won(votes) } else { votes.grades.clone() };
    let n = raw.len() as f64;
    let mean = raw.values().sum::<f64>() / n;
    let deviation = (raw.values().map(|one| (one - mean) * (one - mean)).sum::<f64>() / n).sqrt();
    if deviation > 0.0 {
        raw.into_iter().map(|(place, one)| (place, (one - mean) / deviation)).collect()
    } else {
        BTreeMap::new()
    }
}

fn shares_won(votes: &Votes) -> BTreeMap<Place, f64> {
    let mut won: BTreeMap<Place, (f64, f64)> = BTreeMap::new();
    for &(query, better, worse) in &votes.pairs {
        for (item, points) in [(better, 1.0), (worse, 0.0)] {
            let entry = won.entry((query, item)).or_default();
            entry.0 += points;
            entry.1 += 1.0;
        }
    }
    won.into_iter().map(|(place, (points, all))| (place, points / all)).collect()
}
