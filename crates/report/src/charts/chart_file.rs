//! A chart as a file of its own.

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
