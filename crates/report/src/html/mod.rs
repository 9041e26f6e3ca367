//! The report as one page of HTML, without scripts or resources.

mod chart_files;
mod chart_rows;
mod circles;
mod glossary;
mod headline;
mod query;
mod render;
mod template;
mod terms;

pub use chart_files::{chart_files, idle_chart_files};
pub use headline::headline;
pub use render::{Html, query_html};
pub use template::{STYLE, templates};
