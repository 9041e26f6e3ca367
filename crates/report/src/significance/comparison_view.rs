//! A comparison as its exporters read it.

use super::grid::{Grid, comparison_grid, system_grid};
use super::legend::significance_legend;
use super::table::SignificanceTable;
use crate::gates::GateResult;

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
        let sentences = comparisons.map(|tested| &tested.comparison.sentence);
        Self {
            systems: system_grid(tables),
            comparisons: comparison_grid(tables),
            legend: significance_legend(tables),
            sentences: sentences.chain(gates.iter().map(|gate| &gate.sentence)).cloned().collect(),
        }
    }
}

/// The parts of a text that are there, with an empty line between them.
pub(super) fn paragraphs(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}
