//! The SVG elements of charts.

use std::fmt::Write as _;

use crate::text::escape_html;

/// A drawing that grows piece by piece. Text is escaped on its way in.
pub(super) struct Drawing {
    body: String,
    title: String,
    description: String,
}

/// Where a text is anchored.
#[derive(Debug, Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
    /// An empty drawing with a title, and a description for screen readers.
    pub(super) fn new(title: &str, description: &str) -> Self {
        Self { body: String::new(), title: escape_html(title), description: escape_html(description) }
    }

    /// A line between two places: shares of the width, and pixels from the top.
    pub(super) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let (x1, x2) = (percent(x1), percent(x2));
        // Writing to a String does not fail.
        let _ =
            write!(self.body, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }

    /// A rectangle from a place: its width is a share, its height pixels. A pointer over it shows `title`.
    pub(super) fn rectangle(
        &mut self,
        class: &str,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        title: &str,
    ) {
        let (x, width, title) = (percent(x), percent(width), escape_html(title));
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y:.1}\" width=\"{width}\" height=\"{height:.1}\">\
             <title>{title}</title></rect>"
        );
    }

    pub(super) fn dot(&mut self, class: &str, (x, y): (f64, f64)) {
        let _ = write!(self.body, "<circle class=\"{class}\" cx=\"{}\" cy=\"{y}\" r=\"5\"/>", percent(x));
    }

    /// A text, its baseline at `y`.
    pub(super) fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, text) = (percent(x), escape_html(text));
        let _ = write!(
            self.body,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    }

    /// A text as [`text`](Self::text), so many pixels to the right of its place.
    pub(super) fn text_beside(&mut self, class: &str, at: (f64, f64), dx: f64, anchor: Anchor, text: &str) {
        let before = self.body.len();
        self.text(class, at, anchor, text);
        let after = self.body[before..].replacen("<text ", &format!("<text dx=\"{dx}\" "), 1);
        self.body.replace_range(before.., &after);
    }

    /// A disc of the given radius.
    pub(super) fn disc(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        let x = percent(x);
        let _ = write!(self.body, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
    }

    /// A filled shape, by pixels in both directions: for a drawing of a [size of its own](Self::finish_sized).
    pub(super) fn polygon(&mut self, class: &str, corners: &[(f64, f64)]) {
        let corners: Vec<String> = corners.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = write!(self.body, "<polygon class=\"{class}\" points=\"{}\"/>", corners.join(" "));
    }

    /// The drawing as an element of this size in pixels.
    pub(super) fn finish_sized(self, width: f64, height: f64) -> String {
        let Self { body, title, description } = self;
        format!(
            "<svg role=\"img\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\
             <title>{title}</title><desc>{description}</desc>{body}</svg>"
        )
    }

    /// Adds what `draw` draws, as a link if there is one. A keyboard passes over it, so lists must have it, too.
    pub(super) fn linked(&mut self, link: Option<&str>, draw: impl FnOnce(&mut Self)) {
        let Some(link) = link else { return draw(self) };
        let _ = write!(self.body, "<a href=\"{}\" tabindex=\"-1\">", escape_html(link));
        draw(self);
        self.body.push_str("</a>");
    }

    /// The drawing as an element, `height` pixels high and as wide as there is room.
    pub(super) fn finish(self, height: f64) -> String {
        self.element("img", height)
    }

    /// The same for a drawing that repeats a text next to it.
    pub(super) fn finish_hidden(self, height: f64) -> String {
        format!("<svg aria-hidden=\"true\" width=\"100%\" height=\"{height:.0}\">{}</svg>", self.body)
    }

    /// The same for a drawing with links, which an image cannot have.
    pub(super) fn finish_group(self, height: f64) -> String {
        self.element("group", height)
    }

    fn element(self, role: &str, height: f64) -> String {
        let Self { body, title, description } = self;
        let described = match description.is_empty() {
            true => String::new(),
            false => format!("<desc>{description}</desc>"),
        };
        format!(
            "<svg role=\"{role}\" width=\"100%\" height=\"{height:.0}\">\
             <title>{title}</title>{described}{body}</svg>"
        )
    }
}

/// A share of the width. Places keep off the edges, so that no half of a dot is lost.
fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}

/// A chart in a file next to the Markdown: an image that loads nothing and runs nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartFile {
    /// The name of the file.
    pub name: String,
    /// The chart's title.
    pub title: String,
    /// The image, as SVG.
    pub svg: String,
}

/// How each of them begins.
const HEAD: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"";

/// The width of the image, in pixels: the most that the page gives a chart.
const WIDTH: u32 = 736;

impl ChartFile {
    /// Makes a file of a chart of the page, which is drawn by classes of `style`, a style sheet.
    pub(crate) fn new(name: String, title: &str, chart: &str, style: &str) -> Self {
        let needed = [":root", "@media screen", "svg{", "text{", ".grid", ".up{"];
        let rules: Vec<&str> =
            style.lines().filter(|line| needed.iter().any(|start| line.starts_with(start))).collect();
        let drawn = chart.strip_prefix("<svg role=\"img\" width=\"100%\"").unwrap_or(chart);
        let (head, body) = drawn.split_once('>').unwrap_or((drawn, ""));
        let svg = format!(
            "{HEAD} width=\"{WIDTH}\"{head}><style>{}</style>\
             <rect width=\"100%\" height=\"100%\" style=\"fill:var(--card)\"/>{body}\n",
            rules.join("\n").replace("max-width:46rem;margin:.6rem 0;", "")
        );
        Self { name, title: title.to_owned(), svg }
    }

    /// How many bytes of a file [`is_one`](Self::is_one) looks at.
    pub const LOOKED_AT: usize = HEAD.len();

    /// Returns whether a file that begins like this may be such a chart.
    pub fn is_one(start: &[u8]) -> bool {
        start.starts_with(HEAD.as_bytes())
    }
}
