//! Every system's results.

use std::path::Path;
use std::sync::Arc;

use llull_core::{Run, Topics};

use super::command_results::command_results;
use super::reading::Reading;
use super::retrieved_runs::{RetrievedRun, retrieved_runs};
use crate::config::{Settings, Source, SystemSource};
use crate::error::StudyError;
use crate::files::{RunForm, depth_needed, read_system};
use crate::folder::Folder;
use crate::part::{InPart, Part, PartError};

/// Returns every system's results, in the order of the configuration. Queries that are not the study's are left out.
pub(super) fn runs(
    settings: &Settings,
    folder: &Folder,
    topics: &Topics,
    reading: &mut Reading,
) -> Result<Vec<Run>, PartError> {
    let depth = depth_needed(&settings.measures).map(|depth| depth.max(settings.pool_depth));
    let retrieved = retrieved_runs(settings, folder, topics)?;
    let mut runs = Vec::with_capacity(settings.systems.len());
    for (system, retrieved) in settings.systems.iter().zip(retrieved) {
        let part = || Part::System(system.name.clone());
        let role = format!("run {}", system.name);
        let (mut run, file) = match (&system.source, retrieved) {
            (SystemSource::Run { run: Source::File(path), third }, _) => {
                let file = folder.existing(path, &role).in_part(part)?;
                reading.hashed(&role, path.display(), &file).in_part(part)?;
                let form = RunForm { third: *third, ..RunForm::default() };
                let read = read_system(&file, &system.name, depth, form).in_part(part)?;
                reading.remark(part, read.notes);
                (read.value, Some(file))
            }
            (SystemSource::Run { run: Source::Memory(run), .. }, _) => (named(run, &system.name), None),
            (SystemSource::Command(command), _) => {
                let read =
                    command_results((&system.name, command), settings, folder, topics).in_part(part)?;
                let name = read.file.strip_prefix(folder.dir()).unwrap_or(&read.file).display().to_string();
                reading.hashed(&role, name, &read.file).in_part(part)?;
                reading.remark(part, read.remarks(&system.name));
                (read.run, Some(read.file))
            }
            (_, Some(RetrievedRun::File(file))) => {
                let name = file.strip_prefix(folder.dir()).unwrap_or(&file).display().to_string();
                reading.hashed(&role, name, &file).in_part(part)?;
                let read = read_system(&file, &system.name, depth, RunForm::default()).in_part(part)?;
                reading.remark(part, read.notes);
                (read.value, Some(file))
            }
            (_, Some(RetrievedRun::Run(run))) => (named(&Arc::new(run), &system.name), None),
            (_, None) => continue,
        };
        let names = Names { run: &system.name, file: file.as_deref(), topics: topics_name(settings, folder) };
        let note = only_known_queries(&mut run, &names, topics).in_part(part)?;
        reading.remark(part, note);
        runs.push(run);
    }
    Ok(runs)
}

fn named(run: &Arc<Run>, name: &str) -> Run {
    let mut run = Run::clone(run);
    name.clone_into(&mut run.name);
    run
}

fn topics_name(settings: &Settings, folder: &Folder) -> String {
    match settings.topics.path() {
        Some(path) => folder.path(path).display().to_string(),
        None => "the topics".to_owned(),
    }
}

/// What things are called in messages.
struct Names<'a> {
    run: &'a str,
    file: Option<&'a Path>,
    topics: String,
}

/// Leaves out queries that are not among the study's. A run that answers none of them is an error: its identifiers are
/// others.
fn only_known_queries(
    run: &mut Run,
    names: &Names<'_>,
    topics: &Topics,
) -> Result<Option<String>, StudyError> {
    let unknown: Vec<String> = run
        .iter()
        .map(|(topic, _)| topic)
        .filter(|topic| topics.get(topic).is_none())
        .map(str::to_owned)
        .collect();
    let Some(first) = unknown.first() else { return Ok(None) };
    let line = names.file.and_then(|file| llull_data::locate(file, first, None));
    let file = names.file.map_or_else(|| format!("run {}", names.run), |file| file.display().to_string());
    if unknown.len() == run.len() {
        let (query, topics) = (first.clone(), names.topics.clone());
        return Err(StudyError::OtherQueries { run: file, line, query, topics });
    }
    let note = format!(
        "{file}{}: query {first:?} is not in {}{}; left out. Add its text there to have it judged",
        line.map_or(String::new(), |line| format!(" line {line}")),
        names.topics,
        match unknown.len() {
            1 => String::new(),
            2 => String::from(", nor is another of this run's queries"),
            n => format!(", nor are {} more of this run's queries", n - 1),
        },
    );
    run.retain(|topic| topics.get(topic).is_some());
    Ok(Some(note))
}
