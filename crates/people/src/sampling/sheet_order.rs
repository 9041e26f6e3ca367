//! The pairs of a sample in the annotator's order.

use indexmap::IndexMap;
use llull_core::{DrawnSample, SampleDesign, SamplingUnit, Seed};
use llull_stats::draw_without_replacement;

/// Returns the drawn pairs in random order, each with its number in the frame, from 1.
///
/// So the labelled part is a random sample, even if the annotator stops early. If whole queries were drawn, queries are
/// in random order, and each one's documents are together.
pub fn sheet_order(sample: &DrawnSample) -> Vec<(usize, &SamplingUnit)> {
    let drawn = sample.units.iter().enumerate().filter(|(_, unit)| unit.drawn == Some(true));
    let mut groups: IndexMap<&str, Vec<(usize, &SamplingUnit)>> = IndexMap::new();
    for (at, unit) in drawn {
        let group = if sample.design == Some(SampleDesign::Queries) { unit.topic.as_str() } else { "" };
        groups.entry(group).or_default().push((at + 1, unit));
    }
    let seed = sample.seed.unwrap_or(Seed(0));
    let shuffled = |size, stream| draw_without_replacement(size, size, seed, "order of a sheet", stream);
    let mut order = Vec::new();
    for group in shuffled(groups.len(), 0) {
        let Some((_, members)) = groups.get_index(group) else { continue };
        order.extend(shuffled(members.len(), group + 1).into_iter().map(|at| members[at]));
    }
    order
}
