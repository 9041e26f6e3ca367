//! Draws the agreement of every two of several judges.

use super::drawing::{Anchor, Drawing};
use crate::text::figure;

/// The height of a cell.
const CELL: f64 = 40.0;

/// A square of cells, `values[row][column]`, numbered from 1 on both sides: the table beside the chart has the names.
/// A cell is darker the nearer its value is to 1, in five steps, and shows the value. A value of 0 or less, or
/// unknown, leaves the cell empty.
pub fn matrix_chart(title: &str, names: &[String], values: &[Vec<Option<f64>>]) -> String {
    let known = values.iter().enumerate().flat_map(|(row, cells)| {
        cells.iter().enumerate().filter(move |(column, _)| *column > row).filter_map(|(_, value)| *value)
    });
    let (least, most) = known
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)));
    let said = match least <= most {
        true => format!("Between {} and {}", figure(least), figure(most)),
        false => "No value is known".to_owned(),
    };
    let mut drawing = Drawing::new(title, &said);
    let width = 1.0 / (names.len() + 1) as f64;
    let top = 26.0;
    for n in 0..names.len() {
        let number = (n + 1).to_string();
        drawing.text("name", ((n as f64 + 1.5) * width, top - 8.0), Anchor::Middle, &number);
        drawing.text("name", (width * 0.5, top + n as f64 * CELL + 25.0), Anchor::Middle, &number);
    }
    for (row, (cells, name)) in values.iter().zip(names).enumerate() {
        for (column, (value, other)) in cells.iter().zip(names).enumerate() {
            let (x, y) = ((column + 1) as f64 * width, top + row as f64 * CELL);
            let step = value.map_or(0, |value| (value.clamp(0.0, 1.0) * 5.0).ceil() as u32);
            let class = format!("heat h{step}{}", if row == column { " same" } else { "" });
            let title = format!("{name}, {other}: {}", figure(*value));
            drawing.rectangle(&class, (x + 0.003, y + 2.0), (width - 0.006, CELL - 4.0), &title);
            let text = value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.2}"));
            drawing.text("cell", (x + width / 2.0, y + 25.0), Anchor::Middle, &text);
        }
    }
    drawing.finish(top + names.len() as f64 * CELL + 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_agrees_more_is_darker_and_names_are_escaped() {
        let names = ["a<b".to_owned(), "c".to_owned()];
        let drawn = matrix_chart("t", &names, &[vec![Some(1.0), Some(0.41)], vec![Some(0.41), None]]);
        assert!(drawn.contains("class=\"heat h5 same\" x=\"33.63%\""), "{drawn}");
        assert_eq!(drawn.matches("heat h3\"").count(), 2, "{drawn}");
        assert!(drawn.contains("heat h0 same") && drawn.contains(">n/a<"), "{drawn}");
        assert!(
            drawn.contains("a&lt;b, c: 0.4100") && drawn.contains("Between 0.4100 and 0.4100"),
            "{drawn}"
        );
        assert!(matrix_chart("t", &[], &[]).contains("No value is known"));
    }

    #[test]
    fn what_is_worse_than_chance_is_empty() {
        let names = ["a".to_owned(), "b".to_owned()];
        let drawn = matrix_chart("t", &names, &[vec![None, Some(-0.3)], vec![Some(-0.3), None]]);
        assert!(drawn.matches("heat h0").count() == 4 && drawn.contains(">-0.30<"), "{drawn}");
    }
}
