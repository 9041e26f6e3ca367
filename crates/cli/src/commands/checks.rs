//! Files that are named twice.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::data::shown_path;

use crate::exit::refuse;

/// Standard input can be read once.
pub(crate) fn one_standard_input<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    if files.into_iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        refuse!("- is standard input, and stands for one file only; name the others");
    }
    Ok(())
}

/// A run that is named twice, however its path is written, would be two systems.
pub(crate) fn each_run_once(runs: &[PathBuf]) -> Result<()> {
    if let Some(run) = named_twice(runs) {
        refuse!("{}: this run is named twice; name each system once", shown_path(run));
    }
    Ok(())
}

/// Labels that are named twice would be two raters.
pub(crate) fn each_rater_once(labels: &[PathBuf]) -> Result<()> {
    if let Some(file) = named_twice(labels) {
        refuse!(
            "{}: these labels are named twice, and would count as two raters'; name each once",
            shown_path(file)
        );
    }
    Ok(())
}

/// The first file that has been named before, however its path is written.
fn named_twice(files: &[PathBuf]) -> Option<&Path> {
    let places: Vec<PathBuf> = files.iter().map(|file| place(file)).collect();
    let twice = (0..places.len()).find(|at| places[..*at].contains(&places[*at]))?;
    files.get(twice).map(PathBuf::as_path)
}

/// Where a file is, however its path is written.
pub(crate) fn place(file: &Path) -> PathBuf {
    fs_err::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}
