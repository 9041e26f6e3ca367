//! One view of a report for people, made once, which every exporter of it reads.

mod charts;
mod limits;
mod named;
mod place;
mod report_view;
mod topics;

pub use limits::Limits;
pub(crate) use named::Named;
pub use report_view::ReportView;
pub(crate) use topics::{KeptTopic, is_shown};
