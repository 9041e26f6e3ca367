//! Chooses the passage and the category of the next question.

use llull_core::{Hash, KeyBuilder, Seed};
use llull_judge::QuestionCategory;
use rustc_hash::FxHashMap;

use llull_core::Passage;

/// The number of passages that are tried for each wanted question of a category.
const TRIES: usize = 3;

/// The passages in the order in which they are tried for one category.
pub(super) struct CategoryQueue {
    pub(super) category: QuestionCategory,
    /// The wanted number of questions.
    pub(super) wanted: usize,
    /// The remaining passages, the next one last.
    left: Vec<usize>,
    tried: usize,
}

impl CategoryQueue {
    /// Orders passages at random: one of each document first, then a second one, and so on.
    pub(super) fn new(category: QuestionCategory, wanted: usize, passages: &[Passage], seed: Seed) -> Self {
        let place = |passage: &Passage, domain: &str| -> Hash {
            let key = KeyBuilder::new("llull synthesis order v1").number("seed", seed.0);
            let key = key.text("category", domain).text("document", &passage.document);
            key.number("start", passage.characters[0]).finish()
        };
        let mut drawn: Vec<usize> = (0..passages.len()).collect();
        drawn.sort_by_cached_key(|at| passages.get(*at).map(|passage| place(passage, category.name())));
        let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
        let mut left: Vec<(usize, usize)> = drawn
            .into_iter()
            .filter_map(|at| {
                let seen = seen.entry(passages.get(at)?.document.as_str()).or_default();
                *seen += 1;
                Some((*seen, at))
            })
            .collect();
        left.sort_by_key(|(turn, _)| *turn);
        Self { category, wanted, left: left.into_iter().rev().map(|(_, at)| at).collect(), tried: 0 }
    }

    /// Takes the next passage that `suits`, or else the next one that `may` do. `None` if there is neither, or enough
    /// were tried.
    pub(super) fn take(
        &mut self,
        suits: impl Fn(usize) -> bool,
        may: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        if self.tried >= TRIES * self.wanted {
            return None;
        }
        let place = |wanted: &dyn Fn(usize) -> bool| self.left.iter().rposition(|at| wanted(*at));
        let place = place(&suits).or_else(|| place(&may))?;
        self.tried += 1;
        Some(self.left.remove(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_take_turns() {
        let passage = |document: &str, start| Passage {
            document: document.into(),
            characters: [start, start + 5],
            text: "x".into(),
        };
        let passages: Vec<_> =
            (0..4).flat_map(|n| [passage("a", n * 10), passage("b", n * 10), passage("c", n * 10)]).collect();
        let order = |seed| {
            let mut queue = CategoryQueue::new(QuestionCategory::Detail, 3, &passages, Seed(seed));
            let taken: Vec<usize> = std::iter::from_fn(|| queue.take(|_| true, |_| true)).collect();
            assert_eq!(taken.len(), 9, "three times as many as wanted, and no more");
            taken
        };
        let taken = order(1);
        for turn in taken.chunks(3) {
            let mut documents: Vec<_> = turn.iter().map(|at| passages[*at].document.as_str()).collect();
            documents.sort_unstable();
            assert_eq!(documents, ["a", "b", "c"]);
        }
        assert_eq!(taken, order(1));
        assert_ne!(taken, order(2));
    }

    #[test]
    fn what_suits_is_taken_before_what_may_do() {
        let passage =
            |start| Passage { document: "d".into(), characters: [start, start + 1], text: "x".into() };
        let passages: Vec<_> = (0..3).map(passage).collect();
        let mut queue = CategoryQueue::new(QuestionCategory::Detail, 9, &passages, Seed(1));
        assert_eq!(queue.take(|at| at == 2, |_| true), Some(2));
        let second = queue.take(|_| false, |at| at != 2);
        assert!(matches!(second, Some(0 | 1)));
        assert_eq!(queue.take(|_| false, |_| false), None);
    }
}
