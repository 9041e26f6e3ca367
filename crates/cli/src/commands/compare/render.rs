//! Prints a comparison in each format.

use anyhow::Result;
use llull::report::{
    ChangeSplit, ComparisonView, Exporter, GateResult, Latex, Markdown, SignificanceTable, Terminal,
    TestedComparison,
};
use serde_json::json;

use crate::args::{CompareArgs, Format};
use crate::commands::Context;

pub(super) fn print(
    context: &Context,
    args: &CompareArgs,
    baseline: String,
    mut tables: Vec<SignificanceTable>,
    gates: Vec<GateResult>,
    changes: Option<ChangeSplit>,
) -> Result<()> {
    let text = match context.format(args.format) {
        Format::Json => {
            let comparisons = tables.iter_mut().flat_map(|table| std::mem::take(&mut table.comparisons));
            let comparisons: Vec<TestedComparison> = comparisons.collect();
            // The comparisons of all measures together, and the details of each measure.
            let mut result = json!({
                "baseline": baseline,
                "comparisons": comparisons,
                "gates": gates,
                "measures": tables,
            });
            if let Some(changes) = changes {
                result["changes"] = serde_json::to_value(changes)?;
            }
            return Ok(context.printer.json(&result)?);
        }
        Format::Markdown => Markdown::default().to_text(&ComparisonView::new(&tables, &gates))?,
        Format::Latex => Latex.to_text(&ComparisonView::new(&tables, &gates))?,
        _ => Terminal.to_text(&ComparisonView::new(&tables, &gates))?,
    };
    context.printer.result(text)?;
    if let Some(changes) = changes {
        let table = match context.format(args.format) {
            Format::Markdown => changes.markdown(),
            _ => changes.text(),
        };
        context.printer.result(format!("\n{}\n\n{table}", changes.order()))?;
    }
    Ok(())
}
