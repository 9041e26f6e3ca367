//! The part of a report that a later one is compared with.

use std::path::Path;

use llull_core::Qrels;
use llull_files::read_labels;
use llull_report::{
    ComparisonFinding, CorrectedFigure, JudgeCoverage, MeasuredSystem, ProvenanceSection, ReferenceSystems,
    ReportJudge, StudyVerdict, TOURNAMENT_VERSION, VERSION,
};
use serde::{Deserialize, Serialize};

use super::summary::Summary;
use crate::error::StudyError;

/// The file of a report.
pub(crate) const REPORT: &str = "report.json";

/// Figures, decisions and provenance of a report, without a text. It is read from a `report.json`, too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportRecord {
    version: u64,
    /// The study.
    pub study: RecordedStudy,
    /// The decisions.
    pub decision: RecordedDecision,
    /// The figures.
    pub systems: Vec<MeasuredSystem>,
    /// How much was labelled.
    pub coverage: RecordedCoverage,
    /// The inputs.
    pub provenance: ProvenanceSection,
    /// The systems under reference labels, of a `report.json` alone.
    #[serde(default, skip_serializing)]
    pub reference: Option<RecordedReference>,
}

/// The reference of a report.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RecordedReference {
    /// Its name.
    pub name: String,
    /// The systems under both labels.
    pub systems: ReferenceSystems,
}

/// The study of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedStudy {
    /// Its name.
    pub name: String,
    /// How labels are made.
    pub aggregation: String,
    /// The judges.
    pub judges: Vec<ReportJudge>,
}

/// The decisions of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedDecision {
    /// The measure that decides.
    pub primary: String,
    /// The system that the others are compared with.
    #[serde(default)]
    pub baseline: Option<String>,
    /// The outcome.
    #[serde(default)]
    pub verdict: StudyVerdict,
    /// The comparisons with the baseline.
    pub comparisons: Vec<RecordedComparison>,
    /// The unreliable judges, even if checks were ignored, of a `report.json` alone.
    #[serde(default, skip_serializing)]
    pub unreliable_judges: Vec<String>,
}

/// A comparison of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedComparison {
    /// The system.
    pub system: String,
    /// The system that it is compared with.
    pub baseline: String,
    /// The measure.
    pub measure: String,
    /// The mean difference.
    #[serde(default)]
    pub mean_difference: Option<f64>,
    /// The lower end of its interval.
    #[serde(default)]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default)]
    pub high: Option<f64>,
    /// The decision.
    #[serde(flatten)]
    pub decision: ComparisonFinding,
    /// The difference corrected by human labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ppi: Option<CorrectedFigure>,
}

/// The coverage of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedCoverage {
    /// The pairs of the pool.
    pub pairs: usize,
    /// Those with a label.
    pub labelled: usize,
    /// The outcomes of each judge's questions, of a `report.json` alone.
    #[serde(default, skip_serializing)]
    pub judges: Vec<JudgeCoverage>,
}

impl ReportRecord {
    /// The record of a new report.
    pub fn of(summary: &Summary) -> Self {
        let without_times = |system: &MeasuredSystem| MeasuredSystem { retrieval: None, ..system.clone() };
        Self {
            version: summary.version.into(),
            study: RecordedStudy {
                name: summary.study.name.clone(),
                aggregation: summary.study.aggregation.clone(),
                judges: summary.study.judges.clone(),
            },
            decision: RecordedDecision {
                primary: summary.decision.primary.clone(),
                baseline: summary.decision.baseline.clone(),
                verdict: summary.decision.verdict.clone(),
                comparisons: summary
                    .decision
                    .comparisons
                    .iter()
                    .map(|found| RecordedComparison {
                        system: found.system.clone(),
                        baseline: found.baseline.clone(),
                        measure: found.measure.clone(),
                        mean_difference: found.mean_difference,
                        low: found.low,
                        high: found.high,
                        decision: found.decision,
                        ppi: found.ppi.clone(),
                    })
                    .collect(),
                unreliable_judges: Vec::new(),
            },
            systems: summary.systems.iter().map(without_times).collect(),
            coverage: RecordedCoverage {
                pairs: summary.coverage.pairs,
                labelled: summary.coverage.labelled,
                judges: Vec::new(),
            },
            provenance: summary.provenance.clone(),
            reference: None,
        }
    }

    /// Reads a named report: a file, or the one in a folder, as far as saved reports have it.
    ///
    /// # Errors
    /// Returns an error if it does not exist, or this version cannot read it.
    pub fn open(path: &Path) -> Result<Self, StudyError> {
        let mut report = Self::open_whole(path)?;
        report.reference = None;
        report.coverage.judges.clear();
        report.decision.unreliable_judges.clear();
        Ok(report)
    }

    /// Reads a named report, with the systems under reference labels and the outcomes of judges' questions.
    ///
    /// # Errors
    /// Returns an error if it does not exist, or this version cannot read it.
    pub(crate) fn open_whole(path: &Path) -> Result<Self, StudyError> {
        let file = if path.is_dir() { path.join(REPORT) } else { path.to_owned() };
        let unreadable = |problem: String| {
            StudyError::Problem(format!(
                "{}: {problem}; name a report.json that llull report or llull run wrote, or the folder it is in",
                file.display()
            ))
        };
        let mut report: Self = serde_json::from_slice(&llull_data::read_whole(&file)?)
            .map_err(|error| unreadable(format!("it is no report.json of a study ({error})")))?;
        if ![VERSION, TOURNAMENT_VERSION].map(u64::from).contains(&report.version) {
            let version = report.version;
            return Err(unreadable(format!("its version is {version}, and another llull wrote it")));
        }
        report.systems.iter_mut().for_each(|system| system.retrieval = None);
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
