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

/// The height of a row, and of the axis.
const TABLE_ROW: f64 = 28.0;
const TABLE_AXIS: f64 = 18.0;
/// The room on either side of the scale, as a share of the width, for half a dot and half a tick's number.
const TABLE_MARGIN: f64 = 0.06;

/// A difference and the ends of its interval.
pub(crate) type Difference = (Option<f64>, Option<f64>, Option<f64>);

/// The look of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowLook {
    /// A full dot: a verdict.
    Decided,
    /// A hollow dot: no clear difference.
    Unclear,
    /// A hollow dot and a dashed line: no verdict.
    Open,
}

/// The scale that the rows of a table share. It holds 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowScale(Scale);

impl RowScale {
    /// Returns a scale that holds all these differences.
    pub(crate) fn of(differences: impl IntoIterator<Item = Difference>) -> Self {
        let ends = differences.into_iter().flat_map(|(value, low, high)| [value, low, high]).flatten();
        Self(Scale::of(ends.chain([0.0])))
    }

    /// Returns the numbers of the scale, for the head of the table.
    pub(crate) fn axis(&self) -> String {
        let mut drawing = Drawing::new("Scale of the differences", "");
        let decimals = self.0.decimals();
        for tick in self.0.ticks() {
            let text = if tick.abs() < 1e-12 { "0".to_owned() } else { format!("{tick:+.decimals$}") };
            drawing.text("tick", (self.x(tick), TABLE_AXIS - 5.0), Anchor::Middle, &text);
        }
        drawing.finish(TABLE_AXIS)
    }

    /// Returns a row. `said` is the difference in words.
    pub(crate) fn row(&self, said: &str, (value, low, high): Difference, look: RowLook) -> String {
        let known = |value: Option<f64>| value.filter(|value| value.is_finite());
        let mut drawing = Drawing::new(said, "");
        for tick in self.0.ticks() {
            let class = if tick.abs() < 1e-12 { "zero" } else { "grid" };
            drawing.line(class, (self.x(tick), 0.0), (self.x(tick), TABLE_ROW));
        }
        let middle = TABLE_ROW / 2.0;
        if let (Some(low), Some(high)) = (known(low), known(high)) {
            let class = if look == RowLook::Open { "mark open" } else { "mark" };
            drawing.line(class, (self.x(low), middle), (self.x(high), middle));
        }
        if let Some(value) = known(value) {
            let class = if look == RowLook::Decided { "point" } else { "point ring" };
            drawing.dot(class, (self.x(value), middle));
        }
        drawing.finish(TABLE_ROW)
    }

    fn x(&self, value: f64) -> f64 {
        TABLE_MARGIN + self.0.place(value) * (1.0 - 2.0 * TABLE_MARGIN)
    }
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

    #[test]
    fn rows_share_a_scale_that_holds_zero() {
        let scale = RowScale::of([(Some(0.2), Some(0.1), Some(0.4)), (None, None, None)]);
        let row = scale.row("+0.20", (Some(0.2), Some(0.1), Some(0.4)), RowLook::Decided);
        assert!(row.contains("class=\"zero\" x1=\"6.00%\"") && row.contains("cx=\"50.00%\""), "{row}");
        let axis = scale.axis();
        assert!(axis.contains(">0<") && axis.contains(">+0.4<"), "{axis}");
    }

    #[test]
    fn looks_differ_without_colour() {
        let scale = RowScale::of([]);
        let row = |look| scale.row("", (Some(0.2), Some(0.1), Some(0.4)), look);
        assert!(!row(RowLook::Decided).contains("ring") && row(RowLook::Unclear).contains("ring"));
        assert!(row(RowLook::Open).contains("mark open"));
        let missing = scale.row("", (Some(f64::NAN), None, Some(1.0)), RowLook::Decided);
        assert!(!missing.contains("<circle") && !missing.contains("mark"), "{missing}");
    }
}
