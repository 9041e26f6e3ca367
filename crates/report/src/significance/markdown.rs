//! A comparison as Markdown.

use super::grid::{Grid, GridCell, comparison_grid, system_grid};
use super::legend::significance_legend;
use super::table::SignificanceTable;
use crate::gates::GateResult;
use crate::text::escape;

/// The tables of a comparison and their legend, as Markdown with letters as `<sup>`. Names are text there
/// ([`escape`]).
pub fn significance_markdown(tables: &[SignificanceTable], gates: &[GateResult]) -> String {
    let mut parts = vec![table(&system_grid(tables))];
    parts.push(significance_legend(tables).iter().map(|line| escape(line)).collect::<Vec<_>>().join(" "));
    parts.push(table(&comparison_grid(tables)));
    let sentences = tables.iter().flat_map(|table| &table.comparisons);
    let sentences = sentences.map(|tested| &tested.comparison.sentence);
    let sentences = sentences.chain(gates.iter().map(|gate| &gate.sentence));
    parts.push(sentences.map(|sentence| format!("- {}", escape(sentence))).collect::<Vec<_>>().join("\n"));
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

fn table(grid: &Grid) -> String {
    if grid.rows.is_empty() {
        return String::new();
    }
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let headings = line(grid.columns.iter().map(|column| cell(&column.heading)).collect());
    let rule = grid.columns.iter().map(|column| if column.left { ":--" } else { "--:" }.to_owned());
    let rows = grid.rows.iter().map(|row| line(row.iter().map(cell).collect()));
    [headings, line(rule.collect())].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

fn cell(cell: &GridCell) -> String {
    match cell {
        GridCell::Name(name) => escape(name),
        GridCell::Figure(text) => text.replace('<', "&lt;"),
        GridCell::Lettered { figure, letters } if letters.is_empty() => figure.clone(),
        // Ranges of letters with the dash of ranges.
        GridCell::Lettered { figure, letters } => format!("{figure}<sup>{}</sup>", letters.replace('-', "–")),
    }
}
