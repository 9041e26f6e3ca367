//! The result of a rating model.

use llull_core::Item;

use super::components::Components;
use super::pair_votes::PairVotes;

/// The ratings of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// The score of each item, more is better; the model defines its scale. `None` for an item that was
    /// compared with nothing.
    pub scores: Vec<Option<f64>>,
    /// The standard error of each score. `None` if the model has none, if none was requested, and without a score.
    pub se: Vec<Option<f64>>,
    /// The items that were compared, in groups with a chain of comparisons between any two: each ascending,
    /// the groups in the order of their first items. **Scores of different components are not comparable.**
    pub components: Vec<Vec<Item>>,
    /// The number of iterations; 0 for a model that does not iterate.
    pub iterations: usize,
}

impl Ratings {
    /// Creates ratings of all items from values of the rated items.
    pub(super) fn new(
        pairs: &PairVotes,
        components: &Components,
        scores: &[f64],
        se: Option<&[f64]>,
        iterations: usize,
    ) -> Self {
        Self {
            scores: pairs.spread(&without_dust(scores)),
            se: se.map_or_else(|| vec![None; pairs.items], |se| pairs.spread(se)),
            components: components.items(pairs),
            iterations,
        }
    }
}

/// Replaces scores that differ by no more than rounding errors by their mean. Otherwise a cycle, whose members have
/// equal scores in every model, would come out as an order.
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
