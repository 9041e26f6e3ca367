//! Draws a value against a time or a cost, as numbered dots with a legend.

use super::drawing::{Anchor, Drawing};
use super::scale::{Scale, TimeScale};
use crate::text::shorten;

/// The height of the plot, and where it begins.
const HEIGHT: f64 = 240.0;
const TOP: f64 = 26.0;
/// The height of a row of the legend.
const ROW: f64 = 20.0;
/// The room on the left for the numbers of the axis, and on the right for half a number.
const LEFT: f64 = 0.13;
const RIGHT: f64 = 0.96;
/// The width of the narrowest page that numbers must not cover each other on, in pixels.
const NARROW: f64 = 300.0;
/// The most characters of a name next to its figures on a narrow page.
const NAME: usize = 22;
/// The places of a number around its dot, in pixels; the first free one is used.
const BESIDE: [(f64, f64); 8] = [
    (11.0, -8.0),
    (-11.0, -8.0),
    (11.0, 17.0),
    (-11.0, 17.0),
    (0.0, -12.0),
    (0.0, 21.0),
    (16.0, 5.0),
    (-16.0, 5.0),
];

/// A system: how good it is, and how long it takes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Point {
    /// Its number in the chart and in the table below.
    pub(crate) number: usize,
    pub(crate) name: String,
    /// Its figures as text.
    pub(crate) figure: String,
    /// A time or a cost.
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
    /// Whether another is better in both ways; its dot is hollow.
    pub(crate) beaten: bool,
}

/// The name of the horizontal axis with its unit, and a remark on its left end.
pub(crate) struct Axis {
    pub(crate) name: &'static str,
    pub(crate) left: &'static str,
}

/// Numbered points, up for better and to the right for slower or dearer.
pub(crate) fn scatter(title: &str, measure: &str, axis: &Axis, points: &[Point]) -> String {
    let times = TimeScale::of(&points.iter().map(|point| point.x).collect::<Vec<_>>());
    let values = Scale::of(points.iter().flat_map(|point| [Some(point.y), point.low, point.high]).flatten());
    let x = |value: f64| LEFT + times.place(value) * (RIGHT - LEFT);
    let y = |value: f64| TOP + (1.0 - values.place(value)) * HEIGHT;
    let said: Vec<String> = points.iter().map(|point| format!("{} {}", point.name, point.figure)).collect();
    let mut drawing = Drawing::new(title, &shorten(&said.join("; "), 600));
    axes(&mut drawing, (&times, axis), &values, measure);
    let mut taken: Vec<(f64, f64)> = points.iter().map(|point| (x(point.x) * NARROW, y(point.y))).collect();
    for point in points {
        let (px, py) = (x(point.x), y(point.y));
        if let (Some(low), Some(high)) = (point.low, point.high) {
            drawing.line("whisker thin", (px, y(low)), (px, y(high)));
        }
        drawing.dot(if point.beaten { "dot hollow" } else { "dot" }, (px, (py * 10.0).round() / 10.0));
        let free = |(dx, dy): &&(f64, f64)| {
            let at = (px * NARROW + dx, py + dy - 5.0);
            let apart = |other: &(f64, f64)| (at.0 - other.0).abs() > 13.0 || (at.1 - other.1).abs() > 11.0;
            taken.iter().all(apart) && at.0 > LEFT * NARROW && at.0 < NARROW && py + dy < TOP + HEIGHT
        };
        let (dx, dy) = BESIDE.iter().find(free).copied().unwrap_or(BESIDE[0]);
        taken.push((px * NARROW + dx, py + dy - 5.0));
        let (at, text) = ((px, ((py + dy) * 10.0).round() / 10.0), point.number.to_string());
        drawing.text_beside("name", at, dx, Anchor::Middle, &text);
    }
    let legend = TOP + HEIGHT + 44.0;
    for (n, point) in points.iter().enumerate() {
        let y = legend + n as f64 * ROW + 14.0;
        let name = format!("{} {}", point.number, shorten(&point.name, NAME));
        drawing.dot(if point.beaten { "dot hollow" } else { "dot" }, (0.02, y - 4.0));
        drawing.text_beside("name", (0.02, y), 12.0, Anchor::Start, &name);
        drawing.text("value", (1.0, y), Anchor::End, &point.figure);
    }
    drawing.finish(legend + points.len() as f64 * ROW + 6.0)
}

fn axes(drawing: &mut Drawing, (times, axis): (&TimeScale, &Axis), values: &Scale, measure: &str) {
    let bottom = TOP + HEIGHT;
    let decimals = values.decimals();
    for tick in values.ticks() {
        let y = ((TOP + (1.0 - values.place(tick)) * HEIGHT) * 10.0).round() / 10.0;
        drawing.line("grid", (LEFT, y), (RIGHT, y));
        let text = if tick.abs() < 1e-12 { "0".to_owned() } else { format!("{tick:.decimals$}") };
        drawing.text("tick", (LEFT - 0.015, y + 4.0), Anchor::End, &text);
    }
    // A tick has room for its number on a narrow page, or has none.
    let mut last = f64::NEG_INFINITY;
    for tick in times.ticks() {
        let x = LEFT + times.place(tick) * (RIGHT - LEFT);
        drawing.line("grid", (x, TOP), (x, bottom));
        if (x - last) * NARROW > 32.0 {
            drawing.text("tick", (x, bottom + 17.0), Anchor::Middle, &round_tick(tick));
            last = x;
        }
    }
    drawing.text("tick", (0.0, 12.0), Anchor::Start, &format!("{}, up is better", shorten(measure, 24)));
    let how = if matches!(times, TimeScale::Log(_)) { ", logarithmic" } else { "" };
    let axis = format!("{}{how}; {}", axis.name, axis.left);
    drawing.text("tick", (RIGHT, bottom + 34.0), Anchor::End, &axis);
}

/// A tick without the noise of its last digits: 0.3, not 0.30000000000000004.
fn round_tick(tick: f64) -> String {
    ((tick * 1e9).round() / 1e9).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: Axis = Axis { name: "ms", left: "left is faster" };

    fn point(x: f64, y: f64) -> Point {
        Point {
            number: 1,
            name: "a<b>".into(),
            figure: format!("{y}"),
            x,
            y,
            low: None,
            high: None,
            beaten: false,
        }
    }

    #[test]
    fn a_point_stands_where_both_scales_put_it() {
        // Times from 0 to 100, values from 0.2 to 0.6: the middle of both.
        let drawn = scatter("t", "nDCG@10", &TIME, &[point(50.0, 0.4), point(100.0, 0.6), point(0.0, 0.2)]);
        assert!(drawn.contains("cx=\"54.50%\" cy=\"146\""), "{drawn}");
        assert!(
            drawn.contains("cx=\"96.00%\" cy=\"26\"") && drawn.contains("cx=\"13.00%\" cy=\"266\""),
            "{drawn}"
        );
        assert!(drawn.contains("a&lt;b&gt;") && !drawn.contains("a<b>") && !drawn.contains("logarithmic"));
    }

    #[test]
    fn numbers_of_points_in_one_place_do_not_cover_each_other() {
        let drawn = scatter("t", "m", &TIME, &vec![point(10.0, 0.5); 5]);
        let mut places: Vec<&str> = drawn
            .split("<text dx=")
            .skip(1)
            .take(5)
            .filter_map(|text| text.split_once('>').map(|(attributes, _)| attributes))
            .collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 5, "{places:?}");
    }

    #[test]
    fn a_wide_spread_says_that_it_is_logarithmic() {
        let drawn = scatter("t", "m", &TIME, &[point(1.0, 0.5), point(900.0, 0.6)]);
        assert!(drawn.contains("ms, logarithmic"), "{drawn}");
    }

    #[test]
    fn ticks_have_no_noise() {
        assert_eq!([0.1 * 3.0, 0.000_2, 1000.0].map(round_tick), ["0.3", "0.0002", "1000"]);
    }
}
