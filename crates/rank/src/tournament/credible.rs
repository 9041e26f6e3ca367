//! Tiers of votes that contradict each other.

use llull_core::Item;

use crate::ratings::Posterior;

/// An item that is likelier than this to be worse than the best of a tier is not in it.
const WORSE: f64 = 0.8;

/// Returns all items in tiers, best first: down the scores, an item joins the tier unless it is likely to be worse
/// than its first item.
pub(crate) fn tiers(posterior: &Posterior) -> Vec<Vec<Item>> {
    let score = |item: &Item| posterior.scores.get(item.index()).copied().unwrap_or_default();
    let mut items: Vec<Item> = Item::first(posterior.scores.len()).collect();
    items.sort_by(|a, b| score(b).total_cmp(&score(a)));
    let above = posterior.comparisons();
    let mut tiers: Vec<Vec<Item>> = Vec::new();
    let mut worse: Vec<f64> = Vec::new();
    for item in items {
        match tiers.last_mut() {
            Some(tier) if worse.get(item.index()).is_none_or(|chance| *chance <= WORSE) => tier.push(item),
            _ => {
                worse = above(item);
                tiers.push(vec![item]);
            }
        }
    }
    tiers
}
