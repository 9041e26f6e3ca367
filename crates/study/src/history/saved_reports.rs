//! The folder of saved reports.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use llull_config::{Folder, SavedFile, Settings, is_read_only};
use llull_core::Run;
use llull_report::ComparisonFinding;
use serde::Serialize;

use super::error::HistoryError;
use super::label_inputs::LabelInputs;
use super::saved_inputs::{self, PooledLabels, are_few, lists, pooled_labels, qrels};
use super::saved_report::{SavedReport, SavedRun, VERSION};
use crate::error::StudyError;
use crate::inputs::depth_looked_at;
use crate::reporting::{ReportRecord, StudyReport, label_changes, reasons};

/// The folder, in that of llull's own files.
const FOLDER: &str = "reports";

/// The saved reports of a study, by their numbers from 1. A report that equals the last one gets no new number.
#[derive(Debug, Clone, Copy)]
pub struct SavedReports<'a> {
    folder: &'a Folder,
}

/// The reports of a study.
#[derive(Debug)]
pub struct History {
    /// Those that can be read, in the order of their numbers.
    pub reports: Vec<ReportInHistory>,
    /// Why others, or labels and lists that they were measured on, cannot be read.
    pub unreadable: Vec<StudyError>,
}

/// A report among the others of its study.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReportInHistory {
    /// Its number.
    pub number: u32,
    /// When its file was written; unknown if the file system does not tell.
    #[serde(skip)]
    pub written: Option<SystemTime>,
    /// The measure of the figures.
    pub measure: String,
    /// The systems.
    pub systems: Vec<SystemInHistory>,
    /// What changed since the report before it, a clause each.
    pub changed: Vec<String>,
}

/// A system's figure in one of several reports.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemInHistory {
    /// The system.
    pub system: String,
    /// The mean, corrected by human labels where they correct it; null if the report lacks the measure.
    pub mean: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How many queries.
    pub n: usize,
    /// Whether human labels correct the figure.
    pub corrected: bool,
    /// The decision against the baseline; null for the baseline.
    #[serde(flatten)]
    pub decision: Option<ComparisonFinding>,
}

/// An earlier report, and the saved one with its labels and lists.
pub(crate) struct EarlierReport {
    pub(crate) name: String,
    pub(crate) record: ReportRecord,
    pub(crate) saved: Option<(Folder, SavedReport)>,
}

impl<'a> SavedReports<'a> {
    /// Returns those of the study in this folder.
    pub fn of(folder: &'a Folder) -> Self {
        Self { folder }
    }

    /// Saves a report, its labels and its lists, unless it equals the last one. In a read-only folder it does nothing.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub(crate) fn save(&self, settings: &Settings, report: &StudyReport<'_>) -> Result<(), StudyError> {
        match self.write(settings, report) {
            Err(StudyError::Data(error)) if is_read_only(&error) => Ok(()),
            written => written,
        }
    }

    fn write(&self, settings: &Settings, report: &StudyReport<'_>) -> Result<(), StudyError> {
        let (inputs, evidence) = report.inputs();
        let labels = saved_inputs::save(self.folder, &pooled_labels(evidence))?;
        // Judges got no text of a pair whose label is kept.
        let kept = settings.base.as_ref().and_then(|base| base.kept.as_ref());
        let mut depend = LabelInputs::of(settings, evidence);
        depend.unreliable_judges.clone_from(&report.summary().decision.unreliable_judges);
        if let Some(kept) = kept {
            let mut then: LabelInputs = saved_inputs::read_kept(self.folder, kept, &kept.texts)?;
            then.queries.append(&mut depend.queries);
            then.documents.append(&mut depend.documents);
            (depend.queries, depend.documents) = (then.queries, then.documents);
        }
        let texts = saved_inputs::save(self.folder, &depend)?;
        let depth = depth_looked_at(settings);
        let keeps = are_few(&inputs.runs, depth);
        let save_run = |run: &Run| -> Result<SavedRun, StudyError> {
            let lists = lists(run, depth).filter(|_| keeps);
            let lists = lists.map(|lists| saved_inputs::save(self.folder, &lists)).transpose()?;
            Ok(SavedRun { system: run.name.clone(), depth, lists })
        };
        let saved = SavedReport {
            version: VERSION,
            labels: Some(labels),
            texts: Some(texts),
            runs: inputs.runs.iter().map(save_run).collect::<Result<_, _>>()?,
            report: ReportRecord::of(report.summary()),
        };
        let mut bytes = serde_json::to_vec_pretty(&saved).map_err(|error| StudyError::Io(error.into()))?;
        bytes.push(b'\n');
        let last = self.numbers()?.pop().unwrap_or(0);
        if last > 0 && fs_err::read(self.path(last)?).is_ok_and(|before| before == bytes) {
            return Ok(());
        }
        // The inputs are in place by now, so a report never names any that are not.
        self.file(last.saturating_add(1)).write(&bytes)?;
        Ok(())
    }

    /// Returns the numbers of the reports, in their order; empty without any.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    pub fn numbers(&self) -> Result<Vec<u32>, StudyError> {
        let folder = self.folder.private_dir().join(FOLDER);
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let mut numbers = Vec::new();
        for entry in fs_err::read_dir(folder)? {
            let name = entry?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".json")?.parse::<u32>().ok());
            numbers.extend(number.filter(|number| name.to_str() == Some(&plain_name(*number))));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Reads a report.
    ///
    /// # Errors
    /// Returns an error if there is none of this number, its file is broken, or a newer llull wrote it.
    pub fn read(&self, number: u32) -> Result<SavedReport, StudyError> {
        let numbers = self.numbers()?;
        let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
            return Err(HistoryError::Empty(self.folder.private_dir().join(FOLDER)).into());
        };
        if !numbers.contains(&number) {
            return Err(HistoryError::Problem(format!(
                "no report has the number {number}; the saved ones are {first} to {last} (llull history lists them)"
            ))
            .into());
        }
        let file = self.path(number)?;
        let broken = |problem: String| HistoryError::Broken { file: file.clone(), problem };
        let bytes = llull_data::read_whole(&file).map_err(|error| broken(error.to_string()))?;
        let value: serde_json::Value =
            serde_json::from_slice(&bytes).map_err(|error| broken(error.to_string()))?;
        match value.get("llull_saved_report").and_then(serde_json::Value::as_u64) {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => {
                return Err(HistoryError::Problem(format!(
                    "{}: its version is {version}, and this llull reads {VERSION}; use the llull that wrote it, or \
                     delete it",
                    file.display()
                ))
                .into());
            }
            None => return Err(broken("it has no version".to_owned()).into()),
        }
        Ok(serde_json::from_slice(&bytes).map_err(|error| broken(error.to_string()))?)
    }

    /// Returns all reports with their figures by a measure, by default the one that decides in the last, and what
    /// changed between each two. Those that cannot be read are left out, each with its error.
    ///
    /// # Errors
    /// Returns an error if there is none, or none can be read.
    pub fn history(&self, measure: Option<&str>) -> Result<History, StudyError> {
        let (mut reports, mut unreadable) = (Vec::new(), Vec::new());
        for number in self.numbers()? {
            match self.read(number) {
                Ok(saved) => reports.push((number, saved)),
                Err(error) => unreadable.push(error),
            }
        }
        let Some((_, last)) = reports.last() else {
            let empty = || HistoryError::Empty(self.folder.private_dir().join(FOLDER)).into();
            return Err(unreadable.pop().unwrap_or_else(empty));
        };
        let measure = measure.unwrap_or(&last.report.decision.primary);
        let mut all: Vec<ReportInHistory> = Vec::with_capacity(reports.len());
        let mut before: Option<&SavedReport> = None;
        for (number, saved) in &reports {
            let changed = before.map_or_else(|| Ok(Vec::new()), |before| self.changed(before, saved));
            let changed = changed.unwrap_or_else(|error| {
                unreadable.push(error);
                Vec::new()
            });
            let written = self.path(*number)?.metadata().and_then(|found| found.modified()).ok();
            all.push(ReportInHistory {
                number: *number,
                written,
                measure: measure.to_owned(),
                systems: systems(&saved.report, measure),
                changed,
            });
            before = Some(saved);
        }
        Ok(History { reports: all, unreadable })
    }

    /// Returns the names of the measures in the last report.
    ///
    /// # Errors
    /// Returns an error if there is none, or it cannot be read.
    pub fn measures_of_last(&self) -> Result<Vec<String>, StudyError> {
        let last = self.numbers()?.pop().unwrap_or(1);
        let report = self.read(last)?.report;
        let figures = report.systems.first().map(|system| system.figures.as_slice()).unwrap_or_default();
        Ok(figures.iter().map(|figure| figure.measure.clone()).collect())
    }

    /// Finds a report by its number, or a `report.json` or the folder with one, which may be of another study. Returns
    /// its name, the report, and the saved one that equals it, with its folder, if there is one.
    ///
    /// # Errors
    /// Returns an error if there is no such report, or it cannot be read.
    pub(crate) fn find(&self, named: &str) -> Result<EarlierReport, StudyError> {
        if let Ok(number) = named.parse::<u32>() {
            let saved = self.read(number)?;
            let record = saved.report.clone();
            let name = format!("report {number:04}");
            return Ok(EarlierReport { name, record, saved: Some((self.folder.clone(), saved)) });
        }
        let path = Path::new(named);
        let record = ReportRecord::open(path)?;
        let beside = if path.is_dir() { Some(path) } else { path.parent() };
        let beside = beside.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        for folder in [Folder::new(beside), self.folder.clone()] {
            let reports = SavedReports::of(&folder);
            for number in reports.numbers()?.into_iter().rev() {
                // A broken file is of no use here, and another report may be the one.
                let Ok(saved) = reports.read(number) else { continue };
                if saved.report == record {
                    return Ok(EarlierReport {
                        name: named.to_owned(),
                        record,
                        saved: Some((folder, saved)),
                    });
                }
            }
        }
        Ok(EarlierReport { name: named.to_owned(), record, saved: None })
    }

    fn changed(&self, before: &SavedReport, now: &SavedReport) -> Result<Vec<String>, StudyError> {
        let of_labels = match (&before.labels, &now.labels) {
            (Some(earlier), Some(later)) if earlier != later => {
                let read = |hash: &str| -> Result<PooledLabels, HistoryError> {
                    saved_inputs::read(self.folder, hash)
                };
                label_changes(&qrels(&read(earlier)?), &qrels(&read(later)?))
            }
            _ => None,
        };
        Ok(reasons(&before.report, &now.report, of_labels))
    }

    fn path(&self, number: u32) -> Result<PathBuf, StudyError> {
        Ok(self.file(number).path()?)
    }

    fn file(&self, number: u32) -> SavedFile<'_> {
        SavedFile::new(self.folder, format!("{FOLDER}/{}", plain_name(number)))
    }
}

fn systems(report: &ReportRecord, measure: &str) -> Vec<SystemInHistory> {
    let of = |system: &llull_report::MeasuredSystem| {
        let figure = system.figures.iter().find(|figure| figure.measure == measure);
        let corrected = figure.and_then(|figure| figure.ppi.as_ref());
        let mut comparisons = report.decision.comparisons.iter();
        let decided = comparisons.find(|found| found.system == system.system && found.measure == measure);
        SystemInHistory {
            system: system.system.clone(),
            mean: corrected.map(|found| found.value).or(figure.and_then(|figure| figure.mean)),
            low: corrected.map(|found| found.low).or(figure.and_then(|figure| figure.low)),
            high: corrected.map(|found| found.high).or(figure.and_then(|figure| figure.high)),
            n: figure.map_or(0, |figure| figure.n),
            corrected: corrected.is_some(),
            decision: decided.map(|found| found.decision),
        }
    };
    report.systems.iter().map(of).collect()
}

fn plain_name(number: u32) -> String {
    format!("{number:04}.json")
}
