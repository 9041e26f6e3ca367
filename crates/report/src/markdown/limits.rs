//! Limits of the Markdown.

/// How much of the detail the Markdown shows; the JSON has all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkdownLimits {
    /// Queries, the hardest first; 50 unless changed.
    pub topics: usize,
    /// Documents a query, in the report's order; 10 unless changed.
    pub documents: usize,
    /// Disagreements between judges, and with the reference; 10 unless changed.
    pub disagreements: usize,
    /// Queries whose tiers are drawn, the most contradictory first; 5 unless changed.
    pub diagrams: usize,
}

impl Default for MarkdownLimits {
    fn default() -> Self {
        Self { topics: 50, documents: 10, disagreements: 10, diagrams: 5 }
    }
}
