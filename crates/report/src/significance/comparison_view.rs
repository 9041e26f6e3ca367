//! A comparison as its exporters read it.

use super::grid::{Grid, comparison_grid, system_grid};
use super::legend::significance_legend;
use super::table::SignificanceTable;
use crate::gates::GateResult;
use crate::recorded_comparison::{by_judges, track_records};

/// The tables of a comparison, their legend, and a sentence for each comparison and gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonView {
    /// Systems by measures.
    pub systems: Grid,
    /// Every system against the baseline, measure by measure; without a row if there is one system.
    pub comparisons: Grid,
    /// The meaning of letters and intervals.
    pub legend: Vec<String>,
    /// The results.
    pub sentences: Vec<String>,
}

impl ComparisonView {
    /// All tables must have the same systems.
    pub fn new(tables: &[SignificanceTable], gates: &[GateResult]) -> Self {
        let comparisons = tables.iter().flat_map(|table| &table.comparisons);
        let sentences = comparisons.map(|tested| tested.comparison.sentence.clone());
        let records = tables.iter().flat_map(|table| records(table, tables.len() > 1));
        Self {
            systems: system_grid(tables),
            comparisons: comparison_grid(tables),
            legend: significance_legend(tables),
            sentences: sentences
                .chain(records)
                .chain(gates.iter().map(|gate| gate.sentence.clone()))
                .collect(),
        }
    }
}

/// The track records of a table's verdicts, and what single judges decide, a sentence each, under the name of the
/// measure if there are several.
fn records(table: &SignificanceTable, named: bool) -> Vec<String> {
    let comparisons = || table.comparisons.iter().map(|tested| &tested.comparison);
    let mut records = track_records(comparisons());
    records.extend(by_judges(comparisons()));
    if let Some(first) = records.first_mut().filter(|_| named) {
        first.insert_str(0, &format!("{}: ", table.measure));
    }
    records
}

/// The parts of a text that are there, with an empty line between them.
pub(super) fn paragraphs(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}
