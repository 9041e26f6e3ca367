//! Counts the contradictions of comparisons: cyclic triangles.

use crate::text::{count, counted};
use llull_rank::CycleCount;

use super::query::{RankedQuery, RankingOutput};

/// Counts contradictions over all queries: sums, and the largest component of any query; `None` for ratings.
pub(super) fn contradictions(all: &[RankedQuery<'_>]) -> Option<CycleCount> {
    let mut total = CycleCount::default();
    for ranked in all {
        let RankingOutput::Tiers(outcome) = &ranked.made else { return None };
        total.cyclic += outcome.cycles.cyclic;
        total.triangles += outcome.cycles.triangles;
        total.largest_component = total.largest_component.max(outcome.cycles.largest_component);
    }
    Some(total)
}

pub(super) fn contradictions_in_words(cycles: &CycleCount) -> String {
    let triangles = match (cycles.cyclic, cycles.triangles) {
        (_, 0) => "no three items were all compared with each other".to_owned(),
        (1, all) => format!("1 of {} is cyclic", counted(all, "triangle")),
        (cyclic, all) => format!("{} of {} are cyclic", count(cyclic), counted(all, "triangle")),
    };
    match cycles.largest_component {
        0 | 1 => format!("{triangles}; no cycles"),
        largest => {
            format!("{triangles}; the largest group of items in cycles has {}", count(largest))
        }
    }
}
