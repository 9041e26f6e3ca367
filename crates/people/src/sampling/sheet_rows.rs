//! The rows of a sample's sheet, in the annotator's order.

use indexmap::IndexMap;
use llull_core::{DrawnSample, SampleDesign, Seed};
use llull_data::SheetRow;
use llull_stats::draw_without_replacement;

/// Returns a row for each drawn pair, in random order.
///
/// So the labelled part is a random sample, even if the annotator stops early. If whole queries were drawn, queries are
/// in random order, and each one's documents are together. `texts` returns the texts of query and document.
pub fn sheet_rows(
    sample: &DrawnSample,
    texts: impl Fn(&str, &str) -> Option<(String, String)>,
) -> Vec<SheetRow> {
    let drawn = sample.units.iter().enumerate().filter(|(_, unit)| unit.drawn == Some(true));
    let mut groups: IndexMap<&str, Vec<usize>> = IndexMap::new();
    for (at, unit) in drawn {
        let group = if sample.design == Some(SampleDesign::Queries) { unit.topic.as_str() } else { "" };
        groups.entry(group).or_default().push(at);
    }
    let seed = sample.seed.unwrap_or(Seed(0));
    let shuffled = |size, stream| draw_without_replacement(size, size, seed, "order of a sheet", stream);
    let mut rows = Vec::new();
    for group in shuffled(groups.len(), 0) {
        let Some((_, members)) = groups.get_index(group) else { continue };
        for at in shuffled(members.len(), group + 1) {
            let unit = &sample.units[members[at]];
            rows.push(SheetRow {
                number: members[at] + 1,
                query: unit.topic.clone(),
                document: unit.document.clone(),
                texts: texts(&unit.topic, &unit.document),
            });
        }
    }
    rows
}
