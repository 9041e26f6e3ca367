//! The report of a study, and its files.
//!
//! It is a pure function of the study's inputs and its evidence.

mod changed_figures;
mod comparing_panel;
mod corrections;
mod escalation;
mod files;
mod gates;
mod incomparable;
mod judge_record;
mod judges_alone;
mod mix;
mod panel;
mod provenance;
mod query_details;
mod report;
mod report_record;
mod since;
mod slices;
mod summary;
mod tournaments;
mod track_records;
mod without_family;

pub(crate) use changed_figures::{label_changes, of_fingerprints, reasons};
pub use files::{ReportFiles, remove_idle_charts};
pub(crate) use files::{holds_labels, write_files};
pub(crate) use gates::measures_of;
pub(crate) use judges_alone::add_by_judges;
pub(crate) use provenance::{fingerprint, query_hash, resolved, text_hash};
pub use report::StudyReport;
pub(crate) use report_record::REPORT;
pub use report_record::{
    RecordedComparison, RecordedCoverage, RecordedDecision, RecordedReference, RecordedStudy, ReportRecord,
};
pub use summary::Summary;
pub use summary::bootstrap;
pub(crate) use summary::{aggregation, threshold};
pub(crate) use track_records::labels_are_judges_alone;
