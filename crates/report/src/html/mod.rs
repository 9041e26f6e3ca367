//! The report as one page of HTML, without scripts or resources.

mod anchors;
mod cycles;
mod disagreements;
mod glossary;
mod headline;
mod query_section;
mod render;
mod why;

pub use disagreements::disagreements_html;
pub use headline::headline;
pub use query_section::{DocumentView, GradeScale, PlaceView};
pub use render::{Html, STYLE, chart_files, idle_chart_files, templates};
pub use why::DifferenceView;
