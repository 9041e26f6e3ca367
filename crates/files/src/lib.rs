//! Labels, runs and answers in files, and their use without a study.
//!
//! ```
//! use llull_files::read_labels;
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("human.qrels");
//! std::fs::write(&file, "q1 0 d1 3\nq1 0 d2 0\n")?;
//! assert_eq!(read_labels(&file)?.value.grade("q1", "d1"), Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | part | does |
//! |---|---|
//! | [`read_labels`], [`read_system`] | reads labels and runs, with notes about oddities |
//! | [`PanelLabels`], [`CombinedLabels`], [`SummedLabels`] | makes one judge of several |
//! | [`CalibratedLabels`], [`MixedLabels`] | brings a judge's grades onto another scale |
//! | [`preferences`] | compares pairwise answers with a reference |
//! | [`training`] | learns one answer from many |
//! | [`compare_systems`] | compares measured systems, under missing and human labels |
//! | [`export`] | makes files of labels and runs for other tools |
//! | [`audit_pairs`] | checks the pairs that a judge was shown |

mod audited_pairs;
mod calibrated_labels;
mod combined_labels;
mod combined_report;
mod comparison;
mod corrections;
mod error;
pub mod export;
mod file_sample;
mod judge_panel;
mod judged_pairs;
mod label_rows;
mod missing_bounds;
mod mixed_labels;
mod panel_labels;
pub mod preferences;
mod read;
mod retrieval_tally;
mod run_remarks;
mod summed_labels;
pub mod training;

pub use audited_pairs::audit_pairs;
pub use calibrated_labels::{
    CalibratedLabels, CalibratedLabelsError, CalibrationOptions, CrossValidated, RecommendedCut,
};
pub use combined_labels::{CombineOptions, CombinedLabels, CombinedLabelsError};
pub use combined_report::CombinedReport;
pub use comparison::{
    ComparisonLimits, SystemsComparison, compare_systems, note_of_left_out, warning_of_unanswered,
    warnings_of_tests, warnings_of_unjudged_shares,
};
pub use corrections::{Correction, Corrections};
pub use error::FileError;
pub use file_sample::{FileSample, FileSampleError};
pub use judge_panel::{JudgePanel, PanelJudge, PanelMember, inferred_scale};
pub use judged_pairs::{JudgedPairs, lower_middle_effect};
pub use label_rows::{LabelRow, label_rows};
pub use missing_bounds::MissingBounds;
pub use mixed_labels::{MixError, MixNames, MixedLabels};
pub use panel_labels::{MemberSummary, PanelError, PanelLabels, suggested};
pub use read::*;
pub use retrieval_tally::RetrievalTally;
pub use summed_labels::SummedLabels;
