//! Reads an earlier report in the folder, for a comparison.

use std::path::Path;

use llull_core::Qrels;
use llull_files::read_labels;
use llull_report::{
    ComparisonFinding, MeasuredSystem, ProvenanceSection, ReportJudge, TOURNAMENT_VERSION, VERSION,
};
use serde::Deserialize;

use crate::error::StudyError;

/// The file of a report.
const REPORT: &str = "report.json";

/// The part of an earlier report that is read.
#[derive(Deserialize)]
pub(crate) struct EarlierReport {
    version: u64,
    pub(super) study: EarlierStudy,
    pub(super) decision: EarlierDecision,
    pub(super) systems: Vec<MeasuredSystem>,
    pub(super) coverage: EarlierCoverage,
    pub(super) provenance: ProvenanceSection,
}

#[derive(Deserialize)]
pub(super) struct EarlierStudy {
    pub(super) name: String,
    pub(super) aggregation: String,
    pub(super) judges: Vec<ReportJudge>,
}

#[derive(Deserialize)]
pub(super) struct EarlierDecision {
    pub(super) primary: String,
    pub(super) comparisons: Vec<EarlierComparison>,
}

#[derive(Deserialize)]
pub(super) struct EarlierComparison {
    pub(super) system: String,
    pub(super) baseline: String,
    pub(super) measure: String,
    #[serde(flatten)]
    pub(super) decision: ComparisonFinding,
}

#[derive(Deserialize)]
pub(super) struct EarlierCoverage {
    pub(super) pairs: usize,
    pub(super) labelled: usize,
}

impl EarlierReport {
    /// Reads a named report: a file, or the one in a folder.
    ///
    /// # Errors
    /// Returns an error if it does not exist, or this version cannot read it.
    pub(crate) fn open(path: &Path) -> Result<Self, StudyError> {
        let file = if path.is_dir() { path.join(REPORT) } else { path.to_owned() };
        let unreadable =
            |problem: String| StudyError::EarlierReport { file: file.display().to_string(), problem };
        let report: Self = serde_json::from_slice(&llull_data::read_whole(&file)?)
            .map_err(|error| unreadable(format!("it is no report.json of a study ({error})")))?;
        if ![VERSION, TOURNAMENT_VERSION].map(u64::from).contains(&report.version) {
            let version = report.version;
            return Err(unreadable(format!("its version is {version}, and another llull wrote it")));
        }
        Ok(report)
    }

    /// Reads a report; `None` if it does not exist or cannot be read.
    pub(super) fn read(json: &Path) -> Option<Self> {
        serde_json::from_slice(&llull_data::read_whole(json).ok()?).ok()
    }
}

/// Reads the labels next to it; `None` if they do not exist.
pub(super) fn earlier_labels(qrels: &Path) -> Option<Qrels> {
    let read = read_labels(qrels).ok().filter(|_| qrels.is_file())?;
    Some(read.value)
}
