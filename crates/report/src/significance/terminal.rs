//! Writes a comparison for a terminal.

use super::grid::{Grid, GridCell, comparison_grid, system_grid};
use super::legend::significance_legend;
use super::letters::superscript;
use super::table::SignificanceTable;
use crate::gates::GateResult;
use crate::text::{TableColumn, figures, text_table, words};

/// The tables of a comparison, their legend, and a sentence for each comparison and gate. Letters are superscript
/// characters.
pub fn significance_text(tables: &[SignificanceTable], gates: &[GateResult]) -> String {
    let sentences = tables.iter().flat_map(|table| &table.comparisons);
    let sentences = sentences.map(|tested| tested.comparison.sentence.as_str());
    let sentences: Vec<&str> = sentences.chain(gates.iter().map(|gate| gate.sentence.as_str())).collect();
    let mut parts = vec![
        grid_text(&system_grid(tables)),
        significance_legend(tables).join("\n"),
        grid_text(&comparison_grid(tables)),
        sentences.join("\n"),
    ];
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// Letters are padded to one width, so that decimal points of figures align whatever letters follow.
fn grid_text(grid: &Grid) -> String {
    let widest = |column: usize| {
        let letters = grid.rows.iter().filter_map(|row| match row.get(column) {
            Some(GridCell::Lettered { letters, .. }) => Some(letters.len()),
            _ => None,
        });
        letters.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..grid.columns.len()).map(widest).collect();
    let cell = |(cell, width): (&GridCell, &usize)| match cell {
        GridCell::Name(text) | GridCell::Figure(text) => text.clone(),
        GridCell::Lettered { figure, letters } => format!("{figure}{:<width$}", superscript(letters)),
    };
    let columns = grid.columns.iter().map(|column| -> TableColumn {
        let heading = cell((&column.heading, &0));
        if column.left { words(heading) } else { figures(heading) }
    });
    let rows = grid.rows.iter().map(|row| row.iter().zip(&widths).map(cell).collect());
    text_table(columns, rows)
}
