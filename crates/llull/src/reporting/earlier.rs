//! The report that stands in the folder already, as far as a new one is compared with it.

use std::io::BufReader;
use std::path::Path;

use llull_core::Qrels;
use llull_report::{ComparisonFinding, MeasuredSystem, ProvenanceSection};
use serde::Deserialize;

use crate::files::read_labels;

/// What is read of an earlier report.
#[derive(Deserialize)]
pub(super) struct EarlierReport {
    pub(super) study: EarlierStudy,
    pub(super) decision: EarlierDecision,
    pub(super) systems: Vec<MeasuredSystem>,
    pub(super) coverage: EarlierCoverage,
    pub(super) provenance: ProvenanceSection,
}

#[derive(Deserialize)]
pub(super) struct EarlierStudy {
    pub(super) aggregation: String,
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
    pub(super) decision: ComparisonFinding,
}

#[derive(Deserialize)]
pub(super) struct EarlierCoverage {
    pub(super) pairs: usize,
    pub(super) labelled: usize,
}

impl EarlierReport {
    /// Reads a report; `None` if there is none, or it cannot be read and so says nothing.
    pub(super) fn read(json: &Path) -> Option<Self> {
        let file = fs_err::File::open(json).ok().filter(|_| json.is_file())?;
        serde_json::from_reader(BufReader::new(file)).ok()
    }
}

/// Reads the labels beside it; `None` if there are none.
pub(super) fn earlier_labels(qrels: &Path) -> Option<Qrels> {
    let read = read_labels(qrels).ok().filter(|_| qrels.is_file())?;
    Some(read.value)
}
