//! Tables, and their outputs for terminals, in Markdown and in HTML.

use comfy_table::CellAlignment;
use comfy_table::presets::NOTHING;
use serde::Serialize;

use super::escape::{escape, escape_html};
use super::superscript;
use super::visible_line;

/// A table of columns and rows, with an output for each format. The first column names the rows, and is set to the
/// left.
///
/// ```
/// use llull_report::text::Table;
/// let row = |name: &str, mean: &str| vec![name.to_owned(), mean.to_owned()];
/// let table = Table::new(["system", "mean"], [row("a|b", "0.5000"), row("<ngrams>", "0.25")]);
/// assert_eq!(table.text(), "system      mean\na|b       0.5000\n<ngrams>    0.25");
/// assert_eq!(table.markdown().lines().nth(2), Some("| a&#124;b | 0.5000 |"));
/// assert!(table.html().contains("<td style=\"text-align: left\">&lt;ngrams&gt;</td>"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    pub(crate) columns: Vec<TableColumn>,
    pub(crate) rows: Vec<Vec<TableCell>>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableColumn {
    pub(crate) heading: TableCell,
    pub(crate) left: bool,
}

/// The content of a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum TableCell {
    /// A name from outside: it is escaped.
    Name(String),
    /// A figure or a word of llull's.
    Figure(String),
    /// A figure, and the letters of systems; they may be empty.
    Lettered {
        /// The figure.
        figure: String,
        /// The letters.
        letters: String,
    },
}

/// A column of words, set to the left.
pub fn words(heading: impl Into<String>) -> TableColumn {
    TableColumn { heading: TableCell::Name(heading.into()), left: true }
}

/// A column of figures, aligned to the right. A heading alone makes such a column, too.
pub fn figures(heading: impl Into<String>) -> TableColumn {
    TableColumn { heading: TableCell::Name(heading.into()), left: false }
}

impl From<&str> for TableColumn {
    fn from(heading: &str) -> Self {
        figures(heading)
    }
}

impl From<String> for TableColumn {
    fn from(heading: String) -> Self {
        figures(heading)
    }
}

impl Table {
    /// Returns a table of these columns. Cells in columns of words are names, the others figures.
    pub fn new<C: Into<TableColumn>>(
        columns: impl IntoIterator<Item = C>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        let mut columns: Vec<TableColumn> = columns.into_iter().map(Into::into).collect();
        columns.iter_mut().take(1).for_each(|column| column.left = true);
        let cell = |(at, text): (usize, String)| match columns.get(at) {
            Some(TableColumn { left: true, .. }) => TableCell::Name(text),
            _ => TableCell::Figure(text),
        };
        let rows = rows.into_iter().map(|row| row.into_iter().enumerate().map(cell).collect()).collect();
        Self { columns, rows }
    }

    /// Returns it for a terminal, without lines, its columns two spaces apart. Letters are superscript characters,
    /// padded to one width, so that decimal points of figures align whatever letters follow.
    pub fn text(&self) -> String {
        let letters = |at: usize| {
            let width = |row: &Vec<TableCell>| match row.get(at) {
                Some(TableCell::Lettered { letters, .. }) => letters.len(),
                _ => 0,
            };
            self.rows.iter().map(width).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(letters).collect();
        let cell = |(at, cell): (usize, &TableCell)| match cell {
            // The text of a cell cannot end a line or act on a terminal.
            TableCell::Name(text) | TableCell::Figure(text) => visible_line(text).into_owned(),
            TableCell::Lettered { figure, letters } => {
                let width = widths.get(at).copied().unwrap_or_default();
                format!("{figure}{:<width$}", superscript(letters))
            }
        };
        let mut drawn = comfy_table::Table::new();
        drawn.load_style(NOTHING).set_header(self.headings().map(|heading| cell((0, heading))));
        for row in &self.rows {
            drawn.add_row(row.iter().enumerate().map(cell));
        }
        for (drawn, column) in drawn.column_iter_mut().zip(&self.columns) {
            drawn.set_padding((0, 2));
            if !column.left {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
        }
        drawn.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    /// Returns it in Markdown, as GitHub renders it. Names are text there ([`escape`]); letters are `<sup>`.
    pub fn markdown(&self) -> String {
        let cell = |cell: &TableCell| match cell {
            TableCell::Name(text) => escape(text),
            TableCell::Figure(text) => text.replace('|', "&#124;").replace('<', "&lt;"),
            TableCell::Lettered { figure, letters } if letters.is_empty() => figure.clone(),
            // Ranges of letters with the dash of ranges.
            TableCell::Lettered { figure, letters } => {
                format!("{figure}<sup>{}</sup>", letters.replace('-', "–"))
            }
        };
        let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let rule = |column: &TableColumn| if column.left { ":--" } else { "--:" }.to_owned();
        let lines = [self.headings().map(cell).collect(), self.columns.iter().map(rule).collect()];
        let rows = self.rows.iter().map(|row| row.iter().map(cell).collect());
        lines.into_iter().chain(rows).map(line).collect::<Vec<_>>().join("\n")
    }

    /// Returns it in HTML, for a cell of a notebook. Everything is text there ([`escape_html`]).
    pub fn html(&self) -> String {
        let cell = |cell: &TableCell| match cell {
            TableCell::Name(text) | TableCell::Figure(text) => escape_html(text),
            TableCell::Lettered { figure, letters } if letters.is_empty() => escape_html(figure),
            TableCell::Lettered { figure, letters } => {
                format!("{}<sup>{}</sup>", escape_html(figure), escape_html(letters))
            }
        };
        let side = |column: &TableColumn| if column.left { "left" } else { "right" };
        let line = |tag: &str, cells: &mut dyn Iterator<Item = &TableCell>| {
            let cells = cells.zip(&self.columns).map(|(content, column)| {
                format!("<{tag} style=\"text-align: {}\">{}</{tag}>", side(column), cell(content))
            });
            format!("<tr>{}</tr>", cells.collect::<String>())
        };
        let body: Vec<String> = self.rows.iter().map(|row| line("td", &mut row.iter())).collect();
        format!(
            "<table>\n<thead>{}</thead>\n<tbody>\n{}\n</tbody>\n</table>",
            line("th", &mut self.headings()),
            body.join("\n")
        )
    }

    fn headings(&self) -> impl Iterator<Item = &TableCell> {
        self.columns.iter().map(|column| &column.heading)
    }
}

/// The text of a [`Table`] for a terminal.
pub fn text_table<C: Into<TableColumn>>(
    columns: impl IntoIterator<Item = C>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    Table::new(columns, rows).text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_forges_no_row() {
        let rows = [vec!["d1\nd2  1.0000".into(), "0.1".into()], vec!["\u{1b}[8md3".into(), "0.2".into()]];
        let text = text_table(["item", "score"], rows);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.contains("d1\\u000ad2  1.0000") && text.contains("\\u001b[8md3"), "{text}");
    }

    #[test]
    fn tables_have_no_trailing_white_space() {
        let rows = [vec!["a".into(), "1".into(), "x".into()], vec!["longer".into(), "20".into(), "".into()]];
        let text = text_table([figures("system"), figures("n"), words("word")], rows);
        assert_eq!(text, "system   n  word\na        1  x\nlonger  20");
    }
}
