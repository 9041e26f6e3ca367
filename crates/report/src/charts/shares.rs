//! Draws counts as parts of one bar.

use super::drawing::{Anchor, Drawing};
use crate::text::{count, percent};

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
