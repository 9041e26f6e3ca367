//! Draws differences as bars, up and down from a line at 0.

use super::drawing::{Anchor, Drawing};
use super::scale::Scale;

/// The height of the plot.
const HEIGHT: f64 = 160.0;
/// The room on the left for the numbers of the axis.
const LEFT: f64 = 0.1;

/// A bar for each value, in their order, which should be ascending; NaN has no bar. `name` is the label of a value.
pub(crate) fn bars(title: &str, values: &[(&str, f64)]) -> String {
    let known: Vec<&(&str, f64)> = values.iter().filter(|(_, value)| value.is_finite()).collect();
    let scale = Scale::of(known.iter().map(|(_, value)| *value).chain([0.0]));
    let y = |value: f64| 8.0 + (1.0 - scale.place(value)) * HEIGHT;
    let above = known.iter().filter(|(_, value)| *value > 0.0).count();
    let below = known.iter().filter(|(_, value)| *value < 0.0).count();
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
    for (n, (name, value)) in known.iter().enumerate() {
        let (top, bottom) = (y(value.max(0.0)), y(value.min(0.0)));
        let class = if *value > 0.0 { "up" } else { "down" };
        let gap = if known.len() <= 100 { 0.1 * width } else { 0.0 };
        let from = (LEFT + n as f64 * width + gap / 2.0, top);
        drawing.rectangle(class, from, (width - gap, bottom - top), &format!("{name}: {value:+.4}"));
    }
    drawing.line("zero", (LEFT, y(0.0)), (1.0, y(0.0)));
    drawing.finish(HEIGHT + 16.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_go_up_and_down_from_zero() {
        let drawn = bars("t", &[("a", -0.5), ("b", 0.0), ("c", 0.5)]);
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
        let drawn = bars("t", &[("a", f64::NAN), ("b", 0.25), ("c", f64::NEG_INFINITY)]);
        assert!(
            drawn.matches("<rect").count() == 1 && !drawn.contains("NaN") && !drawn.contains("inf"),
            "{drawn}"
        );
        assert!(bars("t", &[]).contains("0 bars"));
    }
}
