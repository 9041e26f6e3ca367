//! A comparison in each of its forms.

use anyhow::Result;
use llull::report::{
    GateResult, Grid, GridCell, SignificanceTable, TestedComparison, comparison_grid, latex,
    significance_legend, significance_markdown, superscript, system_grid,
};
use serde::Serialize;

use crate::args::CompareFormat;
use crate::table::aligned;

/// The comparisons of all measures, and what they were drawn from measure by measure.
#[derive(Serialize)]
struct Output {
    baseline: String,
    comparisons: Vec<TestedComparison>,
    gates: Vec<GateResult>,
    measures: Vec<SignificanceTable>,
}

pub(super) fn shown(
    format: CompareFormat,
    baseline: String,
    mut tables: Vec<SignificanceTable>,
    gates: Vec<GateResult>,
) -> Result<String> {
    Ok(match format {
        CompareFormat::Table => text(&tables, &gates),
        CompareFormat::Markdown => significance_markdown(&tables, &gates),
        CompareFormat::Latex => latex(&tables, &gates),
        CompareFormat::Json => {
            let comparisons = tables.iter_mut().flat_map(|table| std::mem::take(&mut table.comparisons));
            let comparisons = comparisons.collect();
            serde_json::to_string_pretty(&Output { baseline, comparisons, gates, measures: tables })?
        }
    })
}

fn text(tables: &[SignificanceTable], gates: &[GateResult]) -> String {
    let sentences = tables.iter().flat_map(|table| &table.comparisons);
    let sentences = sentences.map(|tested| tested.comparison.sentence.as_str());
    let sentences: Vec<&str> = sentences.chain(gates.iter().map(|gate| gate.sentence.as_str())).collect();
    [
        drawn(&system_grid(tables)),
        significance_legend(tables).join("\n"),
        drawn(&comparison_grid(tables)),
        sentences.join("\n"),
    ]
    .join("\n\n")
}

/// The table for a terminal: letters raised, and figures below one another whatever letters follow them.
fn drawn(grid: &Grid) -> String {
    let widest = |column: usize| {
        let letters = grid.rows.iter().filter_map(|row| match row.get(column) {
            Some(GridCell::Lettered { letters, .. }) => Some(letters.len()),
            _ => None,
        });
        letters.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..grid.columns.len()).map(widest).collect();
    let written = |(cell, width): (&GridCell, &usize)| match cell {
        GridCell::Name(text) | GridCell::Figure(text) => text.clone(),
        GridCell::Lettered { figure, letters } => format!("{figure}{:<width$}", superscript(letters)),
    };
    let rows = grid.rows.iter().map(|row| row.iter().zip(&widths).map(written).collect());
    aligned(grid.columns.iter().map(|column| (written((&column.heading, &0)), column.left)), rows)
}
