//! A comparison as JSON.

use serde_json::{Value, json};

use super::table::SignificanceTable;
use super::tested_comparison::TestedComparison;
use crate::gates::GateResult;

/// A comparison as `llull compare --json` prints it: the comparisons of all measures together, the gates, and the
/// details of each measure.
pub fn comparison_json(baseline: &str, mut tables: Vec<SignificanceTable>, gates: &[GateResult]) -> Value {
    let comparisons = tables.iter_mut().flat_map(|table| std::mem::take(&mut table.comparisons));
    let comparisons: Vec<TestedComparison> = comparisons.collect();
    json!({
        "baseline": baseline,
        "comparisons": comparisons,
        "gates": gates,
        "measures": tables,
    })
}
