//! The report as Markdown.

mod pair_rows;
mod render;
mod template;
