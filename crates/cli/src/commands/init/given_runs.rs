//! The results of systems that a new study is given.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use llull::core::Topics;
use llull::data::{Columns, DataError, ReadRunOptions, add_result_queries, read_run, system_of_file};

use super::place;
use crate::exit::refuse;
use crate::printer::Printer;

/// The most files of a folder that a note names.
const MOST_NAMED: usize = 10;

/// A system, and the typed path of its results.
#[derive(Debug, Clone)]
pub(super) struct GivenRun {
    pub(super) name: String,
    pub(super) file: String,
}

/// Returns the system that a file is named after; `None` if its name does not end as those of results do.
fn system_of_results(name: &str) -> Option<String> {
    let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    let system = system_of_file(Path::new(plain));
    (system != plain && !system.starts_with('.')).then_some(system)
}

/// Returns the systems in the files of a folder, each file's under its own name. A note names the files that are left
/// out.
pub(super) fn runs_of_folder(folder: &Path, columns: &Columns, printer: Printer) -> Result<Vec<GivenRun>> {
    let (mut files, mut others) = (Vec::new(), Vec::new());
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // A link could lead to a file that nobody named.
        if let Some(system) =
            system_of_results(&name).filter(|_| entry.file_type().is_ok_and(|kind| kind.is_file()))
        {
            files.push(GivenRun { name: system.replace('=', "-"), file: entry.path().display().to_string() });
        } else if !name.starts_with('.') {
            others.push(name);
        }
    }
    others.sort();
    if !others.is_empty() {
        let more = others.len().saturating_sub(MOST_NAMED);
        others.truncate(MOST_NAMED);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        printer.note(format!(
            "{}: not read, for results end in .csv, .json, .run and the like: {}{more}",
            folder.display(),
            others.join(", ")
        ));
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

/// Parses `NAME=FILE`, or a file that the system is named after.
fn named_run(run: &str) -> Result<(String, String)> {
    if let Some((name, file)) = run.split_once('=') {
        return Ok((name.to_owned(), file.to_owned()));
    }
    match system_of_file(Path::new(run)) {
        system if system.is_empty() || system.starts_with(['.', '/']) => {
            refuse!("--run {run}: write it as NAME=FILE")
        }
        system => Ok((system, run.to_owned())),
    }
}
