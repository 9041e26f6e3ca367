//! Rankings: what one system returned for one topic.

use std::ops::Range;

use crate::hits::Hits;

/// A ranking and what it was made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The documents in the official order, without duplicates, down to the depth.
    pub kept: Ranking,
    /// How many different documents there were before the depth was applied.
    pub distinct: usize,
}

impl Hits {
    /// The ranking of those in `range`, down to `depth` documents: score descending, then document id descending. A NaN comes last.
    /// Of a document that came twice the better place is kept.
    ///
    /// What came in this order already, as in most runs, is not sorted again.
    pub fn rank(&self, range: Range<usize>, depth: Option<usize>) -> Ranked {
        let (kept, distinct) = self.official(range, depth);
        Ranked { kept: Ranking::of(kept), distinct }
    }
}

/// One retrieved document at its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit<'a> {
    /// The document's identifier.
    pub document: &'a str,
    /// The score that the system gave it.
    pub score: f64,
    /// Its rank in the official order, from 1.
    pub rank: usize,
}

/// What one system returned for one topic, best first, without duplicates.
///
/// The order is trec_eval's: score descending, then document id descending (byte order); a file's own rank
/// column is not consulted. Scores are compared as 64-bit numbers, as in trec_eval 10. Earlier versions, and
/// pytrec_eval, round them to 32 bits first, so that scores equal in their first seven digits tie there. Identifiers lie end to end in one string, so a ranking of a thousand documents
/// is three allocations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranking {
    hits: Hits,
}

impl Ranking {
    /// The ranking of these documents in the official order. Scores must not be NaN (readers refuse them);
    /// a NaN would sort below every number. Of a document that occurs twice the better place is kept.
    pub fn from_scored<'a>(scored: impl IntoIterator<Item = (&'a str, f64)>) -> Self {
        let hits: Hits = scored.into_iter().collect();
        hits.rank(0..hits.len(), None).kept
    }

    /// The ranking of these documents in the order given. The caller vouches for it: that it is the official order
    /// (a file written from any other would be read back in another), and that no document comes twice.
    pub fn from_ordered<'a>(hits: impl IntoIterator<Item = (&'a str, f64)>) -> Self {
        let mut hits: Hits = hits.into_iter().collect();
        hits.shrink();
        Self::of(hits)
    }

    /// The caller vouches for order and distinctness.
    pub(crate) fn of(hits: Hits) -> Self {
        Self { hits }
    }

    /// How many documents were retrieved.
    pub fn len(&self) -> usize {
        self.hits.len()
    }

    /// Whether nothing was retrieved.
    pub fn is_empty(&self) -> bool {
        self.hits.is_empty()
    }

    /// The document at `rank` (from 1), if so many were retrieved.
    pub fn get(&self, rank: usize) -> Option<Hit<'_>> {
        let (document, score) = self.hits.get(rank.checked_sub(1)?)?;
        Some(Hit { document, score, rank })
    }

    /// All documents, best first.
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
