//! Draws the documents of a cycle as a ring.

use std::f64::consts::TAU;

use super::drawing::{Anchor, Drawing};

/// The side of the drawing, in pixels: it fits the narrowest page.
const SIDE: f64 = 240.0;
/// The radius of the ring of documents, and that of a document.
const RING: f64 = 95.0;
const NODE: f64 = 15.0;

/// Documents, numbered from 1 clockwise from the top, and an arrow from the better to the worse for each of `leads`
/// (positions from 0). One that goes against the numbers is dashed.
pub(crate) fn ring(title: &str, documents: usize, leads: &[(usize, usize)]) -> String {
    let said: Vec<String> =
        leads.iter().map(|(better, worse)| format!("{} before {}", better + 1, worse + 1)).collect();
    let mut drawing = Drawing::new(title, &said.join("; "));
    let place = |at: usize| {
        let angle = TAU * at as f64 / documents.max(1) as f64;
        (SIDE / 2.0 + RING * angle.sin(), SIDE / 2.0 - RING * angle.cos())
    };
    for &(better, worse) in leads {
        let ((x1, y1), (x2, y2)) = (place(better), place(worse));
        let length = ((x2 - x1).powi(2) + (y2 - y1).powi(2)).sqrt().max(1.0);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        let along = |from: f64, side: f64| (x2 - dx * from - dy * side, y2 - dy * from + dx * side);
        let (start, end) = ((x1 + dx * NODE, y1 + dy * NODE), along(NODE + 8.0, 0.0));
        let class = if better < worse { "edge" } else { "edge back" };
        drawing.line(class, share(start), share(end));
        let head = [along(NODE + 1.0, 0.0), along(NODE + 11.0, 4.5), along(NODE + 11.0, -4.5)];
        drawing.polygon(if better < worse { "head" } else { "head back" }, &head);
    }
    for at in 0..documents {
        let (x, y) = place(at);
        drawing.disc("node", share((x, y)), NODE);
        drawing.text("cell", share((x, y + 5.0)), Anchor::Middle, &(at + 1).to_string());
    }
    drawing.finish_sized(SIDE, SIDE)
}

/// A place of which the horizontal part is a share of the width, and both have one decimal.
fn share((x, y): (f64, f64)) -> (f64, f64) {
    (x / SIDE, (y * 10.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_of_three() {
        let drawn = ring("t", 3, &[(0, 1), (1, 2), (2, 0)]);
        assert!(drawn.contains("<desc>1 before 2; 2 before 3; 3 before 1</desc>"), "{drawn}");
        assert_eq!(
            (drawn.matches("class=\"edge\"").count(), drawn.matches("class=\"edge back\"").count()),
            (2, 1)
        );
        assert_eq!(drawn.matches("<polygon").count(), 3);
        // The first stands at the top in the middle.
        assert!(drawn.contains("class=\"node\" cx=\"50.00%\" cy=\"25\""), "{drawn}");
        assert!(ring("t", 0, &[]).ends_with("</svg>"));
    }
}
