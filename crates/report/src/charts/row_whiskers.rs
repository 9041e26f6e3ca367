//! Draws differences as dots and whiskers in the rows of a table, on one scale.

use super::drawing::{Anchor, Drawing};
use super::scale::Scale;

/// The height of a row, and of the axis.
const ROW: f64 = 28.0;
const AXIS: f64 = 18.0;
/// The room on either side of the scale, as a share of the width, for half a dot and half a tick's number.
const MARGIN: f64 = 0.06;

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
            drawing.text("tick", (self.x(tick), AXIS - 5.0), Anchor::Middle, &text);
        }
        drawing.finish(AXIS)
    }

    /// Returns a row. `said` is the difference in words.
    pub(crate) fn row(&self, said: &str, (value, low, high): Difference, look: RowLook) -> String {
        let known = |value: Option<f64>| value.filter(|value| value.is_finite());
        let mut drawing = Drawing::new(said, "");
        for tick in self.0.ticks() {
            let class = if tick.abs() < 1e-12 { "zero" } else { "grid" };
            drawing.line(class, (self.x(tick), 0.0), (self.x(tick), ROW));
        }
        let middle = ROW / 2.0;
        if let (Some(low), Some(high)) = (known(low), known(high)) {
            let class = if look == RowLook::Open { "mark open" } else { "mark" };
            drawing.line(class, (self.x(low), middle), (self.x(high), middle));
        }
        if let Some(value) = known(value) {
            let class = if look == RowLook::Decided { "point" } else { "point ring" };
            drawing.dot(class, (self.x(value), middle));
        }
        drawing.finish(ROW)
    }

    fn x(&self, value: f64) -> f64 {
        MARGIN + self.0.place(value) * (1.0 - 2.0 * MARGIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
