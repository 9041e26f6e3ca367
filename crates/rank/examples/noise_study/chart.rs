//! A chart of quality against cost, as SVG.

use std::fmt::Write;

/// A point: its cost, its quality, half the width of its interval, and its label.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) half: f64,
    pub(crate) label: String,
}

/// Points under one name, joined by a line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) color: &'static str,
    /// Of its dots: where two series meet, the smaller dot is seen on the larger.
    pub(crate) radius: f64,
    pub(crate) points: Vec<Point>,
}

/// The content of a chart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) x_label: String,
    pub(crate) y_label: String,
    /// The ends of the axes, and how far apart their ticks are.
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// A level to compare with, and its label.
    pub(crate) level: (f64, String),
    pub(crate) series: Vec<Series>,
}

/// An axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) step: f64,
}

impl Axis {
    fn share(self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    fn ticks(self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step + 0.5) as u32;
        (0..=count).map(move |tick| self.low + f64::from(tick) * self.step)
    }
}

/// The picture, and the part of it that lies between the axes.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 470.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 740.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 415.0;

impl Chart {
    /// The chart as an SVG document, the same bytes for the same chart.
    pub(crate) fn svg(&self) -> Result<String, std::fmt::Error> {
        let mut svg = String::new();
        write!(svg, r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" "##)?;
        write!(svg, r##"width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" "##)?;
        writeln!(svg, r##"font-size="12" fill="#333" role="img" aria-label="{}">"##, escaped(&self.title))?;
        writeln!(svg, r##"<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>"##)?;
        writeln!(
            svg,
            r##"<text x="{LEFT}" y="28" font-size="15" font-weight="bold">{}</text>"##,
            escaped(&self.title)
        )?;
        self.axes(&mut svg)?;
        let (level, name) = &self.level;
        let y = self.y(*level);
        write!(svg, r##"<path d="M{LEFT} {y:.1}H{RIGHT}" stroke="#888" stroke-dasharray="5 4"/>"##)?;
        writeln!(
            svg,
            r##"<text x="{LEFT}" dx="6" y="{:.1}" fill="#666">{}</text>"##,
            y - 5.0,
            escaped(name)
        )?;
        // the first on top
        for series in self.series.iter().rev() {
            self.series(&mut svg, series)?;
        }
        self.legend(&mut svg)?;
        writeln!(svg, "</svg>")?;
        Ok(svg)
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + self.x.share(value) * (RIGHT - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        BOTTOM - self.y.share(value) * (BOTTOM - TOP)
    }

    fn axes(&self, svg: &mut String) -> std::fmt::Result {
        for tick in self.x.ticks() {
            let x = self.x(tick);
            write!(svg, r##"<path d="M{x:.1} {BOTTOM}v5" stroke="#333"/>"##)?;
            writeln!(svg, r##"<text x="{x:.1}" y="{}" text-anchor="middle">{tick}</text>"##, BOTTOM + 20.0)?;
        }
        for tick in self.y.ticks() {
            let y = self.y(tick);
            write!(svg, r##"<path d="M{LEFT} {y:.1}H{RIGHT}" stroke="#e4e4e4"/>"##)?;
            writeln!(
                svg,
                r##"<text x="{}" y="{:.1}" text-anchor="end">{tick:.2}</text>"##,
                LEFT - 8.0,
                y + 4.0
            )?;
        }
        writeln!(svg, r##"<path d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}" fill="none" stroke="#333"/>"##)?;
        let (middle, center) = ((LEFT + RIGHT) / 2.0, (TOP + BOTTOM) / 2.0);
        writeln!(
            svg,
            r##"<text x="{middle}" y="{}" text-anchor="middle">{}</text>"##,
            BOTTOM + 42.0,
            escaped(&self.x_label)
        )?;
        writeln!(
            svg,
            r##"<text transform="translate(20 {center}) rotate(-90)" text-anchor="middle">{}</text>"##,
            escaped(&self.y_label)
        )
    }

    fn series(&self, svg: &mut String, series: &Series) -> std::fmt::Result {
        let color = series.color;
        let line: Vec<String> = series
            .points
            .iter()
            .map(|point| format!("{:.1},{:.1}", self.x(point.x), self.y(point.y)))
            .collect();
        writeln!(
            svg,
            r##"<polyline points="{}" fill="none" stroke="{color}" stroke-width="1.5"/>"##,
            line.join(" ")
        )?;
        for point in &series.points {
            let (x, y) = (self.x(point.x), self.y(point.y));
            let (low, high) = (self.y(point.y - point.half), self.y(point.y + point.half));
            write!(svg, r##"<path d="M{x:.1} {low:.1}V{high:.1}" stroke="{color}"/>"##)?;
            writeln!(svg, r##"<circle cx="{x:.1}" cy="{y:.1}" r="{}" fill="{color}"/>"##, series.radius)?;
            if !point.label.is_empty() {
                let (above, label) = (high - 5.0, escaped(&point.label));
                writeln!(
                    svg,
                    r##"<text x="{x:.1}" y="{above:.1}" text-anchor="middle" fill="{color}">{label}</text>"##
                )?;
            }
        }
        Ok(())
    }

    fn legend(&self, svg: &mut String) -> std::fmt::Result {
        for (row, series) in self.series.iter().enumerate() {
            let y = BOTTOM - 18.0 * (self.series.len() - row) as f64;
            writeln!(
                svg,
                r##"<circle cx="{}" cy="{}" r="4" fill="{}"/><text x="{}" y="{y}">{}</text>"##,
                RIGHT - 330.0,
                y - 4.0,
                series.color,
                RIGHT - 318.0,
                escaped(&series.name)
            )?;
        }
        Ok(())
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
