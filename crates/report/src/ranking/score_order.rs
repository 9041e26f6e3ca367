//! Items in the order of their scores, and their names.

use std::cmp::Ordering;

use llull_core::{Item, TopicBallots};
use llull_rank::ratings::Ratings;

/// The identifiers of items.
pub fn names(items: &[Item], topic: &TopicBallots) -> Vec<String> {
    items.iter().filter_map(|item| topic.id(*item)).map(str::to_owned).collect()
}

/// An item with its score, if it has one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatedItem {
    /// The item.
    pub item: Item,
    /// Its score.
    pub score: Option<f64>,
    /// The standard error.
    pub se: Option<f64>,
    /// The place of its component.
    pub component: Option<usize>,
}

/// Items component by component, the best of each first; ties stay in the order of the items' first occurrence.
pub fn ordered(ratings: &Ratings, items: usize) -> Vec<RatedItem> {
    let mut component = vec![None; items];
    for (at, members) in ratings.components.iter().enumerate() {
        for item in members {
            if let Some(place) = component.get_mut(item.index()) {
                *place = Some(at);
            }
        }
    }
    let number = |all: &[Option<f64>], at: usize| all.get(at).copied().flatten();
    let mut rated: Vec<RatedItem> = (0..)
        .map(Item)
        .zip(component)
        .map(|(item, component)| {
            let at = item.index();
            RatedItem { item, score: number(&ratings.scores, at), se: number(&ratings.se, at), component }
        })
        .collect();
    rated.sort_by(|a, b| {
        let apart = |rated: &RatedItem| rated.component.unwrap_or(usize::MAX);
        let by_score = || b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal);
        apart(a).cmp(&apart(b)).then_with(by_score)
    });
    rated
}

/// Items of one component that share a score, together.
pub fn equal_scores(rated: &[RatedItem]) -> Vec<Vec<Item>> {
    let same = |a: &RatedItem, b: &RatedItem| a.score == b.score && a.component == b.component;
    rated.chunk_by(same).map(|run| run.iter().map(|rated| rated.item).collect()).collect()
}
