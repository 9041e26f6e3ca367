//! Writes a comparison for a terminal.

use std::io::Write;

use super::comparison_view::{ComparisonView, paragraphs};
use super::grid::{Grid, GridCell};
use super::letters::superscript;
use crate::error::ReportError;
use crate::export::Exporter;
use crate::text::{TableColumn, figures, text_table, words};

/// A comparison as plain text, whose letters are superscript characters, or a report as the end of a run prints it.
#[derive(Debug, Clone, Copy)]
pub struct Terminal;

impl Exporter<ComparisonView> for Terminal {
    fn export(&self, view: &ComparisonView, out: &mut dyn Write) -> Result<(), ReportError> {
        let text = paragraphs([
            grid_text(&view.systems),
            view.legend.join("\n"),
            grid_text(&view.comparisons),
            view.sentences.join("\n"),
        ]);
        out.write_all(text.as_bytes()).map_err(ReportError::Write)
    }
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
