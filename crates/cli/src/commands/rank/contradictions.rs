//! How far comparisons contradict each other: cyclic triangles.

use llull::rank::CycleCount;
use llull::report::text::{count, counted};

use super::ranking::{Made, Ranked};

/// Counts contradictions over all queries: sums, and the largest component of any query; `None` for ratings.
pub(super) fn contradictions(all: &[Ranked<'_>]) -> Option<CycleCount> {
    let mut total = CycleCount::default();
    for ranked in all {
        let Made::Tiers(outcome) = &ranked.made else { return None };
        total.cyclic += outcome.cycles.cyclic;
        total.triangles += outcome.cycles.triangles;
        total.largest_component = total.largest_component.max(outcome.cycles.largest_component);
    }
    Some(total)
}

pub(super) fn contradictions_in_words(cycles: &CycleCount) -> String {
    format!(
        "{} of {} triangles cyclic, the largest component has {}",
        count(cycles.cyclic),
        count(cycles.triangles),
        counted(cycles.largest_component, "item")
    )
}
