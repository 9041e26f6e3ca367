//! Draws how often each pair of grades occurs.

use super::drawing::{Anchor, Drawing};
use crate::text::count;

/// The height of a cell.
const CELL: f64 = 40.0;

/// A square of cells: `counts[row][column]`, named by `grades` on both sides. A higher count makes a darker cell, in
/// five steps of the square root of its share of the largest. Each cell shows its number.
pub(crate) fn heat_map(
    title: &str,
    rows: &str,
    columns: &str,
    grades: &[i32],
    counts: &[Vec<u64>],
) -> String {
    let most = counts.iter().flatten().max().copied().unwrap_or(0);
    let same: u64 = counts.iter().enumerate().filter_map(|(n, row)| row.get(n)).sum();
    let total: u64 = counts.iter().flatten().sum();
    let said =
        format!("{} of {} pairs are on the diagonal, where both grades are equal", count(same), count(total));
    let mut drawing = Drawing::new(title, &said);
    let width = 1.0 / (grades.len() + 1) as f64;
    drawing.text("tick", (0.0, 14.0), Anchor::Start, &format!("rows: {rows}; columns: {columns}"));
    let top = 46.0;
    for (n, grade) in grades.iter().enumerate() {
        let middle = (n as f64 + 1.5) * width;
        drawing.text("name", (middle, top - 8.0), Anchor::Middle, &grade.to_string());
        drawing.text("name", (width * 0.5, top + n as f64 * CELL + 25.0), Anchor::Middle, &grade.to_string());
    }
    for (row, cells) in counts.iter().take(grades.len()).enumerate() {
        for (column, cell) in cells.iter().take(grades.len()).enumerate() {
            let share = if most == 0 { 0.0 } else { (*cell as f64 / most as f64).sqrt() };
            let step = (share * 5.0).ceil() as u32;
            let (x, y) = ((column + 1) as f64 * width, top + row as f64 * CELL);
            let title = format!("{} here, {} there: {}", grades[row], grades[column], count(*cell));
            let class = format!("heat h{step}{}", if row == column { " same" } else { "" });
            drawing.rectangle(&class, (x + 0.003, y + 2.0), (width - 0.006, CELL - 4.0), &title);
            drawing.text("cell", (x + width / 2.0, y + 25.0), Anchor::Middle, &count(*cell));
        }
    }
    drawing.finish(top + grades.len() as f64 * CELL + 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fullest_cell_is_the_darkest() {
        let drawn = heat_map("t", "us", "them", &[0, 1], &[vec![100, 1], vec![0, 25]]);
        assert!(drawn.contains("class=\"heat h5 same\" x=\"33.63%\""), "{drawn}");
        assert!(drawn.contains("class=\"heat h3 same\" x=\"66.97%\" y=\"88.0\""), "{drawn}");
        assert!(
            drawn.contains("class=\"heat h1\" x=\"66.97%\" y=\"48.0\"") && drawn.contains("heat h0"),
            "{drawn}"
        );
        assert!(drawn.contains("125 of 126 pairs"), "{drawn}");
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert!(!heat_map("t", "us", "them", &[], &[]).contains("<rect"));
        assert!(heat_map("t", "us", "them", &[1], &[vec![0]]).contains("heat h0 same"));
    }
}
