//! Draws differences as bars, up and down from a line at 0.

use super::drawing::{Anchor, Drawing};
use super::scale::Scale;

/// The height of the plot.
const HEIGHT: f64 = 160.0;
/// The room on the left for the numbers of the axis.
const LEFT: f64 = 0.1;

/// A difference as a bar.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// Where a click leads; nowhere if none.
    pub(crate) link: Option<String>,
}

/// The scale that several charts of bars share. It holds 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BarScale(Scale);

impl BarScale {
    /// Returns a scale that holds all these differences.
    pub(crate) fn of(differences: impl IntoIterator<Item = f64>) -> Self {
        Self(Scale::of(differences.into_iter().chain([0.0])))
    }
}

/// Draws a bar for each difference, in their order, which should be ascending; NaN has no bar.
pub(crate) fn bars(title: &str, bars: &[Bar], BarScale(scale): &BarScale) -> String {
    let known: Vec<&Bar> = bars.iter().filter(|bar| bar.value.is_finite()).collect();
    let y = |value: f64| 8.0 + (1.0 - scale.place(value)) * HEIGHT;
    let above = known.iter().filter(|bar| bar.value > 0.0).count();
    let below = known.iter().filter(|bar| bar.value < 0.0).count();
    let said =
        format!("{} bars: {above} above 0, {below} below, {} at 0", known.len(), known.len() - above - below);
    let mut drawing = Drawing::new(title, &said);
    let decimals = scale.decimals();
    for tick in scale.ticks() {
        drawing.line("grid", (LEFT, y(tick)), (1.0, y(tick)));
        let text = if tick.abs() < 1e-12 { "0".to_owned() } else { format!("{tick:+.decimals$}") };
        drawing.text("tick", (LEFT - 0.01, y(tick) + 4.0), Anchor::End, &text);
    }
    let width = (1.0 - LEFT) / known.len().max(1) as f64;
    for (n, Bar { name, value, link }) in known.iter().enumerate() {
        let (top, bottom) = (y(value.max(0.0)), y(value.min(0.0)));
        let class = if *value > 0.0 { "up" } else { "down" };
        let gap = if known.len() <= 100 { 0.1 * width } else { 0.0 };
        let from = (LEFT + n as f64 * width + gap / 2.0, top);
        let size = (width - gap, bottom - top);
        drawing.linked(link.as_deref(), |drawing| {
            drawing.rectangle(class, from, size, &format!("{name}: {value:+.2}"));
        });
    }
    drawing.line("zero", (LEFT, y(0.0)), (1.0, y(0.0)));
    drawing.finish_group(HEIGHT + 16.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(values: &[(&str, f64)]) -> String {
        let bar = |(name, value): &(&str, f64)| Bar { name: (*name).to_owned(), value: *value, link: None };
        let all: Vec<Bar> = values.iter().map(bar).collect();
        bars("t", &all, &BarScale::of(values.iter().map(|(_, value)| *value)))
    }

    #[test]
    fn a_bar_leads_to_its_query() {
        let bar = Bar { name: "q".into(), value: 0.5, link: Some("/query/1?a=\"".into()) };
        let drawn = bars("t", &[bar], &BarScale::of([0.5]));
        assert!(drawn.contains("<a href=\"/query/1?a=&quot;\" tabindex=\"-1\"><rect"), "{drawn}");
        assert!(drawn.starts_with("<svg role=\"group\""), "an image has no links: {drawn}");
    }

    #[test]
    fn bars_go_up_and_down_from_zero() {
        let drawn = drawn(&[("a", -0.5), ("b", 0.0), ("c", 0.5)]);
        // The scale is -0.5 to 0.5 over 160 pixels from 8: 0 lies at 88.
        assert!(
            drawn.contains("class=\"down\" x=\"11.50%\" y=\"88.0\" width=\"27.00%\" height=\"80.0\""),
            "{drawn}"
        );
        assert!(
            drawn.contains("class=\"up\" x=\"71.50%\" y=\"8.0\" width=\"27.00%\" height=\"80.0\""),
            "{drawn}"
        );
        assert!(drawn.contains("3 bars: 1 above 0, 1 below, 1 at 0"), "{drawn}");
    }

    #[test]
    fn what_is_no_number_has_no_bar() {
        let one = drawn(&[("a", f64::NAN), ("b", 0.25), ("c", f64::NEG_INFINITY)]);
        assert!(one.matches("<rect").count() == 1 && !one.contains("NaN") && !one.contains("inf"), "{one}");
        assert!(drawn(&[]).contains("0 bars"));
    }
}
