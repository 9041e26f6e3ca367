//! How far votes are from any order: cyclic triangles and components.

use crate::tournament::bits;
use crate::tournament::standing::Standing;
use crate::tournament::votes::Votes;
use serde::Serialize;

/// Contradictions in a set of votes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CycleCount {
    /// Triangles whose three edges run round in a circle. A pair with equal votes for both sides has no direction, so no
    /// triangle with such a pair is cyclic.
    pub cyclic: u64,
    /// Triangles of which all three pairs were judged, tied ones included.
    pub triangles: u64,
    /// The items in the largest strongly connected component.
    pub largest_component: usize,
    /// The sizes of the strongly connected components of more than one item, largest first.
    pub component_sizes: Vec<usize>,
}

pub(crate) fn count_cycles(votes: &Votes, standing: &Standing) -> CycleCount {
    let mut sizes: Vec<usize> =
        standing.components.iter().map(|component| component.items.len()).filter(|&size| size > 1).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let (triangles, cyclic) = triangles(votes);
    CycleCount {
        cyclic,
        triangles,
        largest_component: sizes.first().copied().unwrap_or(usize::from(votes.items() > 0)),
        component_sizes: sizes,
    }
}

/// Judged triangles and cyclic ones: for every judged pair the items judged with both, and for every edge the items that
/// close a circle, by intersections of rows. Each triangle is met three times.
fn triangles(votes: &Votes) -> (u64, u64) {
    let (mut all, mut cyclic) = (0, 0);
    for one in 0..votes.items() {
        for other in bits::members(votes.judged.row(one)) {
            if other > one {
                all += bits::count_both(votes.judged.row(one), votes.judged.row(other)) as u64;
            }
            if votes.beats.get(one, other) && !votes.beats.get(other, one) {
                cyclic += closing(votes, one, other);
            }
        }
    }
    (all / 3, cyclic / 3)
}

/// Items that `worse` strictly beats and that strictly beat `better`.
fn closing(votes: &Votes, better: usize, worse: usize) -> u64 {
    let rows =
        [votes.beats.row(worse), votes.beaten.row(worse), votes.beaten.row(better), votes.beats.row(better)];
    let [down, tied_down, up, tied_up] = rows;
    (0..down.len())
        .map(|at| u64::from((down[at] & !tied_down[at] & up[at] & !tied_up[at]).count_ones()))
        .sum()
}
