//! The files that a report is written to.

use std::io::Write as _;
use std::path::PathBuf;

use llull_data::write_qrels;

use super::report::StudyReport;
use crate::error::StudyError;
use crate::folder::Folder;

/// The files that a study's report consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFiles {
    /// For people.
    pub markdown: PathBuf,
    /// For programs.
    pub json: PathBuf,
    /// The labels, as qrels.
    pub labels: PathBuf,
    /// The resolved configuration.
    pub resolved: PathBuf,
}

/// Writes `report.md`, `report.json` and `labels.qrels` into the study's folder, and the resolved configuration
/// beside the ledger. Returns where.
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
    let files = ReportFiles {
        markdown: folder.path("report.md"),
        json: folder.path("report.json"),
        labels: folder.path("labels.qrels"),
        resolved: folder.private_dir().join("resolved.toml"),
    };
    let mut json = folder.create("report.json")?;
    report.write_json(&mut json)?;
    json.finish()?;
    folder.write("report.md", report.markdown()?.as_bytes())?;
    let mut labels = folder.create("labels.qrels")?;
    write_qrels(&report.labels(), &mut labels)?;
    labels.finish()?;
    let mut written = folder.create_private("resolved.toml")?;
    written.write_all(resolved.as_bytes())?;
    written.finish()?;
    Ok(files)
}
