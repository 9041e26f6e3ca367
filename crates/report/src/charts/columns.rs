//! Draws a series of amounts as columns from a line at 0.

use super::drawing::{Anchor, Drawing};

/// The height of the plot.
const HEIGHT: f64 = 140.0;
/// The room above it for the greatest amount.
const TOP: f64 = 20.0;

/// A column for each amount, in their order, with its name; `written` formats an amount. NaN and amounts below 0 have
/// no column.
pub(crate) fn columns_chart(
    title: &str,
    amounts: &[(String, f64)],
    written: impl Fn(f64) -> String,
) -> String {
    let is_amount = |value: f64| value.is_finite() && value >= 0.0;
    let most = amounts.iter().map(|(_, value)| *value).filter(|value| is_amount(*value)).fold(0.0, f64::max);
    let said = format!("{} columns, the highest {}", amounts.len(), written(most));
    let mut drawing = Drawing::new(title, &said);
    drawing.text("tick", (0.0, TOP - 6.0), Anchor::Start, &format!("highest: {}", written(most)));
    drawing.line("grid", (0.0, TOP), (1.0, TOP));
    let width = 1.0 / amounts.len().max(1) as f64;
    for (n, (name, value)) in amounts.iter().enumerate() {
        if !is_amount(*value) || most <= 0.0 {
            continue;
        }
        let height = value / most * HEIGHT;
        let place = ((n as f64 + 0.1) * width, TOP + HEIGHT - height);
        drawing.rectangle("even", place, (0.8 * width, height), &format!("{name}: {}", written(*value)));
    }
    drawing.line("zero", (0.0, TOP + HEIGHT), (1.0, TOP + HEIGHT));
    let below = TOP + HEIGHT + 16.0;
    if let (Some((first, _)), Some((last, _))) = (amounts.first(), amounts.last()) {
        drawing.text("tick", (0.0, below), Anchor::Start, first);
        if amounts.len() > 1 {
            drawing.text("tick", (1.0, below), Anchor::End, last);
        }
    }
    drawing.finish(below + 8.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_on_zero() {
        let amounts = [("one".to_owned(), 1.0), ("two".to_owned(), 4.0), ("three".to_owned(), f64::NAN)];
        let drawn = columns_chart("t", &amounts, |value| format!("${value}"));
        // 140 pixels are the highest, from 20 below the top.
        assert!(drawn.contains("y=\"125.0\" width=\"26.67%\" height=\"35.0\""), "{drawn}");
        assert!(drawn.contains("y=\"20.0\" width=\"26.67%\" height=\"140.0\""), "{drawn}");
        assert!(drawn.matches("<rect").count() == 2 && drawn.contains("two: $4") && !drawn.contains("NaN"));
        assert!(drawn.contains("3 columns, the highest $4"), "{drawn}");
    }

    #[test]
    fn nothing_has_no_columns() {
        let drawn = columns_chart("t", &[], |value| value.to_string());
        assert!(!drawn.contains("<rect") && drawn.contains("0 columns"), "{drawn}");
        assert!(!columns_chart("t", &[("a".into(), 0.0)], |value| value.to_string()).contains("<rect"));
    }
}
