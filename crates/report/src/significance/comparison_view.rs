//! A comparison as Markdown, HTML, JSON and text.

use std::io::Write;

use serde_json::{Value, json};

use super::legend::{significance_legend, superscript};
use super::table::{Grid, GridCell, SignificanceTable, comparison_grid, system_grid};
use super::tested_comparison::TestedComparison;
use crate::error::ReportError;
use crate::export::{Exporter, Markdown};
use crate::gates::GateResult;
use crate::recorded_comparison::{by_judges, track_records};
use crate::text::{TableColumn, escape, escape_html, figures, html_lines, markdown_lines, text_table, words};

/// The tables of a comparison, their legend, and a sentence for each comparison and gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonView {
    /// Systems by measures.
    pub systems: Grid,
    /// Every system against the baseline, measure by measure; without a row if there is one system.
    pub comparisons: Grid,
    /// The meaning of letters and intervals.
    pub legend: Vec<String>,
    /// The results.
    pub sentences: Vec<String>,
}

impl ComparisonView {
    /// All tables must have the same systems.
    pub fn new(tables: &[SignificanceTable], gates: &[GateResult]) -> Self {
        let comparisons = tables.iter().flat_map(|table| &table.comparisons);
        let sentences = comparisons.map(|tested| tested.comparison.sentence.clone());
        let records = tables.iter().flat_map(|table| records(table, tables.len() > 1));
        Self {
            systems: system_grid(tables),
            comparisons: comparison_grid(tables),
            legend: significance_legend(tables),
            sentences: sentences
                .chain(records)
                .chain(gates.iter().map(|gate| gate.sentence.clone()))
                .collect(),
        }
    }
}

/// The track records of a table's verdicts, and what single judges decide, a sentence each, under the name of the
/// measure if there are several.
fn records(table: &SignificanceTable, named: bool) -> Vec<String> {
    let comparisons = || table.comparisons.iter().map(|tested| &tested.comparison);
    let mut records = track_records(comparisons());
    records.extend(by_judges(comparisons()));
    if let Some(first) = records.first_mut().filter(|_| named) {
        first.insert_str(0, &format!("{}: ", table.measure));
    }
    records
}

/// The parts of a text that are there, with an empty line between them.
pub(super) fn paragraphs(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Letters are `<sup>`. Names are text there ([`escape`]).
impl Exporter<ComparisonView> for Markdown<'_> {
    fn export(&self, view: &ComparisonView, out: &mut dyn Write) -> Result<(), ReportError> {
        let sentences = view.sentences.iter().map(|sentence| format!("- {}", escape(sentence)));
        let text = paragraphs([
            markdown_grid(&view.systems),
            view.legend.iter().map(|line| escape(line)).collect::<Vec<_>>().join(" "),
            markdown_grid(&view.comparisons),
            sentences.collect::<Vec<_>>().join("\n"),
        ]);
        out.write_all(text.as_bytes()).map_err(ReportError::Write)
    }
}

fn markdown_grid(grid: &Grid) -> String {
    if grid.rows.is_empty() {
        return String::new();
    }
    let columns = grid.columns.iter().map(|column| (markdown_cell(&column.heading), column.left));
    markdown_lines(columns, grid.rows.iter().map(|row| row.iter().map(markdown_cell).collect()))
}

fn markdown_cell(cell: &GridCell) -> String {
    match cell {
        GridCell::Name(name) => escape(name),
        GridCell::Figure(text) => text.replace('<', "&lt;"),
        GridCell::Lettered { figure, letters } if letters.is_empty() => figure.clone(),
        // Ranges of letters with the dash of ranges.
        GridCell::Lettered { figure, letters } => format!("{figure}<sup>{}</sup>", letters.replace('-', "–")),
    }
}

impl ComparisonView {
    /// Returns the tables, their legend and the sentences as HTML without scripts and styles of its own. Names and
    /// sentences are text there ([`escape_html`]).
    pub fn html(&self) -> String {
        let paragraph = |text: String| format!("<p>{text}</p>");
        let legend = self.legend.iter().map(|line| escape_html(line)).collect::<Vec<_>>().join(" ");
        let sentences = self.sentences.iter().map(|sentence| format!("<li>{}</li>", escape_html(sentence)));
        let sentences: String = sentences.collect();
        let parts = [
            html_grid(&self.systems),
            if legend.is_empty() { String::new() } else { paragraph(legend) },
            html_grid(&self.comparisons),
            if sentences.is_empty() { String::new() } else { format!("<ul>{sentences}</ul>") },
        ];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

fn html_grid(grid: &Grid) -> String {
    if grid.rows.is_empty() {
        return String::new();
    }
    let columns = grid.columns.iter().map(|column| (html_cell(&column.heading), column.left));
    html_lines(columns, grid.rows.iter().map(|row| row.iter().map(html_cell).collect()))
}

fn html_cell(cell: &GridCell) -> String {
    match cell {
        GridCell::Name(text) | GridCell::Figure(text) => escape_html(text),
        GridCell::Lettered { figure, letters } if letters.is_empty() => escape_html(figure),
        GridCell::Lettered { figure, letters } => {
            format!("{}<sup>{}</sup>", escape_html(figure), escape_html(letters))
        }
    }
}

/// A comparison as `llull compare --json` prints it: the comparisons of all measures together, the gates, and the
/// details of each measure.
pub fn comparison_json(baseline: &str, mut tables: Vec<SignificanceTable>, gates: &[GateResult]) -> Value {
    let comparisons = tables.iter_mut().flat_map(|table| std::mem::take(&mut table.comparisons));
    let comparisons: Vec<TestedComparison> = comparisons.collect();
    json!({
        "baseline": baseline,
        "comparisons": comparisons,
        "gates": gates,
        "measures": tables,
    })
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::significance::table::GridColumn;

    #[test]
    fn names_cannot_become_markup() {
        let column = |text: &str| GridColumn { heading: GridCell::Name(text.to_owned()), left: true };
        let hostile = "<img src=x onerror=alert(1)>";
        let lettered = GridCell::Lettered { figure: "0.5".to_owned(), letters: "a".to_owned() };
        let view = ComparisonView {
            systems: Grid {
                columns: vec![column(hostile), column("nDCG@10")],
                rows: vec![vec![GridCell::Name(hostile.to_owned()), lettered]],
            },
            comparisons: Grid { columns: Vec::new(), rows: Vec::new() },
            legend: vec![hostile.to_owned()],
            sentences: vec![hostile.to_owned()],
        };
        let html = view.html();
        assert!(!html.contains("<img"), "{html}");
        assert_eq!(html.matches("&lt;img").count(), 4);
        assert!(html.contains("0.5<sup>a</sup>"));
    }
}
