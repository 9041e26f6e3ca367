//! Limits of the page.

/// Limits of the page, so that it opens at once whatever the study. The page counts what it leaves out; the JSON has
/// everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HtmlLimits {
    /// Queries with their rankings, the hardest first; 300 unless changed.
    pub topics: usize,
    /// How far down a system's ranking is shown; 10 unless changed.
    pub ranks: u32,
    /// Systems with rankings side by side; 4 by default.
    pub systems: usize,
    /// Rows of a table, and bars of a chart; 400 unless changed.
    pub rows: usize,
    /// Bytes of the page: queries are added while there is room. 4,500,000 unless changed.
    pub bytes: usize,
    /// Whether a server shows the page: then its style is the server's, and it links to a page of every query. It is a
    /// file unless changed.
    pub served: bool,
    /// Whether that server has a page for annotators, who label the study.
    pub people_page: bool,
}

impl Default for HtmlLimits {
    fn default() -> Self {
        Self {
            topics: 300,
            ranks: 10,
            systems: 4,
            rows: 400,
            bytes: 4_500_000,
            served: false,
            people_page: false,
        }
    }
}
