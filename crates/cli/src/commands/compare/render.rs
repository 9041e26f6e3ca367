//! Prints a comparison in each format.

use anyhow::Result;
use llull::report::{
    ComparisonView, Exporter, GateResult, Latex, Markdown, SignificanceTable, Terminal, TestedComparison,
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
        Format::Markdown => Markdown::default().to_text(&ComparisonView::new(&tables, &gates))?,
        Format::Latex => Latex.to_text(&ComparisonView::new(&tables, &gates))?,
        _ => Terminal.to_text(&ComparisonView::new(&tables, &gates))?,
    };
    Ok(context.printer.result(text)?)
}
