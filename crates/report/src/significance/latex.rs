//! Writes a comparison as two LaTeX tabulars with booktabs.

use std::io::Write;

use super::comparison_view::{ComparisonView, paragraphs};
use crate::error::ReportError;
use crate::export::Exporter;
use crate::text::{Table, TableCell, TableColumn, is_invisible};

/// A comparison as two `tabular`s, each complete, with comments for a caption. They need the package booktabs. Names
/// are text there ([`escape_latex`]).
#[derive(Debug, Clone, Copy)]
pub struct Latex;

impl Exporter<ComparisonView> for Latex {
    fn export(&self, view: &ComparisonView, out: &mut dyn Write) -> Result<(), ReportError> {
        let mut parts = vec!["% \\usepackage{booktabs}".to_owned()];
        parts.push(comments(&view.legend) + &tabular(&view.systems));
        if !view.comparisons.rows.is_empty() {
            parts.push(comments(&view.sentences) + &tabular(&view.comparisons));
        }
        out.write_all(paragraphs(parts).as_bytes()).map_err(ReportError::Write)
    }
}

/// `text` as LaTeX that only prints it, also at the beginning of a row, where `\\` would take a bracket or a star for
/// its own. Ligatures that change it (`--`, `` ?` ``) are broken up; a character without a shape becomes a question
/// mark.
///
/// ```
/// use llull_report::escape_latex;
/// assert_eq!(escape_latex(r"bm25_k1 {100%} \dots"), r"bm25\_k1 \{100\%\} \textbackslash{}dots");
/// assert_eq!(escape_latex("[a] a--b-c"), "{[}a] a-{}-b-c");
/// ```
pub fn escape_latex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    for c in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => out.extend(['\\', c]),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '`' => out.push_str("\\textasciigrave{}"),
            // \textquotedbl is missing in some font encodings, and the mark itself is active in some languages.
            '"' => out.push_str("\\symbol{34}"),
            '[' => out.push_str("{[}"),
            '*' => out.push_str("{*}"),
            ',' | '\'' | '-' if before == Some(c) => out.extend(['{', '}', c]),
            c if is_invisible(c) => out.push('?'),
            c => out.push(c),
        }
        before = Some(c);
    }
    out
}

/// Lines that are not printed. A name with a line break must not end one.
fn comments(lines: &[String]) -> String {
    let written = lines.iter().map(|line| {
        let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = words.chars().map(|c| if is_invisible(c) { '?' } else { c }).collect();
        format!("% {shown}\n")
    });
    written.collect()
}

fn tabular(table: &Table) -> String {
    let row = |cells: Vec<String>| format!("{} \\\\", cells.join(" & "));
    let mut lines = vec![format!("\\begin{{tabular}}{{{}}}", alignment(table)), "\\toprule".to_owned()];
    lines.push(row(table.columns.iter().map(|column| cell(&column.heading)).collect()));
    lines.push("\\midrule".to_owned());
    lines.extend(table.rows.iter().map(|cells| row(cells.iter().map(cell).collect())));
    lines.extend(["\\bottomrule".to_owned(), "\\end{tabular}".to_owned()]);
    lines.join("\n")
}

/// Figures with letters are aligned to the left, so that their points are below one another.
fn alignment(table: &Table) -> String {
    let lettered =
        |at: usize| table.rows.iter().any(|row| matches!(row.get(at), Some(TableCell::Lettered { .. })));
    let of = |(at, column): (usize, &TableColumn)| if column.left || lettered(at) { 'l' } else { 'r' };
    table.columns.iter().enumerate().map(of).collect()
}

fn cell(cell: &TableCell) -> String {
    match cell {
        TableCell::Name(name) => escape_latex(name),
        TableCell::Figure(text) => figure(text),
        TableCell::Lettered { figure: text, letters } if letters.is_empty() => figure(text),
        TableCell::Lettered { figure: text, letters } if letters.contains([',', '-']) => {
            format!("{}\\textsuperscript{{{}}}", figure(text), letters.replace('-', "--"))
        }
        TableCell::Lettered { figure: text, letters } => format!("{}$^{{{letters}}}$", figure(text)),
    }
}

/// A text of llull's, its signs as those of numbers.
fn figure(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '-' | '+' | '<' => out.extend(['$', c, '$']),
            '±' => out.push_str("$\\pm$"),
            '%' | '#' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.replace("d_z", "$d_z$")
}
