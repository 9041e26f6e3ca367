//! Checks files of the command line for repeated use.
//!
//! Standard input can be read at most once, and no file twice.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::core::Run;
use llull::data::shown_path;
use llull::files::LabelsFile;

use crate::args::RunReading;
use crate::commands::Context;
use crate::exit::refuse;

/// Refuses `-` as more than one file: standard input can be read once.
pub(crate) fn one_standard_input<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    if files.into_iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        refuse!("- is standard input, and stands for one file only; name the others");
    }
    Ok(())
}

/// Refuses a run that is named twice, however its path is written: it would be two systems.
pub(crate) fn each_run_once(runs: &[PathBuf]) -> Result<()> {
    if let Some(run) = first_repeated(runs) {
        refuse!("{}: this run is named twice; name each system once", shown_path(run));
    }
    Ok(())
}

/// Checks that runs share queries and documents with labels: none is an error, few a warning.
pub(crate) fn check_identifiers(
    context: &Context,
    labels: &LabelsFile<'_>,
    (paths, runs): (&[PathBuf], &[Run]),
    reading: RunReading,
) -> Result<()> {
    for (path, run) in paths.iter().zip(runs) {
        context.printer.remarks(labels.check_identifiers(
            path,
            run,
            &reading.form(&context.global.columns),
        )?);
    }
    Ok(())
}

/// Refuses labels that are named twice: they would count as two judges.
pub(crate) fn each_judge_once(labels: &[PathBuf]) -> Result<()> {
    if let Some(file) = first_repeated(labels) {
        refuse!(
            "{}: these labels are named twice, and would count as two judges'; name each file once",
            shown_path(file)
        );
    }
    Ok(())
}

/// The first file that was named before, however its path is written.
fn first_repeated(files: &[PathBuf]) -> Option<&Path> {
    let places: Vec<PathBuf> = files.iter().map(|file| place(file)).collect();
    let repeated = (0..places.len()).find(|at| places[..*at].contains(&places[*at]))?;
    files.get(repeated).map(PathBuf::as_path)
}

/// A path that is the same for every way to write it; the path itself if there is no such file.
pub(crate) fn place(file: &Path) -> PathBuf {
    fs_err::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}
