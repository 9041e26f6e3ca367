//! A comparison as Markdown.

use std::io::Write;

use super::comparison_view::{ComparisonView, paragraphs};
use super::grid::{Grid, GridCell};
use crate::error::ReportError;
use crate::export::{Exporter, Markdown};
use crate::text::{escape, markdown_lines};

/// Letters are `<sup>`. Names are text there ([`escape`]).
impl Exporter<ComparisonView> for Markdown<'_> {
    fn export(&self, view: &ComparisonView, out: &mut dyn Write) -> Result<(), ReportError> {
        let sentences = view.sentences.iter().map(|sentence| format!("- {}", escape(sentence)));
        let text = paragraphs([
            table(&view.systems),
            view.legend.iter().map(|line| escape(line)).collect::<Vec<_>>().join(" "),
            table(&view.comparisons),
            sentences.collect::<Vec<_>>().join("\n"),
        ]);
        out.write_all(text.as_bytes()).map_err(ReportError::Write)
    }
}

fn table(grid: &Grid) -> String {
    if grid.rows.is_empty() {
        return String::new();
    }
    let columns = grid.columns.iter().map(|column| (cell(&column.heading), column.left));
    markdown_lines(columns, grid.rows.iter().map(|row| row.iter().map(cell).collect()))
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
