//! Draws a figure against the number of labels, with its intervals.

use super::drawing::{Anchor, Drawing};
use super::scale::Scale;
use crate::text::{count, shorten};

/// The height of the plot, and where it begins.
const HEIGHT: f64 = 220.0;
const TOP: f64 = 26.0;
/// The room on the left for the numbers of the axis, and on the right for half a number.
const LEFT: f64 = 0.13;
const RIGHT: f64 = 0.96;
/// The width of the narrowest page that numbers must not cover each other on, in pixels.
const NARROW: f64 = 300.0;

/// A figure at one number of labels.
#[derive(Debug, Clone, PartialEq)]
pub struct CourseDot {
    /// The number of labels.
    pub labels: usize,
    /// The figure.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Whether it is the one by which is decided; others are hollow.
    pub decides: bool,
}

/// Draws a figure with its interval at each number of labels, to the right for more, up for a greater figure. The axis
/// reaches to `planned` labels, where a line stands; with `zero` it holds 0, which a line marks.
pub fn course_chart(title: &str, figure: &str, dots: &[CourseDot], planned: usize, zero: bool) -> String {
    let values = dots.iter().flat_map(|dot| [dot.value, dot.low, dot.high]);
    let values = Scale::of(values.chain(zero.then_some(0.0)));
    let numbers = Scale::of(dots.iter().map(|dot| dot.labels as f64).chain([0.0, planned as f64]));
    let x = |labels: usize| LEFT + numbers.place(labels as f64) * (RIGHT - LEFT);
    let y = |value: f64| ((TOP + (1.0 - values.place(value)) * HEIGHT) * 10.0).round() / 10.0;
    let decimals = values.decimals();
    let said: Vec<String> = dots
        .iter()
        .map(|dot| format!("{}: {:.4} [{:.4}, {:.4}]", count(dot.labels), dot.value, dot.low, dot.high))
        .collect();
    let mut drawing = Drawing::new(title, &shorten(&said.join("; "), 600));
    for tick in values.ticks() {
        drawing.line("grid", (LEFT, y(tick)), (RIGHT, y(tick)));
        let text = if tick.abs() < 1e-12 { "0".to_owned() } else { format!("{tick:.decimals$}") };
        drawing.text("tick", (LEFT - 0.015, y(tick) + 4.0), Anchor::End, &text);
    }
    let bottom = TOP + HEIGHT;
    // A tick has room for its number on a narrow page, or has none.
    let mut last = f64::NEG_INFINITY;
    for tick in numbers.ticks() {
        let at = x(tick as usize);
        if (at - last) * NARROW > 36.0 {
            drawing.text("tick", (at, bottom + 17.0), Anchor::Middle, &count(tick as usize));
            last = at;
        }
    }
    if zero {
        drawing.line("zero", (LEFT, y(0.0)), (RIGHT, y(0.0)));
    }
    drawing.line("whisker", (x(planned), TOP), (x(planned), bottom));
    for dot in dots {
        drawing.line("whisker thin", (x(dot.labels), y(dot.low)), (x(dot.labels), y(dot.high)));
        let class = if dot.decides { "dot" } else { "dot hollow" };
        drawing.dot(class, (x(dot.labels), y(dot.value)));
    }
    drawing.text("tick", (0.0, 12.0), Anchor::Start, &shorten(figure, 40));
    drawing.text("tick", (RIGHT, 12.0), Anchor::End, &format!("{} decide", count(planned)));
    drawing.text("tick", (RIGHT, bottom + 34.0), Anchor::End, "human labels");
    drawing.finish(bottom + 42.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot(labels: usize, value: f64, decides: bool) -> CourseDot {
        CourseDot { labels, value, low: value - 0.1, high: value + 0.1, decides }
    }

    #[test]
    fn a_dot_stands_at_its_number_and_hollow_until_it_decides() {
        // Labels from 0 to 100, values from 0 to 0.4: the middle of both.
        let drawn = course_chart("t", "a<b>", &[dot(50, 0.2, false), dot(100, 0.3, true)], 100, true);
        assert!(drawn.contains("class=\"dot hollow\" cx=\"54.50%\" cy=\"136\""), "{drawn}");
        assert!(drawn.contains("class=\"dot\" cx=\"96.00%\" cy=\"81\""), "{drawn}");
        assert!(
            drawn.contains("class=\"whisker thin\" x1=\"54.50%\" y1=\"191\" x2=\"54.50%\" y2=\"81\""),
            "{drawn}"
        );
        assert!(drawn.contains("class=\"zero\"") && drawn.contains("100 decide"), "{drawn}");
        assert!(drawn.contains("a&lt;b&gt;") && drawn.contains("50: 0.2000 [0.1000, 0.3000]"), "{drawn}");
    }

    #[test]
    fn nothing_yet_is_a_chart_without_dots() {
        let drawn = course_chart("t", "f", &[], 0, false);
        assert!(drawn.ends_with("</svg>") && !drawn.contains("<circle") && !drawn.contains("NaN"), "{drawn}");
    }
}
