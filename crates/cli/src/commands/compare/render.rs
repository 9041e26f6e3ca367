//! The result of a comparison in each of its formats.

use anyhow::Result;
use llull::report::{
    GateResult, SignificanceTable, TestedComparison, latex, significance_markdown, significance_text,
};
use serde::Serialize;

use crate::args::CompareFormat;

/// The comparisons of all measures together, and the details of each measure.
#[derive(Serialize)]
struct Output {
    baseline: String,
    comparisons: Vec<TestedComparison>,
    gates: Vec<GateResult>,
    measures: Vec<SignificanceTable>,
}

pub(super) fn render(
    format: CompareFormat,
    baseline: String,
    mut tables: Vec<SignificanceTable>,
    gates: Vec<GateResult>,
) -> Result<String> {
    Ok(match format {
        CompareFormat::Table => significance_text(&tables, &gates),
        CompareFormat::Markdown => significance_markdown(&tables, &gates),
        CompareFormat::Latex => latex(&tables, &gates),
        CompareFormat::Json => {
            let comparisons = tables.iter_mut().flat_map(|table| std::mem::take(&mut table.comparisons));
            let comparisons = comparisons.collect();
            serde_json::to_string_pretty(&Output { baseline, comparisons, gates, measures: tables })?
        }
    })
}
