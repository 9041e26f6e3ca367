//! The results of systems that a new study is given.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use llull::core::Topics;
use llull::data::{Columns, DataError, ReadRunOptions, add_result_queries, read_run};

use super::place;
use crate::exit::refuse;

/// A system, and the typed path of its results.
#[derive(Debug, Clone)]
pub(super) struct GivenRun {
    pub(super) name: String,
    pub(super) file: String,
}

/// Returns a file's name without the ending of a file of results; `None` if it has no such ending.
fn results_stem(name: &str) -> Option<&str> {
    const ENDINGS: [&str; 11] = [
        ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".run", ".trec", ".txt", ".res", ".results",
    ];
    let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    let stem = ENDINGS.iter().find_map(|ending| plain.strip_suffix(ending))?;
    (!stem.is_empty() && !stem.starts_with('.')).then_some(stem)
}

/// Returns the systems in the files of a folder, each file's under its own name.
pub(super) fn runs_of_folder(folder: &Path, columns: &Columns) -> Result<Vec<GivenRun>> {
    let mut files = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // A link could lead to a file that nobody named.
        if let Some(stem) = results_stem(&name).filter(|_| entry.file_type().is_ok_and(|kind| kind.is_file()))
        {
            files.push(GivenRun { name: stem.replace('=', "-"), file: entry.path().display().to_string() });
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    if files.is_empty() {
        bail!("{}: there is no file of results in it", folder.display());
    }
    Ok(files.into_iter().flat_map(|run| systems_of(run, columns, Path::to_owned)).collect())
}

/// Returns the queries that the results of a folder name by their texts.
pub(super) fn queries_of_results(folder: &Path, runs: &[GivenRun], columns: &Columns) -> Result<Topics> {
    let mut topics = Topics::default();
    for run in runs {
        add_result_queries(&run.file, columns, &mut topics)?;
    }
    // One word each is more likely an identifier than a query.
    if topics.iter().all(|topic| !topic.text.contains(char::is_whitespace)) {
        bail!(
            "{}: the results name no queries by their texts. Name the file of the queries, as in --topics queries.csv",
            folder.display()
        );
    }
    Ok(topics)
}

/// Parses `NAME=FILE`, or a file that is named by its stem; with the results of several systems, each of them.
pub(super) fn runs_of(run: &str, dir: &Path, columns: &Columns) -> Result<Vec<GivenRun>> {
    let (name, file) = named_run(run)?;
    let given = GivenRun { name, file };
    if run.contains('=') {
        return Ok(vec![given]);
    }
    Ok(systems_of(given, columns, |file| place(dir, &file.to_string_lossy())))
}

/// Returns the systems of a file under their own names, if it has several.
fn systems_of(run: GivenRun, columns: &Columns, place: impl Fn(&Path) -> PathBuf) -> Vec<GivenRun> {
    let options = ReadRunOptions { columns: columns.clone(), ..ReadRunOptions::default() };
    match read_run(place(Path::new(&run.file)), &options) {
        Err(DataError::Systems { systems, .. }) => {
            systems.into_iter().map(|name| GivenRun { name, file: run.file.clone() }).collect()
        }
        // Anything else that is wrong is an error of the check of all files.
        _ => vec![run],
    }
}

/// Parses `NAME=FILE`, or a file that is named by its stem.
fn named_run(run: &str) -> Result<(String, String)> {
    if let Some((name, file)) = run.split_once('=') {
        return Ok((name.to_owned(), file.to_owned()));
    }
    let file = run.rsplit('/').next().unwrap_or(run);
    let stem = file.split('.').next().filter(|stem| !stem.is_empty());
    match stem {
        Some(stem) => Ok((stem.to_owned(), run.to_owned())),
        None => refuse!("--run {run}: write it as NAME=FILE"),
    }
}
