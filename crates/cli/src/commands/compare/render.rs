//! Prints a comparison in each format.

use anyhow::Result;
use llull::report::{
    GateResult, SignificanceTable, TestedComparison, latex, significance_markdown, significance_text,
};
use serde::Serialize;

use crate::args::{CompareArgs, Format};
use crate::commands::Context;

/// The comparisons of all measures together, and the details of each measure.
#[derive(Serialize)]
struct Output {
    baseline: String,
    comparisons: Vec<TestedComparison>,
    gates: Vec<GateResult>,
    measures: Vec<SignificanceTable>,
}

pub(super) fn print(
    context: &Context,
    args: &CompareArgs,
    baseline: String,
    mut tables: Vec<SignificanceTable>,
    gates: Vec<GateResult>,
) -> Result<()> {
    let text = match context.format(args.format) {
        Format::Json => {
            let comparisons = tables.iter_mut().flat_map(|table| std::mem::take(&mut table.comparisons));
            let comparisons = comparisons.collect();
            let output = Output { baseline, comparisons, gates, measures: tables };
            return Ok(context.printer.json(&output)?);
        }
        Format::Markdown => significance_markdown(&tables, &gates),
        Format::Latex => latex(&tables, &gates),
        _ => significance_text(&tables, &gates),
    };
    Ok(context.printer.result(text)?)
}
