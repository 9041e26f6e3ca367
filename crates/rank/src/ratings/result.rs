//! The result of a rating model.

use llull_core::Item;

use super::components::Components;
use super::pair_votes::PairVotes;

/// What a model makes of ballots.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// A score for each item, more is better; what it means is the model's. `None` for an item that was compared with nothing.
    pub scores: Vec<Option<f64>>,
    /// The standard error of each score. `None` where the model has none, where none was asked for, and where there is no score.
    pub se: Vec<Option<f64>>,
    /// Newman, Davidson: the tie parameter, in the model's own scale. 0 when nothing tied, infinite when everything did.
    pub tie: Option<f64>,
    /// The items that were compared, in groups with a chain of comparisons between any two: each ascending, the groups by their first item.
    /// **Scores of different components are not comparable.**
    pub components: Vec<Vec<Item>>,
    /// How many iterations it took; 0 for a model that does not iterate.
    pub iterations: usize,
}

impl Ratings {
    /// Ratings of all items from values of the rated.
    pub(super) fn new(
        pairs: &PairVotes,
        components: &Components,
        scores: &[f64],
        se: Option<&[f64]>,
        tie: Option<f64>,
        iterations: usize,
    ) -> Self {
        Self {
            scores: pairs.spread(&without_dust(scores)),
            se: se.map_or_else(|| vec![None; pairs.items], |se| pairs.spread(se)),
            tie,
            components: components.items(pairs),
            iterations,
        }
    }
}

/// Scores that differ by no more than what was rounded on the way as one score: their mean. Else a circle,
/// whose members no model tells apart, would come out as an order.
fn without_dust(scores: &[f64]) -> Vec<f64> {
    const DUST: f64 = 1e-12;
    let dust = DUST * scores.iter().fold(1.0, |most: f64, score| most.max(score.abs()));
    let mut order: Vec<usize> = (0..scores.len()).collect();
    let score = |at: &usize| scores.get(*at).copied().unwrap_or_default();
    order.sort_by(|a, b| score(a).total_cmp(&score(b)).then(a.cmp(b)));
    let mut settled = scores.to_vec();
    let mut rest = order.as_slice();
    while let Some(lowest) = rest.first() {
        let (same, above) =
            rest.split_at(rest.partition_point(|at| score(at) - score(lowest) <= dust).max(1));
        if score(lowest) != same.last().map_or(score(lowest), score) {
            let mean = same.iter().map(score).sum::<f64>() / same.len() as f64;
            for at in same {
                if let Some(place) = settled.get_mut(*at) {
                    *place = mean;
                }
            }
        }
        rest = above;
    }
    settled
}
