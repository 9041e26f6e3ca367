//! Draws values with their intervals as dots and whiskers.

use super::drawing::{Anchor, Drawing};
use super::scale::Scale;
use crate::text::shorten;

/// The height of a row, and of the axis below.
const ROW: f64 = 46.0;
const AXIS: f64 = 26.0;
/// The room on either side of the scale, as a share of the width, which a dot or a tick's number needs.
const MARGIN: f64 = 0.05;
/// The most characters of a name next to its figure on a narrow page.
const NAME: usize = 24;

/// A value with its interval; `None` is drawn as missing, in words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Whisker {
    pub(crate) name: String,
    /// The value and its interval as text.
    pub(crate) figure: String,
    pub(crate) value: Option<f64>,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
}

/// A row for each value. With `zero` the scale holds 0, and a line marks it.
pub(crate) fn whiskers(title: &str, rows: &[Whisker], zero: bool) -> String {
    let known = |value: Option<f64>| value.filter(|value| value.is_finite());
    let values = rows.iter().flat_map(|row| [row.value, row.low, row.high]).flatten();
    let scale = Scale::of(values.chain(zero.then_some(0.0)));
    let x = |value: f64| MARGIN + scale.place(value) * (1.0 - 2.0 * MARGIN);
    let said: Vec<String> = rows.iter().map(|row| format!("{} {}", row.name, row.figure)).collect();
    let mut drawing = Drawing::new(title, &shorten(&said.join("; "), 600));
    let bottom = rows.len() as f64 * ROW;
    let decimals = scale.decimals();
    for tick in scale.ticks() {
        drawing.line("grid", (x(tick), 0.0), (x(tick), bottom));
        let tick_text = if tick.abs() < 1e-12 { "0".to_owned() } else { format!("{tick:.decimals$}") };
        drawing.text("tick", (x(tick), bottom + 16.0), Anchor::Middle, &tick_text);
    }
    if zero {
        drawing.line("zero", (x(0.0), 0.0), (x(0.0), bottom));
    }
    for (n, row) in rows.iter().enumerate() {
        let top = n as f64 * ROW;
        drawing.text("name", (0.0, top + 14.0), Anchor::Start, &shorten(&row.name, NAME));
        drawing.text("value", (1.0, top + 14.0), Anchor::End, &row.figure);
        let y = top + 30.0;
        if let (Some(low), Some(high)) = (known(row.low), known(row.high)) {
            drawing.line("whisker", (x(low), y), (x(high), y));
            for end in [low, high] {
                drawing.line("whisker", (x(end), y - 5.0), (x(end), y + 5.0));
            }
        }
        match known(row.value) {
            Some(value) => drawing.dot("dot", (x(value), y)),
            None => drawing.text("tick", (MARGIN, y + 4.0), Anchor::Start, "no value"),
        }
    }
    drawing.finish(bottom + AXIS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Whisker {
        Whisker { name: "bm25".into(), figure: "0.5".into(), value, low, high }
    }

    #[test]
    fn a_value_stands_where_the_scale_puts_it() {
        let drawn = whiskers("t", &[row(Some(0.45), Some(0.3), Some(0.6))], false);
        assert!(drawn.contains("cx=\"50.00%\""), "{drawn}");
        assert!(
            drawn.contains("class=\"whisker\" x1=\"5.00%\" y1=\"30\" x2=\"95.00%\" y2=\"30\""),
            "{drawn}"
        );
        let zero = whiskers("t", &[row(Some(-0.1), Some(-0.2), Some(0.2))], true);
        assert!(zero.contains("class=\"zero\" x1=\"50.00%\""), "{zero}");
    }

    #[test]
    fn what_is_missing_is_said_and_not_drawn() {
        for value in [None, Some(f64::NAN), Some(f64::INFINITY)] {
            let drawn = whiskers("t", &[row(value, None, None)], true);
            assert!(
                drawn.contains("no value") && !drawn.contains("<circle") && !drawn.contains("NaN"),
                "{drawn}"
            );
            assert!(!drawn.contains("\"whisker\""), "{drawn}");
        }
        let lone = whiskers("t", &[row(Some(0.5), None, None)], false);
        assert!(lone.contains("<circle") && !lone.contains("\"whisker\""), "{lone}");
        assert!(whiskers("t", &[], false).ends_with("</svg>"));
    }
}
