//! Unsorted documents with scores, and the order that makes them a ranking.

use std::cmp::Ordering;
use std::ops::Range;

use crate::identifier_table::{IdentifierTable, first_repeat};

/// Documents with their scores as they were read: unsorted, possibly with duplicates, of one or several queries.
///
/// The identifiers lie end to end in one string, so a million of them take three allocations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hits {
    ids: String,
    ends: Vec<u32>,
    scores: Vec<f64>,
}

impl Hits {
    /// Adds a document. Returns `false` and adds nothing if all identifiers together would exceed 4 GiB.
    #[must_use]
    pub fn push(&mut self, document: &str, score: f64) -> bool {
        let Ok(end) = u32::try_from(self.ids.len() + document.len()) else { return false };
        self.ids.push_str(document);
        self.ends.push(end);
        self.scores.push(score);
        true
    }

    /// Reserves memory for `documents` more documents whose identifiers have `bytes` bytes together.
    pub fn reserve(&mut self, documents: usize, bytes: usize) {
        self.ids.reserve(bytes);
        self.ends.reserve(documents);
        self.scores.reserve(documents);
    }

    /// Returns the number of documents, duplicates included.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Removes all documents and keeps the memory.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.ends.clear();
        self.scores.clear();
    }

    /// Returns the document at `index`, from 0, and its score.
    pub fn get(&self, index: usize) -> Option<(&str, f64)> {
        let span = self.start(index)..*self.ends.get(index)? as usize;
        Some((self.ids.get(span)?, *self.scores.get(index)?))
    }

    /// Returns the scores, in the order in which they were added.
    pub(crate) fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// Returns the number of bytes that the identifiers in `range` have together.
    pub fn bytes(&self, range: Range<usize>) -> usize {
        self.start(range.end).saturating_sub(self.start(range.start))
    }

    /// Returns all documents with their scores, in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, f64)> {
        let mut start = 0;
        self.ends.iter().zip(&self.scores).map(move |(end, score)| {
            let end = *end as usize;
            (self.ids.get(std::mem::replace(&mut start, end)..end).unwrap_or_default(), *score)
        })
    }

    /// Returns the documents in `range` in the official order, without duplicates, down to `depth`; the number of
    /// different documents in `range`; and whether other documents would remain if scores were 32-bit numbers.
    pub(crate) fn official(&self, range: Range<usize>, depth: Option<usize>) -> (Self, usize, bool) {
        let depth = depth.unwrap_or(usize::MAX);
        if self.is_official(range.clone()) && self.first_repeat(range.clone()).is_none() {
            let distinct = range.len();
            let at = |place| (self.scores[range.start + place], range.start + place);
            let cut = self.is_cut_among_ties(distinct, depth, at);
            let kept = self.copied(range.start..range.start + distinct.min(depth));
            return (kept, distinct, cut);
        }
        let mut order: Vec<(f64, usize)> = range.map(|index| (self.scores[index], index)).collect();
        order.sort_unstable_by(|a, b| by_score(a.0, b.0).then_with(|| self.id(b.1).cmp(self.id(a.1))));
        let mut seen = IdentifierTable::with_room_for(order.len());
        order.retain(|(_, index)| seen.insert(self.id(*index), *index, |at| self.id(at)).is_none());
        let distinct = order.len();
        let cut = self.is_cut_among_ties(distinct, depth, |place| order[place]);
        order.truncate(depth);
        let mut kept = Self::default();
        kept.reserve(order.len(), order.iter().map(|(_, index)| self.id(*index).len()).sum());
        for (score, index) in order {
            // It cannot fail: these identifiers fitted before.
            let _ = kept.push(self.id(index), score);
        }
        (kept, distinct, cut)
    }

    /// Whether other documents would be within `depth` if scores were 32-bit numbers and ties were broken by
    /// identifier, descending. `at` returns the score and the index of each of `count` documents in the official order.
    fn is_cut_among_ties(&self, count: usize, depth: usize, at: impl Fn(usize) -> (f64, usize)) -> bool {
        let Some(last) = depth.checked_sub(1).filter(|_| depth < count) else { return false };
        let score = at(last).0 as f32;
        let ties = |place: &usize| at(*place).0 as f32 == score;
        let lowest = (0..depth).rev().take_while(ties).map(|place| self.id(at(place).1)).min();
        (depth..count).take_while(ties).any(|place| Some(self.id(at(place).1)) > lowest)
    }

    /// Returns the first index in `range` whose document occurs in `range` before it.
    pub fn first_repeat(&self, range: Range<usize>) -> Option<usize> {
        first_repeat(range, |index| self.id(index))
    }

    /// Frees unused memory.
    pub(crate) fn shrink(&mut self) {
        self.ids.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.scores.shrink_to_fit();
    }

    fn start(&self, index: usize) -> usize {
        index.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| *end as usize)
    }

    fn id(&self, index: usize) -> &str {
        &self.ids[self.start(index)..self.ends[index] as usize]
    }

    /// Returns whether each document is strictly before the next one in the official order.
    fn is_official(&self, range: Range<usize>) -> bool {
        let scores = self.scores.get(range.clone()).unwrap_or_default();
        scores.windows(2).zip(range).all(|(pair, before)| match by_score(pair[0], pair[1]) {
            Ordering::Less => true,
            Ordering::Equal => self.id(before) > self.id(before + 1),
            Ordering::Greater => false,
        })
    }

    fn copied(&self, range: Range<usize>) -> Self {
        let from = self.start(range.start);
        let ends: Vec<u32> = self.ends[range.clone()].iter().map(|end| end - from as u32).collect();
        let to = from + ends.last().map_or(0, |end| *end as usize);
        Self { ids: self.ids[from..to].to_owned(), ends, scores: self.scores[range].to_vec() }
    }
}

impl<'a> FromIterator<(&'a str, f64)> for Hits {
    /// Stops at 4 GiB of identifiers and leaves out the rest. [`push`](Self::push) reports that.
    fn from_iter<T: IntoIterator<Item = (&'a str, f64)>>(scored: T) -> Self {
        let mut hits = Self::default();
        for (document, score) in scored {
            if !hits.push(document, score) {
                break;
            }
        }
        hits
    }
}

/// Compares scores for descending order, with NaN last.
fn by_score(a: f64, b: f64) -> Ordering {
    match b.partial_cmp(&a) {
        Some(order) => order,
        None => a.is_nan().cmp(&b.is_nan()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::Ranking;

    #[test]
    fn a_part_is_ranked_by_itself() {
        let hits: Hits = [("x", 9.0), ("b", 2.0), ("a", 1.0), ("a", 3.0), ("y", 9.0)].into_iter().collect();
        let ranked = hits.rank(1..4, None);
        let order: Vec<_> = ranked.kept.iter().map(|hit| (hit.document, hit.score)).collect();
        assert_eq!((order, ranked.distinct), (vec![("a", 3.0), ("b", 2.0)], 2));
        assert_eq!(hits.first_repeat(0..5), Some(3));
        assert_eq!(hits.first_repeat(3..5), None);
        let ranked = hits.rank(1..3, Some(1));
        assert_eq!((ranked.kept, ranked.distinct), (Ranking::from_ordered([("b", 2.0)]), 2));
    }

    /// 16777216 and 16777217 are one 32-bit number.
    #[test]
    fn a_cut_between_ties_of_32_bits_is_known_where_it_matters() {
        let cut = |hits: &[(&str, f64)], depth: usize| {
            let hits: Hits = hits.iter().copied().collect();
            hits.rank(0..hits.len(), Some(depth)).cut_among_ties
        };
        let near = [("a", 16_777_217.0), ("b", 16_777_216.0), ("c", 1.0)];
        assert!(cut(&near, 1), "b would be first");
        assert!(!cut(&near, 2) && !cut(&near, 3) && !cut(&near, 0));
        assert!(!cut(&[("b", 16_777_217.0), ("a", 16_777_216.0)], 1), "b is first anyway");
        assert!(!cut(&[("b", 2.0), ("a", 2.0)], 1), "equal scores are in that order already");
        let far = [("d", 16_777_217.5), ("c", 16_777_217.0), ("e", 16_777_216.0)];
        assert!(cut(&far, 2), "e would be above both");
        let unsorted = [("c", 1.0), ("b", 16_777_216.0), ("a", 16_777_217.0)];
        assert!(cut(&unsorted, 1));
    }

    fn score() -> impl Strategy<Value = f64> {
        prop_oneof![(-3i8..3).prop_map(f64::from), Just(f64::NAN), Just(-0.0)]
    }

    proptest! {
        /// Compares with a plain implementation of the definition.
        #[test]
        fn a_ranking_is_sorted_and_each_document_comes_once(
            hits in proptest::collection::vec(("[a-cé]{0,2}", score()), 0..60),
            sorted in any::<bool>(),
            depth in proptest::option::of(0usize..9),
        ) {
            let mut expected: Vec<(&str, f64)> = hits.iter().map(|(id, score)| (id.as_str(), *score)).collect();
            expected.sort_by(|a, b| {
                let nan = a.1.is_nan().cmp(&b.1.is_nan());
                nan.then(b.1.partial_cmp(&a.1).unwrap_or(Ordering::Equal)).then(b.0.cmp(a.0))
            });
            let came: Hits = match sorted {
                true => expected.iter().copied().collect(),
                false => hits.iter().map(|(id, score)| (id.as_str(), *score)).collect(),
            };
            let mut seen = BTreeSet::new();
            expected.retain(|(id, _)| seen.insert(*id));
            let ranked = came.rank(0..came.len(), depth);
            prop_assert_eq!(ranked.distinct, expected.len());
            expected.truncate(depth.unwrap_or(usize::MAX));
            let found = ranked.kept.iter().map(|hit| (hit.document, hit.score.is_nan(), hit.score as i8));
            let found: Vec<_> = found.collect();
            let expected: Vec<_> = expected.iter().map(|(id, score)| (*id, score.is_nan(), *score as i8)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
