//! A comparison as Markdown, HTML, JSON and text.

use std::io::Write;

use serde_json::{Value, json};

use super::legend::significance_legend;
use super::table::{SignificanceTable, comparison_table, system_table};
use super::tested_comparison::TestedComparison;
use crate::error::ReportError;
use crate::export::{Exporter, Markdown};
use crate::gates::GateResult;
use crate::recorded_comparison::{by_judges, track_records};
use crate::text::{Table, escape, escape_html};

/// The tables of a comparison, their legend, and a sentence for each comparison and gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonView {
    /// Systems by measures.
    pub systems: Table,
    /// Every system against the baseline, measure by measure; without a row if there is one system.
    pub comparisons: Table,
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
            systems: system_table(tables),
            comparisons: comparison_table(tables),
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
            unless_empty(&view.systems, Table::markdown),
            view.legend.iter().map(|line| escape(line)).collect::<Vec<_>>().join(" "),
            unless_empty(&view.comparisons, Table::markdown),
            sentences.collect::<Vec<_>>().join("\n"),
        ]);
        out.write_all(text.as_bytes()).map_err(ReportError::Write)
    }
}

/// The output of a table, if it has a row.
fn unless_empty(table: &Table, output: fn(&Table) -> String) -> String {
    if table.rows.is_empty() { String::new() } else { output(table) }
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
            unless_empty(&self.systems, Table::html),
            if legend.is_empty() { String::new() } else { paragraph(legend) },
            unless_empty(&self.comparisons, Table::html),
            if sentences.is_empty() { String::new() } else { format!("<ul>{sentences}</ul>") },
        ];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
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
            view.systems.text(),
            view.legend.join("\n"),
            view.comparisons.text(),
            view.sentences.join("\n"),
        ]);
        out.write_all(text.as_bytes()).map_err(ReportError::Write)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{TableCell, words};

    #[test]
    fn names_cannot_become_markup() {
        let hostile = "<img src=x onerror=alert(1)>";
        let lettered = TableCell::Lettered { figure: "0.5".to_owned(), letters: "a".to_owned() };
        let view = ComparisonView {
            systems: Table {
                columns: vec![words(hostile), words("nDCG@10")],
                rows: vec![vec![TableCell::Name(hostile.to_owned()), lettered]],
            },
            comparisons: Table { columns: Vec::new(), rows: Vec::new() },
            legend: vec![hostile.to_owned()],
            sentences: vec![hostile.to_owned()],
        };
        let html = view.html();
        assert!(!html.contains("<img"), "{html}");
        assert_eq!(html.matches("&lt;img").count(), 4);
        assert!(html.contains("0.5<sup>a</sup>"));
    }
}
