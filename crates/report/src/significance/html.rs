//! A comparison as HTML, for a cell of a notebook.

use super::comparison_view::ComparisonView;
use super::grid::{Grid, GridCell};
use crate::text::{escape_html, html_lines};

impl ComparisonView {
    /// Returns the tables, their legend and the sentences as HTML without scripts and styles of its own. Names and
    /// sentences are text there ([`escape_html`]).
    pub fn html(&self) -> String {
        let paragraph = |text: String| format!("<p>{text}</p>");
        let legend = self.legend.iter().map(|line| escape_html(line)).collect::<Vec<_>>().join(" ");
        let sentences = self.sentences.iter().map(|sentence| format!("<li>{}</li>", escape_html(sentence)));
        let sentences: String = sentences.collect();
        let parts = [
            table(&self.systems),
            if legend.is_empty() { String::new() } else { paragraph(legend) },
            table(&self.comparisons),
            if sentences.is_empty() { String::new() } else { format!("<ul>{sentences}</ul>") },
        ];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

fn table(grid: &Grid) -> String {
    if grid.rows.is_empty() {
        return String::new();
    }
    let columns = grid.columns.iter().map(|column| (cell(&column.heading), column.left));
    html_lines(columns, grid.rows.iter().map(|row| row.iter().map(cell).collect()))
}

fn cell(cell: &GridCell) -> String {
    match cell {
        GridCell::Name(text) | GridCell::Figure(text) => escape_html(text),
        GridCell::Lettered { figure, letters } if letters.is_empty() => escape_html(figure),
        GridCell::Lettered { figure, letters } => {
            format!("{}<sup>{}</sup>", escape_html(figure), escape_html(letters))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::significance::grid::GridColumn;

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
