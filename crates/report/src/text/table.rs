//! Formats tables for a terminal and in Markdown.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

use super::escape::{escape, escape_html};
use super::visible_line;

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumn {
    heading: String,
    left: bool,
}

/// A column of words, set to the left.
pub fn words(heading: impl Into<String>) -> TableColumn {
    TableColumn { heading: heading.into(), left: true }
}

/// A column of figures, aligned to the right. A heading alone makes such a column, too.
pub fn figures(heading: impl Into<String>) -> TableColumn {
    TableColumn { heading: heading.into(), left: false }
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

/// A table without lines, its columns two spaces apart. The first column names the rows, and is set to the left.
///
/// ```
/// use llull_report::text::text_table;
/// let row = |name: &str, mean: &str| vec![name.to_owned(), mean.to_owned()];
/// let table = text_table(["system", "mean"], [row("bm25", "0.5000"), row("ngrams", "0.25")]);
/// assert_eq!(table, "system    mean\nbm25    0.5000\nngrams    0.25");
/// ```
pub fn text_table<C: Into<TableColumn>>(
    columns: impl IntoIterator<Item = C>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let columns: Vec<TableColumn> = columns.into_iter().map(Into::into).collect();
    let mut table = Table::new();
    // The text of a cell cannot end a line or act on a terminal.
    table.load_style(NOTHING).set_header(columns.iter().map(|column| visible_line(&column.heading)));
    for row in rows {
        table.add_row(row.iter().map(|cell| visible_line(cell)));
    }
    for (at, (drawn, column)) in table.column_iter_mut().zip(&columns).enumerate() {
        drawn.set_padding((0, 2));
        if at > 0 && !column.left {
            drawn.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// The same table in Markdown, as GitHub renders it. Headings and words are text there ([`escape`]), whatever their
/// source; figures stay unchanged.
///
/// ```
/// use llull_report::text::markdown_table;
/// let row = |name: &str, mean: &str| vec![name.to_owned(), mean.to_owned()];
/// let table = markdown_table(["system", "mean"], [row("a|b", "[0.2, 0.5]")]);
/// assert_eq!(table, "| system | mean |\n| :-- | --: |\n| a&#124;b | [0.2, 0.5] |");
/// ```
pub fn markdown_table<C: Into<TableColumn>>(
    columns: impl IntoIterator<Item = C>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let columns: Vec<TableColumn> = columns.into_iter().map(Into::into).collect();
    let is_words = |at: usize| at == 0 || columns.get(at).is_some_and(|column| column.left);
    let cell = |(at, text): (usize, String)| match is_words(at) {
        true => escape(&text),
        false => text.replace('|', "&#124;").replace('<', "&lt;"),
    };
    let headings = columns.iter().enumerate().map(|(at, column)| (escape(&column.heading), is_words(at)));
    markdown_lines(headings, rows.into_iter().map(|row| row.into_iter().enumerate().map(cell).collect()))
}

/// The same table in HTML, for a cell of a notebook. Everything is text there ([`escape_html`]).
///
/// ```
/// use llull_report::text::html_table;
/// let row = |name: &str, mean: &str| vec![name.to_owned(), mean.to_owned()];
/// let table = html_table(["system", "mean"], [row("<b>", "0.5")]);
/// assert!(table.contains("<td style=\"text-align: left\">&lt;b&gt;</td><td style=\"text-align: right\">0.5</td>"));
/// ```
pub fn html_table<C: Into<TableColumn>>(
    columns: impl IntoIterator<Item = C>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let columns: Vec<TableColumn> = columns.into_iter().map(Into::into).collect();
    let is_words = |at: usize| at == 0 || columns.get(at).is_some_and(|column| column.left);
    let headings =
        columns.iter().enumerate().map(|(at, column)| (escape_html(&column.heading), is_words(at)));
    html_lines(headings, rows.into_iter().map(|row| row.iter().map(|cell| escape_html(cell)).collect()))
}

/// A table in HTML of cells that are escaped: the columns' headings, and whether they are set to the left, then the
/// rows.
pub(crate) fn html_lines(
    columns: impl Iterator<Item = (String, bool)>,
    rows: impl Iterator<Item = Vec<String>>,
) -> String {
    let (headings, left): (Vec<String>, Vec<bool>) = columns.unzip();
    let line = |tag: &str, cells: &[String]| {
        let cells = cells.iter().zip(&left).map(|(cell, left)| {
            let side = if *left { "left" } else { "right" };
            format!("<{tag} style=\"text-align: {side}\">{cell}</{tag}>")
        });
        format!("<tr>{}</tr>", cells.collect::<String>())
    };
    let body: Vec<String> = rows.map(|row| line("td", &row)).collect();
    format!(
        "<table>\n<thead>{}</thead>\n<tbody>\n{}\n</tbody>\n</table>",
        line("th", &headings),
        body.join("\n")
    )
}

/// A table in Markdown of cells that are escaped: the columns' headings, and whether they are set to the left, then
/// the rows.
pub(crate) fn markdown_lines(
    columns: impl Iterator<Item = (String, bool)>,
    rows: impl Iterator<Item = Vec<String>>,
) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let (headings, left): (Vec<String>, Vec<bool>) = columns.unzip();
    let rule = left.into_iter().map(|left| if left { ":--" } else { "--:" }.to_owned()).collect();
    [line(headings), line(rule)].into_iter().chain(rows.map(line)).collect::<Vec<_>>().join("\n")
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
