//! Contradictions in the votes: cyclic triangles and components.

use super::bits;
use super::strongly_connected::strongly_connected;
use super::votes::Votes;
use llull_core::Item;
use serde::Serialize;

/// Contradictions in a set of votes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CycleCount {
    /// Triangles whose three edges form a cycle. A pair with equal votes for both sides has no direction, so a
    /// triangle with such a pair is not cyclic.
    pub cyclic: u64,
    /// Triangles whose three pairs were all judged, tied pairs included.
    pub triangles: u64,
    /// The number of items in the largest strongly connected component of the pairs that have a leader: 1 if
    /// nothing is cyclic, 0 without items. Ties have no direction here, so a tier that ties hold together can
    /// be larger.
    pub largest_component: usize,
    /// The sizes of the components of more than one item, largest first.
    pub component_sizes: Vec<usize>,
}

/// Pairs of items with a vote whose places in the order are about as far apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PairsAtDistance {
    /// The least distance: 1, 2, 4, 8 and so on, each up to the next.
    pub distance: usize,
    /// The pairs.
    pub pairs: u64,
    /// Those of which a vote has the item ahead that is later in the order.
    pub contradictory: u64,
}

/// Counts pairs with a vote by their distance in an order of all items, the nearest first.
pub(crate) fn by_distance(votes: &Votes, order: &[Item]) -> Vec<PairsAtDistance> {
    let mut places = vec![0; votes.items()];
    for (place, item) in order.iter().enumerate() {
        places[item.index()] = place;
    }
    let mut counts: Vec<PairsAtDistance> = (0..usize::BITS)
        .map(|bits| PairsAtDistance { distance: 1 << bits, pairs: 0, contradictory: 0 })
        .collect();
    for ((low, high), tally) in votes.pairs() {
        let (one, other): (usize, usize) = (places[low.index()], places[high.index()]);
        let against = if one < other { tally.high } else { tally.low };
        if let Some(count) =
            one.abs_diff(other).checked_ilog2().and_then(|bits| counts.get_mut(bits as usize))
        {
            count.pairs += u64::from(tally.total() > 0);
            count.contradictory += u64::from(against > 0);
        }
    }
    counts.retain(|count| count.pairs > 0);
    counts
}

/// Returns the items that form cycles, ascending, whatever a tie means for the tiers.
pub(crate) fn in_cycles(votes: &Votes) -> Vec<Item> {
    let mut items: Vec<Item> = cycles(votes).flatten().map(Item::at).collect();
    items.sort_unstable();
    items
}

/// Returns the components of several items that lead each other.
fn cycles(votes: &Votes) -> impl Iterator<Item = Vec<usize>> {
    strongly_connected(&votes.leads()).into_iter().filter(|component| component.len() > 1)
}

/// Counts the contradictions in votes, whatever a tie means for the tiers.
pub(crate) fn count_cycles(votes: &Votes) -> CycleCount {
    let mut sizes: Vec<usize> = cycles(votes).map(|component| component.len()).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let (triangles, cyclic) = triangles(votes);
    CycleCount {
        cyclic,
        triangles,
        largest_component: sizes.first().copied().unwrap_or(usize::from(votes.items() > 0)),
        component_sizes: sizes,
    }
}

/// Returns the number of judged triangles and of cyclic ones.
///
/// Rows are intersected: for each judged pair, the items judged with both; for each leader, the items that close a
/// cycle. Each triangle is met three times.
fn triangles(votes: &Votes) -> (u64, u64) {
    let (leads, trails) = (votes.leads(), votes.trails());
    let (mut all, mut cyclic) = (0, 0);
    for one in 0..votes.items() {
        for other in bits::members(votes.judged.row(one)).filter(|&other| other > one) {
            all += bits::count_both(votes.judged.row(one), votes.judged.row(other)) as u64;
        }
        for other in bits::members(leads.row(one)) {
            cyclic += bits::count_both(leads.row(other), trails.row(one)) as u64;
        }
    }
    (all / 3, cyclic / 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::options::TieRule;
    use llull_core::Ballot;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn triangles_are_those_that_one_counts(
            pairs in prop::collection::vec((0..9u32, 0..9u32, any::<bool>()), 0..80),
        ) {
            for ties in [TieRule::Equal, TieRule::Open] {
                let mut votes = Votes::new(9, ties);
                for &(one, other, tied) in pairs.iter().filter(|(one, other, _)| one != other) {
                    let groups = if tied { vec![vec![one, other]] } else { vec![vec![one], vec![other]] };
                    votes.apply(&Ballot::of(groups));
                }
                let leads = |a: u32, b: u32| {
                    let tally = votes.between(Item(a), Item(b));
                    tally.low > tally.high
                };
                let judged = |a: u32, b: u32| votes.between(Item(a), Item(b)).total() > 0;
                let (mut all, mut cyclic) = (0, 0);
                for a in 0..9 {
                    for b in a + 1..9 {
                        for c in b + 1..9 {
                            all += u64::from(judged(a, b) && judged(b, c) && judged(a, c));
                            cyclic += u64::from(leads(a, b) && leads(b, c) && leads(c, a));
                            cyclic += u64::from(leads(b, a) && leads(c, b) && leads(a, c));
                        }
                    }
                }
                prop_assert_eq!(triangles(&votes), (all, cyclic));
            }
        }
    }

    // 0 before 1 before 2 before 3, but for one answer that has 3 before 2 and one that has 1 before 0.
    #[test]
    fn contradictions_are_counted_by_distance() {
        let mut votes = Votes::new(4, TieRule::Equal);
        for ballot in [[0, 1, 2, 3], [1, 0, 3, 2]] {
            votes.apply(&Ballot::strict(ballot.map(Item)));
        }
        let found = by_distance(&votes, &[0, 1, 2, 3].map(Item));
        let at = |distance, pairs, contradictory| PairsAtDistance { distance, pairs, contradictory };
        assert_eq!(found, [at(1, 3, 2), at(2, 3, 0)]);
        assert_eq!(by_distance(&Votes::new(2, TieRule::Equal), &[1, 0].map(Item)), []);
    }

    /// A cycle without a cyclic triangle, since two of its pairs were never shown, is a cycle all the same.
    #[test]
    fn a_cycle_of_four_is_one_without_a_triangle() {
        let mut votes = Votes::new(5, TieRule::Equal);
        for pair in [[0, 1], [1, 2], [2, 3], [3, 0], [0, 4]] {
            votes.apply(&Ballot::strict(pair.map(Item)));
        }
        let count = count_cycles(&votes);
        assert_eq!((count.cyclic, count.triangles, count.component_sizes), (0, 0, vec![4]));
        assert_eq!(in_cycles(&votes), [0, 1, 2, 3].map(Item));
    }

    #[test]
    fn ties_are_no_contradiction() {
        let mut votes = Votes::new(4, TieRule::Equal);
        votes.apply(&Ballot::of([vec![0, 1, 2], vec![3]]));
        let count = count_cycles(&votes);
        assert_eq!((count.cyclic, count.triangles, count.largest_component), (0, 4, 1));
        assert!(count.component_sizes.is_empty());
    }
}
