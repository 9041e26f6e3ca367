//! Draws the tiers of a query as a diagram, best at the top.
//!
//! The language is Mermaid for Markdown, or DOT for Graphviz.

mod dot;
mod mermaid;
mod nodes;

pub use dot::dot;
pub use mermaid::mermaid;
pub use nodes::DiagramLimits;
