//! Rankings: the results of one system for one query.

use std::ops::Range;

use crate::hits::Hits;

/// A ranking, cut at a depth, and the number of documents before the cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The documents in the official order, without duplicates, down to the depth.
    pub kept: Ranking,
    /// The number of different documents before the cut.
    pub distinct: usize,
    /// Whether other documents would remain if scores were 32-bit numbers and ties among them were broken by
    /// identifier, descending, as in trec_eval 9: documents with nearly one score are on both sides of the cut.
    pub cut_among_ties: bool,
}

impl Hits {
    /// Returns the ranking of the documents in `range`, down to `depth` documents: score descending, then document
    /// identifier descending. NaN comes last. A document that occurs twice keeps its better place.
    ///
    /// Documents that are in this order already, as in most runs, are not sorted again.
    pub fn rank(&self, range: Range<usize>, depth: Option<usize>) -> Ranked {
        let (kept, distinct, cut_among_ties) = self.official(range, depth);
        Ranked { kept: Ranking::of(kept), distinct, cut_among_ties }
    }
}

/// One retrieved document of a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit<'a> {
    /// The document's identifier.
    pub document: &'a str,
    /// The score that the system gave it.
    pub score: f64,
    /// Its rank in the official order, from 1.
    pub rank: usize,
}

/// The results of one system for one query, best first, without duplicates.
///
/// The order is trec_eval's: score descending, then document identifier descending (byte order). The rank column of a
/// file is ignored. Scores are compared as 64-bit numbers, as in trec_eval 10. Earlier versions, and pytrec_eval, round
/// them to 32 bits first, so scores that are equal in their first seven digits tie there.
///
/// The identifiers lie end to end in one string, so a ranking of a thousand documents takes three allocations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranking {
    hits: Hits,
}

impl Ranking {
    /// Ranks documents in the official order. Scores should not be NaN (readers refuse them); a NaN sorts below every
    /// number. A document that occurs twice keeps its better place.
    pub fn from_scored<'a>(scored: impl IntoIterator<Item = (&'a str, f64)>) -> Self {
        let hits: Hits = scored.into_iter().collect();
        hits.rank(0..hits.len(), None).kept
    }

    /// Creates a ranking from documents in their official order, without duplicates. Neither is checked. A ranking in
    /// another order would have a different order after it was written to a file and read back.
    pub fn from_ordered<'a>(hits: impl IntoIterator<Item = (&'a str, f64)>) -> Self {
        let mut hits: Hits = hits.into_iter().collect();
        hits.shrink();
        Self::of(hits)
    }

    /// Creates a ranking from documents in their official order, without duplicates. Neither is checked.
    pub(crate) fn of(hits: Hits) -> Self {
        Self { hits }
    }

    /// Returns the ranking with documents removed: those below them move up.
    #[must_use]
    pub fn without(&self, is_removed: impl Fn(&str) -> bool) -> Self {
        let kept = self.iter().filter(|hit| !is_removed(hit.document));
        Self::from_ordered(kept.map(|hit| (hit.document, hit.score)))
    }

    /// Returns the number of retrieved documents.
    pub fn len(&self) -> usize {
        self.hits.len()
    }

    /// Returns whether no document was retrieved.
    pub fn is_empty(&self) -> bool {
        self.hits.is_empty()
    }

    /// Returns the document at `rank`, from 1, if so many were retrieved.
    pub fn get(&self, rank: usize) -> Option<Hit<'_>> {
        let (document, score) = self.hits.get(rank.checked_sub(1)?)?;
        Some(Hit { document, score, rank })
    }

    /// Returns the scores, best document first.
    pub fn scores(&self) -> &[f64] {
        self.hits.scores()
    }

    /// Returns all documents, best first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Hit<'_>> {
        self.hits.iter().enumerate().map(|(index, (document, score))| Hit {
            document,
            score,
            rank: index + 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ties_go_to_the_greater_id_and_duplicates_to_the_better_place() {
        let ranking = Ranking::from_scored([("a", 1.0), ("b", 1.0), ("a", 3.0), ("c", f64::NAN)]);
        let order: Vec<_> = ranking.iter().map(|hit| (hit.document, hit.rank)).collect();
        assert_eq!(order, [("a", 1), ("b", 2), ("c", 3)]);
        assert_eq!(ranking.get(2).unwrap().document, "b");
        assert_eq!(ranking.get(0), None);
        assert_eq!(ranking.get(4), None);
    }

    proptest! {
        #[test]
        fn the_order_of_the_lines_does_not_matter(
            mut hits in proptest::collection::vec(("[a-c]{1,2}", -3i8..3), 0..40),
            seed in any::<u64>(),
        ) {
            let rank = |hits: &[(String, i8)]| {
                Ranking::from_scored(hits.iter().map(|(id, score)| (id.as_str(), f64::from(*score))))
            };
            let before = rank(&hits);
            let rotation = seed as usize % hits.len().max(1);
            hits.rotate_left(rotation);
            prop_assert_eq!(before, rank(&hits));
        }
    }
}
