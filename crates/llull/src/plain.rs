//! Labels and runs from plain files, for commands that need no study.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use llull_core::{Qrels, Run};
use llull_data::{RunOptions, read_qrels, read_run, shown_path};
use llull_metrics::Measure;

use crate::StudyError;

/// Something read from a file, and what its user should know about the file.
#[derive(Debug, Clone)]
pub struct Read<T> {
    /// What was read.
    pub value: T,
    /// Remarks that change no figure by themselves.
    pub notes: Vec<String>,
}

/// Reads labels.
///
/// # Errors
/// When the file cannot be read, a line is not a label, or there is none.
pub fn read_labels(path: &Path) -> Result<Read<Qrels>, StudyError> {
    let file = read_qrels(path)?;
    if file.qrels.pairs() == 0 {
        return Err(StudyError::Unfit(format!(
            "{}: no label in it; a line is: query 0 document grade",
            shown_path(path)
        )));
    }
    let mut notes = Vec::new();
    if let Some(first) = &file.notes.first_repeat {
        notes.push(format!(
            "{}: {} with the same grade (the first: line {}); nothing changes by it",
            shown_path(path),
            lines_that_repeat(file.notes.repeats as u64, "a pair"),
            first.line
        ));
    }
    Ok(Read { value: file.qrels, notes })
}

fn lines_that_repeat(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 line repeats {what}"),
        n => format!("{n} lines repeat {what}"),
    }
}

/// Reads one run. Only as much of it is held as the measures look at.
///
/// # Errors
/// When the file cannot be read or a line is not a result.
pub fn read_system(path: &Path, name: &str, depth: Option<usize>) -> Result<Read<Run>, StudyError> {
    let file = read_run(path, &RunOptions { depth, name: Some(name.to_owned()) })?;
    let mut notes = Vec::new();
    if let Some(first) = &file.notes.first_duplicate {
        notes.push(format!(
            "{}: {} of the same query (the first: line {}); the better place was kept",
            shown_path(path),
            lines_that_repeat(file.notes.duplicates as u64, "a document"),
            first.line
        ));
    }
    if file.run.is_empty() {
        notes.push(format!("{}: the run is empty, so every query counts as 0", shown_path(path)));
    }
    Ok(Read { value: file.run, notes })
}

/// Reads several runs and names each after its file: the file's name without its extensions, or the whole path
/// where two would be called the same.
///
/// # Errors
/// As [`read_system`].
pub fn read_systems(paths: &[PathBuf], measures: &[Measure]) -> Result<Read<Vec<Run>>, StudyError> {
    let depth = depth_needed(measures);
    let mut all = Read { value: Vec::new(), notes: Vec::new() };
    for (path, name) in paths.iter().zip(system_names(paths)) {
        let read = read_system(path, &name, depth)?;
        all.value.push(read.value);
        all.notes.extend(read.notes);
    }
    Ok(all)
}

/// How far down the measures look together; `None` when one looks at the whole list.
pub fn depth_needed(measures: &[Measure]) -> Option<usize> {
    let mut deepest = 0;
    for measure in measures {
        deepest = deepest.max(measure.reads()?);
    }
    Some(deepest)
}

/// What [`read_systems`] calls the runs of these files.
pub fn system_names(paths: &[PathBuf]) -> Vec<String> {
    let short: Vec<String> = paths.iter().map(|path| stem(path)).collect();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for name in &short {
        *times.entry(name).or_default() += 1;
    }
    short
        .iter()
        .zip(paths)
        .map(
            |(name, path)| {
                if times.get(name.as_str()) == Some(&1) { name.clone() } else { path.display().to_string() }
            },
        )
        .collect()
}

fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let mut stem = name.as_str();
    for extension in [".gz", ".zst", ".run", ".txt", ".trec", ".res"] {
        stem = stem.strip_suffix(extension).filter(|rest| !rest.is_empty()).unwrap_or(stem);
    }
    stem.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_after_their_files_unless_two_are_alike() {
        let paths: Vec<PathBuf> =
            ["a/bm25.run.gz", "b/bm25.run", "c/dense-v1.2.txt", "-"].map(PathBuf::from).into();
        assert_eq!(system_names(&paths), ["a/bm25.run.gz", "b/bm25.run", "dense-v1.2", "-"]);
    }

    #[test]
    fn a_measure_of_the_whole_list_needs_it_whole() {
        let measures =
            |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect::<Vec<Measure>>();
        assert_eq!(depth_needed(&measures(&["nDCG@10", "P@5"])), Some(10));
        assert_eq!(depth_needed(&measures(&["nDCG@10", "AP"])), None);
    }
}
