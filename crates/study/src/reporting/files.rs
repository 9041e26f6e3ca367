//! Writes the files of a report.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use llull_config::{Folder, SavedFile};
use llull_report::{ChartFile, idle_chart_files};

use super::changed_figures::moved;
use super::report::StudyReport;
use super::report_record::{ReportRecord, earlier_labels};
use crate::error::StudyError;

/// The files of a study's report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFiles {
    /// The report in Markdown.
    pub markdown: PathBuf,
    /// The report as one page with charts.
    pub html: PathBuf,
    /// The report for programs.
    pub json: PathBuf,
    /// The labels, as qrels.
    pub labels: PathBuf,
    /// The resolved configuration.
    pub resolved: PathBuf,
    /// Whether these files are next to the study's report, which has labels, because this one has none.
    pub beside: bool,
    /// The figures that changed since the previous report, and the reasons; empty without any.
    pub moved: Vec<String>,
}

/// Removes the charts of an earlier report under this stem that are not among `charts`. A file of such a name that is
/// no chart of llull's stays, and so does a link.
///
/// # Errors
/// Returns an error if a chart cannot be read or removed.
pub fn remove_idle_charts(folder: &Path, charts: &[ChartFile], stem: &str) -> std::io::Result<()> {
    for name in idle_chart_files(charts, stem) {
        let file = folder.join(name);
        if !file.symlink_metadata().is_ok_and(|found| found.is_file()) {
            continue;
        }
        let mut start = Vec::new();
        fs_err::File::open(&file)?.take(ChartFile::LOOKED_AT as u64).read_to_end(&mut start)?;
        if ChartFile::is_one(&start) {
            fs_err::remove_file(file)?;
        }
    }
    Ok(())
}

/// Writes the files of the report into the study's folder, and returns their paths.
///
/// They are `report.md` and its charts, `report.html`, `report.json` and `labels.qrels`; the resolved configuration is
/// written next to the ledger. Charts of an earlier report that this one lacks are removed. A report without a label
/// does not replace one with labels: it is written next to it, as `report.undecided.md` and so on.
///
/// # Errors
/// Returns an error if the study has no folder, or a file cannot be written.
pub(crate) fn write_files(
    folder: &Folder,
    report: &StudyReport<'_>,
    resolved: &str,
) -> Result<ReportFiles, StudyError> {
    if !folder.keeps() {
        return Err(StudyError::InMemory("its report has no file; write it where you want it"));
    }
    let before = ReportRecord::read(&folder.path("report.json"));
    let labels = report.labels();
    let beside = labels.pairs() == 0 && holds_labels(folder);
    let named = |stem: &str, ending: &str| match beside {
        true => format!("{stem}.undecided.{ending}"),
        false => format!("{stem}.{ending}"),
    };
    let moved = match &before {
        Some(before) if !beside => {
            let earlier = earlier_labels(&folder.path("labels.qrels"));
            moved(before, earlier.as_ref(), &ReportRecord::of(report.summary()), labels)
        }
        _ => Vec::new(),
    };
    let files = ReportFiles {
        markdown: folder.path(named("report", "md")),
        html: folder.path(named("report", "html")),
        json: folder.path(named("report", "json")),
        labels: folder.path(named("labels", "qrels")),
        resolved: folder.private_dir().join(named("resolved", "toml")),
        beside,
        moved,
    };
    let mut json = folder.create(named("report", "json"))?;
    report.write_json(&mut json)?;
    json.finish()?;
    let stem = if beside { "report.undecided" } else { "report" };
    let (markdown, charts, html) = report.for_people(stem)?;
    folder.write(named("report", "md"), markdown.as_bytes())?;
    remove_idle_charts(folder.dir(), &charts, stem)?;
    for chart in charts {
        folder.write(chart.name, chart.svg.as_bytes())?;
    }
    folder.write(named("report", "html"), html.as_bytes())?;
    let mut qrels = folder.create(named("labels", "qrels"))?;
    report.write_labels(&mut qrels)?;
    qrels.finish()?;
    SavedFile::new(folder, named("resolved", "toml")).write(resolved.as_bytes())?;
    Ok(files)
}

/// Whether the study's folder has labels that an empty file must not replace.
pub(crate) fn holds_labels(folder: &Folder) -> bool {
    earlier_labels(&folder.path("labels.qrels")).is_some_and(|labels| labels.pairs() > 0)
        || ReportRecord::read(&folder.path("report.json")).is_some_and(|report| report.coverage.labelled > 0)
}
