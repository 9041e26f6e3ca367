//! The fall or rise of each system between two rankings.

use serde::Serialize;

use super::system_scores::SystemScores;

/// The ranks of one system under both label sets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankChange {
    /// The system.
    pub system: String,
    /// Its mean under the truth.
    pub truth: f64,
    /// Its mean under the other labels.
    pub other: f64,
    /// Its rank under the truth: 1 plus the number of better systems.
    pub truth_rank: usize,
    /// Its rank under the other labels.
    pub other_rank: usize,
    /// How many ranks it falls under the other labels; below 0 if it rises.
    pub drop: i64,
}

/// Returns the change of every system, the largest drop first, then by rank under the truth and by name. `means` are
/// those under the truth and under the other labels.
pub(super) fn rank_changes(systems: &[SystemScores<'_>], means: &[(f64, f64)]) -> Vec<RankChange> {
    let rank =
        |mean: f64, side: fn(&(f64, f64)) -> f64| 1 + means.iter().filter(|other| side(other) > mean).count();
    let mut changes: Vec<RankChange> = systems
        .iter()
        .zip(means)
        .map(|(system, (truth, other))| {
            let (truth_rank, other_rank) = (rank(*truth, |means| means.0), rank(*other, |means| means.1));
            RankChange {
                system: system.name.to_owned(),
                truth: *truth,
                other: *other,
                truth_rank,
                other_rank,
                drop: other_rank as i64 - truth_rank as i64,
            }
        })
        .collect();
    changes.sort_by(|a, b| {
        b.drop.cmp(&a.drop).then(a.truth_rank.cmp(&b.truth_rank)).then(a.system.cmp(&b.system))
    });
    changes
}
