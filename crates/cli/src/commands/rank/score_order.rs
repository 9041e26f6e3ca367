//! Items in the order of their scores, and their names.

use std::cmp::Ordering;

use llull::core::{Item, TopicBallots};
use llull::rank::ratings::Ratings;

/// The identifiers of items.
pub(super) fn names(items: &[Item], topic: &TopicBallots) -> Vec<String> {
    items.iter().filter_map(|item| topic.id(*item)).map(str::to_owned).collect()
}

/// An item with its score, if it has one.
pub(super) struct Rated {
    pub(super) item: Item,
    pub(super) score: Option<f64>,
    pub(super) se: Option<f64>,
    pub(super) component: Option<usize>,
}

/// Items component by component, the best of each first; ties stay in the order of the items' first occurrence.
pub(super) fn ordered(ratings: &Ratings, items: usize) -> Vec<Rated> {
    let mut component = vec![None; items];
    for (at, members) in ratings.components.iter().enumerate() {
        for item in members {
            if let Some(place) = component.get_mut(item.index()) {
                *place = Some(at);
            }
        }
    }
    let number = |all: &[Option<f64>], at: usize| all.get(at).copied().flatten();
    let mut rated: Vec<Rated> = (0..)
        .map(Item)
        .zip(component)
        .map(|(item, component)| {
            let at = item.index();
            Rated { item, score: number(&ratings.scores, at), se: number(&ratings.se, at), component }
        })
        .collect();
    rated.sort_by(|a, b| {
        let apart = |rated: &Rated| rated.component.unwrap_or(usize::MAX);
        let by_score = || b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal);
        apart(a).cmp(&apart(b)).then_with(by_score)
    });
    rated
}

/// Items of one component that share a score, together.
pub(super) fn equal_scores(rated: &[Rated]) -> Vec<Vec<Item>> {
    let same = |a: &Rated, b: &Rated| a.score == b.score && a.component == b.component;
    rated.chunk_by(same).map(|run| run.iter().map(|rated| rated.item).collect()).collect()
}
