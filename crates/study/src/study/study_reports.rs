//! The reports of a study: written, saved, and compared with earlier ones.

use llull_core::LabelSet;
use llull_report::{BaselineComparison, ChangeSplit};

use super::steps::Study;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::history::{EarlierReport, Present, SavedReports, split};
use crate::inputs::Inputs;
use crate::reporting::{
    ReportFiles, ReportRecord, StudyReport, add_by_judges, holds_labels, labels_are_judges_alone, resolved,
    write_files,
};

/// The reports of a study.
#[derive(Clone, Copy)]
pub struct StudyReports<'a>(&'a Study);

impl Study {
    /// Returns the written reports of the study, and what goes with them.
    pub fn reports(&self) -> StudyReports<'_> {
        StudyReports(self)
    }
}

impl<'a> StudyReports<'a> {
    /// Writes a report into the study's folder, and the resolved configuration next to the ledger, where it also saves
    /// the report's figures and labels for later comparisons. Returns the files.
    ///
    /// # Errors
    /// Returns an error if the study is in memory, or a file cannot be written.
    pub fn write(&self, inputs: &Inputs, report: &StudyReport<'_>) -> Result<ReportFiles, StudyError> {
        let files = write_files(self.0.folder(), report, &resolved(self.0.settings(), inputs)?)?;
        SavedReports::of(self.0.folder()).save(self.0.settings(), report)?;
        Ok(files)
    }

    /// Returns the reports that were written for this study.
    pub fn saved(&self) -> SavedReports<'a> {
        SavedReports::of(self.0.folder())
    }

    /// Adds to a report a comparison with an earlier one, named by its number in the history or by its file. It has
    /// differences of the settings, and the changed figures.
    ///
    /// # Errors
    /// Returns an error if there is no such report, or it cannot be read.
    pub fn since<'r>(&self, report: StudyReport<'r>, earlier: &str) -> Result<StudyReport<'r>, StudyError> {
        let EarlierReport { name, record, .. } = self.saved().find(earlier)?;
        Ok(report.since(&name, &record))
    }

    /// Splits the changes of figures since an earlier report, named by its number in the history or by its file, into
    /// those of judge, labels, pool and runs.
    ///
    /// # Errors
    /// Returns an error if there is no such report, or it or a saved input of it cannot be read.
    pub fn changes_since(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        earlier: &str,
        baseline: &str,
    ) -> Result<ChangeSplit, StudyError> {
        let EarlierReport { name, record, saved } = self.saved().find(earlier)?;
        let report = self.0.report(inputs, evidence)?;
        let now = ReportRecord::of(report.summary());
        let present =
            Present { inputs, evidence, record: &now, measures: &self.0.settings().measures, baseline };
        let (folder, saved) = match &saved {
            Some((folder, saved)) => (folder, Some(saved)),
            None => (self.0.folder(), None),
        };
        Ok(split(folder, name, &record, saved, &present)?)
    }

    /// Returns the file of `llull label`: `labels.qrels`, or `labels.undecided.qrels` if there is no label to write and
    /// the former has some.
    pub fn labels_file(&self, labels: &LabelSet) -> &'static str {
        let kept = labels.labelled() == 0 && holds_labels(self.0.folder());
        if kept { "labels.undecided.qrels" } else { "labels.qrels" }
    }

    /// Returns whether the labels are those of judges alone that read documents, so that verdicts have a track record
    /// ([`add_track_records`](llull_report::add_track_records)).
    pub fn labels_are_judges_alone(&self) -> bool {
        labels_are_judges_alone(self.0.settings())
    }

    /// Adds to comparisons with one baseline, by the first measure, what each judge of a panel decides alone, as a
    /// report does.
    ///
    /// # Errors
    /// Returns an error if intervals cannot be computed.
    pub fn add_by_judges(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        comparisons: &mut [&mut BaselineComparison],
    ) -> Result<(), StudyError> {
        add_by_judges(self.0.settings(), inputs, evidence, comparisons, &self.0.bootstrap())
    }
}
