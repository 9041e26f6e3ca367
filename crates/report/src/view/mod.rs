//! One view of a report for people, made once, which every exporter of it reads.

mod decision_table;
mod judge_checks;
mod largest_differences;
mod next_steps;
mod report_view;
mod slice_table;
mod topics;

pub(crate) use crate::comparison::decisive_figures;
pub(crate) use decision_table::{DecisionRow, best_first, words};
pub(crate) use judge_checks::{CheckRow, JudgeChecks};
pub(crate) use largest_differences::{Difference, DifferingQuery, LargestDifferences, explained};
pub(crate) use report_view::Named;
pub use report_view::{Limits, ReportView};
pub use slice_table::SliceTable;
pub(crate) use topics::{KeptTopic, MeasuredTopic, is_shown};
