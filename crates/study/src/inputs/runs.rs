//! Reads every system's results.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use llull_candidates::fused_run;
use llull_config::{Settings, Source, SystemSettings, SystemSource};
use llull_core::{Identifiers, Qrels, Run, Topics};
use llull_files::{RunForm, depth_needed, read_system};
use llull_metrics::Measure;

use super::live_results::live_results;
use super::reading::Reading;
use super::retrieved_runs::{RetrievedRun, retrieved_runs, save_unkeyed};
use crate::error::StudyError;
use crate::inputs::error::InputError;
use crate::part::{InPart, Part, PartError};
use crate::study_config::StudyConfig;

/// The rank down to which measures and gates look; `None` if one looks at whole lists.
pub(crate) fn depth_looked_at(settings: &Settings) -> Option<usize> {
    let of_gates = settings.gates.iter().filter_map(|gate| gate.measure().parse().ok());
    let all: Vec<Measure> = settings.measures.iter().cloned().chain(of_gates).collect();
    depth_needed(&all)
}

/// Returns every system's results, in the order of the configuration. Queries that are not the study's are left out.
pub(super) fn runs(
    config: StudyConfig<'_>,
    topics: &Topics,
    reference: Option<&Qrels>,
    reading: &mut Reading,
) -> Result<Vec<Run>, PartError> {
    let StudyConfig { settings, folder } = config;
    let dropped = reference.map_or(0, Qrels::most_dropped);
    let looked_at = depth_looked_at(settings).map(|depth| (depth + dropped).max(settings.pool_depth));
    let retrieved = retrieved_runs(config, topics)?;
    let mut runs: Vec<Option<Run>> = Vec::with_capacity(settings.systems.len());
    for (system, retrieved) in settings.systems.iter().zip(retrieved) {
        // Parts of a fusion are fused whole, whatever the depth of the measures.
        let depth = if is_joined(settings, &system.name) { None } else { looked_at };
        let part = || Part::System(system.name.clone());
        let role = format!("run {}", system.name);
        let (mut run, file) = match (&system.source, retrieved) {
            (SystemSource::Run { run: Source::File(path), third, order }, _) => {
                let file = folder.existing(path, &role).in_part(part)?;
                reading.hashed(&role, path.display(), &file).in_part(part)?;
                let form = RunForm {
                    third: *third,
                    order: *order,
                    columns: settings.columns.clone(),
                    queries: Some(Arc::new(topics.clone())),
                    ..RunForm::default()
                };
                let read = read_system(&file, &system.name, depth, form).in_part(part)?;
                reading.remark(part, read.notes);
                (read.value, Some(file))
            }
            (SystemSource::Run { run: Source::Memory(run), .. }, _) => (named(run, &system.name), None),
            (SystemSource::Live(source), _) => {
                let read = live_results((&system.name, source), config, topics).in_part(part)?;
                let name = read.file.strip_prefix(folder.dir()).unwrap_or(&read.file).display().to_string();
                reading.hashed(&role, name, &read.file).in_part(part)?;
                reading.remark(part, read.remarks(&system.name));
                reading.outdated.extend(read.outdated.then(|| system.name.clone()));
                reading.retrieval.extend(read.asked.figures().map(|found| (system.name.clone(), found)));
                (read.run, Some(read.file))
            }
            (_, Some(RetrievedRun::File(file))) => {
                let name = file.strip_prefix(folder.dir()).unwrap_or(&file).display().to_string();
                reading.hashed(&role, name, &file).in_part(part)?;
                let read = read_system(&file, &system.name, depth, RunForm::default()).in_part(part)?;
                reading.remark(part, read.notes);
                (read.value, Some(file))
            }
            (_, Some(RetrievedRun::Run(all))) => {
                reading.remark(part, all.remark());
                (named(&all.run, &system.name), None)
            }
            (_, None) => {
                runs.push(None);
                continue;
            }
        };
        let names = Names { run: &system.name, file: file.as_deref(), topics: topics_name(config) };
        let note = only_known_queries(&mut run, &names, topics).in_part(part)?;
        reading.remark(part, note);
        runs.push(Some(run));
    }
    let hybrids: Vec<Option<Run>> = settings
        .systems
        .iter()
        .map(|system| hybrid(system, &runs, topics, settings.retrieve_depth))
        .collect();
    Ok(runs.into_iter().zip(hybrids).filter_map(|(run, hybrid)| run.or(hybrid)).collect())
}

/// Writes the run of every hybrid to llull's own files, for other programs; llull itself fuses them again. Returns them
/// with these files.
///
/// # Errors
/// Returns an error if a system's results cannot be read, or a run cannot be written.
pub(crate) fn write_hybrids(
    config: StudyConfig<'_>,
    topics: &Topics,
) -> Result<Vec<(Run, PathBuf)>, PartError> {
    let is_hybrid = |name: &str| {
        let of_name = config.settings.systems.iter().find(|system| system.name == name);
        of_name.is_some_and(|system| matches!(system.source, SystemSource::Hybrid { .. }))
    };
    if !config.settings.systems.iter().any(|system| is_hybrid(&system.name)) {
        return Ok(Vec::new());
    }
    let runs = runs(config, topics, None, &mut Reading::default())?;
    let hybrids = runs.into_iter().filter(|run| is_hybrid(&run.name));
    let write = |run: Run| {
        let part = || Part::System(run.name.clone());
        let file = save_unkeyed(&run, config.folder).in_part(part)?;
        Ok((run, file))
    };
    hybrids.map(write).collect()
}

/// Whether this system is a part of a hybrid.
fn is_joined(settings: &Settings, name: &str) -> bool {
    settings.systems.iter().any(|system| match &system.source {
        SystemSource::Hybrid { of } => of.iter().any(|part| part == name),
        _ => false,
    })
}

/// Returns the run of a hybrid; `None` for another system.
fn hybrid(system: &SystemSettings, runs: &[Option<Run>], topics: &Topics, depth: usize) -> Option<Run> {
    let SystemSource::Hybrid { of } = &system.source else { return None };
    let parts = of.iter().filter_map(|part| runs.iter().flatten().find(|run| run.name == *part));
    Some(fused_run(&system.name, &parts.collect::<Vec<_>>(), topics, depth))
}

fn named(run: &Run, name: &str) -> Run {
    let mut run = run.clone();
    name.clone_into(&mut run.name);
    run
}

fn topics_name(config: StudyConfig<'_>) -> String {
    match config.settings.topics.path() {
        Some(path) => config.folder.path(path).display().to_string(),
        None => "the topics".to_owned(),
    }
}

/// The names of the inputs in messages.
struct Names<'a> {
    run: &'a str,
    file: Option<&'a Path>,
    topics: String,
}

/// Drops queries that are not the study's. A run that answers none of them is an error: its identifiers are different.
fn only_known_queries(
    run: &mut Run,
    names: &Names<'_>,
    topics: &Topics,
) -> Result<Option<String>, StudyError> {
    let shared = Identifiers::of_queries(names.run, run.iter().map(|(query, _)| query))
        .check_overlap(&Identifiers::of_queries(&names.topics, topics.iter().map(|topic| topic.id.as_str())));
    let unknown: Vec<String> = run
        .iter()
        .map(|(topic, _)| topic)
        .filter(|topic| topics.get(topic).is_none())
        .map(str::to_owned)
        .collect();
    let Some(first) = unknown.first() else { return Ok(None) };
    let line = names.file.and_then(|file| llull_data::locate(file, first, None));
    let file = names.file.map_or_else(|| format!("run {}", names.run), |file| file.display().to_string());
    let at = line.map_or(String::new(), |line| format!(" line {line}"));
    let few = match shared {
        Err(nothing) => {
            return Err(StudyError::Inputs(InputError::Problem(format!(
                "{file}{at}: query {first:?} is not in {}, nor is any other query of this run. {}",
                names.topics,
                nothing.details()
            ))));
        }
        Ok(few) => few.map_or_else(String::new, |few| format!(". {few}")),
    };
    let note = format!(
        "{file}{at}: query {first:?} is not in {}{}; left out. Add its text there to have it judged{few}",
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
