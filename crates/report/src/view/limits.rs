//! Limits of the text and the page of a report.

use serde::Serialize;

/// How much of the detail the Markdown and the page show, so that both stay readable whatever the study. Each counts
/// the omitted rows; the JSON has everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Queries in the Markdown, those with the largest differences first; 50 unless changed.
    pub markdown_topics: usize,
    /// Queries on the page with their rankings, in the same order; 300 unless changed.
    pub html_topics: usize,
    /// Documents of a query in the Markdown, in the report's order; 10 unless changed.
    pub documents: usize,
    /// Disagreements between judges, and with the reference, in the Markdown; 10 unless changed.
    pub disagreements: usize,
    /// How far down a system's ranking the page shows; 10 unless changed.
    pub ranks: u32,
    /// Systems with rankings side by side on the page; 4 by default.
    pub systems: usize,
    /// Rows of a table on the page, and bars of a chart; 400 unless changed.
    pub rows: usize,
    /// Bytes of the page: queries are added while there is room. 4,500,000 unless changed.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            markdown_topics: 50,
            html_topics: 300,
            documents: 10,
            disagreements: 10,
            ranks: 10,
            systems: 4,
            rows: 400,
            bytes: 4_500_000,
        }
    }
}
