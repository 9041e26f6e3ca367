//! The report as Markdown.

mod differing_rows;
mod featured_diagrams;
mod hardest;
mod limits;
mod named;
mod panel_rows;
mod place;
mod render;
mod template;

pub use limits::MarkdownLimits;
pub(crate) use place::Place;
pub use render::{markdown, markdown_with_charts};
