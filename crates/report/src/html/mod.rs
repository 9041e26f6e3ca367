//! The report as one page of HTML, without scripts or resources.

mod agreement_matrix;
mod anchors;
mod cards;
mod chart_files;
mod cycles;
mod decision_rows;
mod difference;
mod disagreements;
mod glossary;
mod headline;
mod query_section;
mod render;
mod template;
mod why;

pub use chart_files::{chart_files, idle_chart_files};
pub use difference::DifferenceView;
pub use disagreements::disagreements_html;
pub use headline::headline;
pub use query_section::{DocumentView, GradeScale, PlaceView};
pub use render::Html;
pub use template::{STYLE, templates};
