//! Prints a comparison in each format.

use anyhow::Result;
use llull::report::{
    ChangeSplit, CheckGate, ComparisonView, Exporter, GateResult, Latex, Markdown, QuerySelection,
    SignificanceTable, SliceSection, Terminal, comparison_json,
};

use crate::args::{CompareArgs, Format};
use crate::commands::{Context, print_slices, table};

/// What a comparison has besides its tables: the chosen queries, slices, the change since an earlier report, and the
/// bounds on judges.
pub(super) struct ComparisonParts<'a> {
    pub(super) selection: Option<&'a QuerySelection>,
    pub(super) slices: &'a [SliceSection],
    pub(super) changes: Option<&'a ChangeSplit>,
    pub(super) check_gates: &'a [CheckGate],
}

pub(super) fn print(
    context: &Context,
    args: &CompareArgs,
    baseline: String,
    tables: Vec<SignificanceTable>,
    gates: Vec<GateResult>,
    parts: &ComparisonParts<'_>,
) -> Result<()> {
    let format = context.format(args.format);
    let text = match format {
        Format::Json => {
            let mut found = comparison_json(&baseline, tables, &gates);
            if let Some(object) = found.as_object_mut() {
                if let Some(selection) = parts.selection {
                    object.insert("queries".to_owned(), serde_json::to_value(selection)?);
                }
                if let Some(changes) = parts.changes {
                    object.insert("changes".to_owned(), serde_json::to_value(changes)?);
                }
                if !parts.check_gates.is_empty() {
                    object.insert("check_gates".to_owned(), serde_json::to_value(parts.check_gates)?);
                }
                if !parts.slices.is_empty() {
                    object.insert("slices".to_owned(), serde_json::to_value(parts.slices)?);
                }
            }
            return Ok(context.printer.json(&found)?);
        }
        Format::Markdown => Markdown::default().to_text(&ComparisonView::new(&tables, &gates))?,
        Format::Latex => Latex.to_text(&ComparisonView::new(&tables, &gates))?,
        _ => Terminal.to_text(&ComparisonView::new(&tables, &gates))?,
    };
    context.printer.result(text)?;
    if format != Format::Latex {
        print_slices(context, format, parts.slices)?;
    }
    if let Some(changes) = parts.changes {
        let table = table(format, &changes.table());
        context.printer.result(format!("\n{}\n\n{table}", changes.order()))?;
    }
    Ok(())
}
