//! Draws amounts as bars, columns and parts of one bar.

use super::drawing::{Anchor, Drawing};
use super::scale::Scale;
use crate::text::{count, percent};

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

/// The height of the plot.
const COLUMNS_HEIGHT: f64 = 140.0;
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
        let height = value / most * COLUMNS_HEIGHT;
        let place = ((n as f64 + 0.1) * width, TOP + COLUMNS_HEIGHT - height);
        drawing.rectangle("even", place, (0.8 * width, height), &format!("{name}: {}", written(*value)));
    }
    drawing.line("zero", (0.0, TOP + COLUMNS_HEIGHT), (1.0, TOP + COLUMNS_HEIGHT));
    let below = TOP + COLUMNS_HEIGHT + 16.0;
    if let (Some((first, _)), Some((last, _))) = (amounts.first(), amounts.last()) {
        drawing.text("tick", (0.0, below), Anchor::Start, first);
        if amounts.len() > 1 {
            drawing.text("tick", (1.0, below), Anchor::End, last);
        }
    }
    drawing.finish(below + 8.0)
}

/// The meaning of a part, which decides its colour and hatching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartKind {
    Good,
    Neutral,
    Bad,
}

/// A part of a bar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) count: u64,
    pub(crate) kind: PartKind,
}

/// One bar in which every part is as long as its share. The parts' names and counts are below it, in their order; an
/// empty bar has a sentence instead.
pub(crate) fn shares(title: &str, parts: &[Part]) -> String {
    let total: u64 = parts.iter().map(|part| part.count).sum();
    let share = |count: u64| if total == 0 { 0.0 } else { count as f64 / total as f64 };
    let named = |part: &Part| format!("{} {}", count(part.count), part.name);
    let said: Vec<String> =
        parts.iter().map(|part| format!("{} ({})", named(part), percent(share(part.count)))).collect();
    let mut drawing = Drawing::new(title, &said.join(", "));
    if total == 0 {
        drawing.text("tick", (0.0, 16.0), Anchor::Start, "nothing to show");
        return drawing.finish(24.0);
    }
    let mut from = 0.0;
    for (part, said) in parts.iter().zip(&said) {
        let class = match part.kind {
            PartKind::Good => "up",
            PartKind::Neutral => "even",
            PartKind::Bad => "down",
        };
        drawing.rectangle(class, (from, 0.0), (share(part.count), 20.0), said);
        from += share(part.count);
    }
    let last = parts.len().saturating_sub(1).max(1) as f64;
    for (n, part) in parts.iter().enumerate() {
        let anchor = match n {
            0 => Anchor::Start,
            n if n + 1 == parts.len() => Anchor::End,
            _ => Anchor::Middle,
        };
        drawing.text("value", (n as f64 / last, 36.0), anchor, &named(part));
    }
    drawing.finish(42.0)
}

/// One share from 0 to 1 as a bar of a table's row.
pub(crate) fn share_bar(title: &str, share: f64, good: bool) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let mut drawing = Drawing::new(title, &percent(share));
    drawing.rectangle(if good { "up" } else { "even" }, (0.0, 2.0), (share, 14.0), &percent(share));
    drawing.finish(18.0)
}

/// A share as a bar from a line in the middle: to the right if it is above 0, and to the left if it is below. A share
/// of `most` fills its half. Its number is next to it, so screen readers pass over it.
pub(crate) fn signed_bar(share: f64, most: f64) -> String {
    let length = if most > 0.0 { (share / most).clamp(-1.0, 1.0) * 0.5 } else { 0.0 };
    let mut drawing = Drawing::new("", "");
    let class = if length > 0.0 { "up" } else { "down" };
    drawing.rectangle(class, (0.5 + length.min(0.0), 3.0), (length.abs(), 10.0), "");
    drawing.line("zero", (0.5, 0.0), (0.5, 16.0));
    drawing.finish_hidden(16.0)
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

    fn part(count: u64, kind: PartKind) -> Part {
        Part { name: "better".into(), count, kind }
    }

    #[test]
    fn parts_fill_the_bar() {
        let drawn =
            shares("t", &[part(1, PartKind::Good), part(0, PartKind::Neutral), part(3, PartKind::Bad)]);
        assert!(drawn.contains("class=\"up\" x=\"0.00%\" y=\"0.0\" width=\"25.00%\""), "{drawn}");
        assert!(drawn.contains("class=\"down\" x=\"25.00%\" y=\"0.0\" width=\"75.00%\""), "{drawn}");
    }

    #[test]
    fn nothing_is_said() {
        assert!(shares("t", &[part(0, PartKind::Good)]).contains("nothing to show"));
        assert!(shares("t", &[]).contains("nothing to show"));
        assert!(share_bar("t", f64::NAN, true).contains("width=\"0.00%\""));
        assert!(
            share_bar("t", 0.25, false).contains("class=\"even\" x=\"0.00%\" y=\"2.0\" width=\"25.00%\"")
        );
        assert!(signed_bar(-0.25, 0.5).contains("class=\"down\" x=\"25.00%\" y=\"3.0\" width=\"25.00%\""));
        assert!(signed_bar(0.0, 0.0).contains("width=\"0.00%\""));
        assert!(shares("t", &[part(7, PartKind::Good)]).contains("width=\"100.00%\""));
    }
}
