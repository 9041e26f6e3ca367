//! Makes and saves the runs of the study's own retrievers.
//!
//! All indexes are built from one pass over the corpus. A run is saved until an input changes.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use llull_candidates::{RetrievedAll, Retriever, retrieve_all};
use llull_config::{Folder, SavedFile, SystemSettings, SystemSource, hash_file, is_read_only};
use llull_core::{Document, Hash, KeyBuilder, Run, Topics};
use llull_data::{CorpusFields, DataError, corpus_files, write_run};

use super::corpus::Corpus;
use super::index_building::{Building, builder};
use crate::error::StudyError;
use crate::inputs::retrieval_error::RetrievalError;
use crate::part::{InPart, Part, PartError};
use crate::study_config::StudyConfig;

/// The run of a system that llull retrieves itself.
#[derive(Debug, Clone)]
pub enum RetrievedRun {
    /// The file of the saved run.
    File(PathBuf),
    /// The run itself, which is not saved: topics, corpus or retriever are in memory, or the folder is read-only.
    Run(Arc<RetrievedAll>),
}

/// A system whose run is missing or outdated.
struct Stale<'a> {
    place: usize,
    system: &'a SystemSettings,
    /// The file of the run, with the key of its inputs.
    saved: Option<(SavedFile<'a>, Hash)>,
}

/// Returns the run of every system that llull retrieves itself, in the order of the systems; `None` for the others. A
/// run is made again if corpus, topics or the system's settings have changed. In a read-only folder it is made each
/// time.
///
/// # Errors
/// Returns an error if the corpus cannot be read, a retriever fails, or a run cannot be written.
pub(crate) fn retrieved_runs(
    config: StudyConfig<'_>,
    topics: &Topics,
) -> Result<Vec<Option<RetrievedRun>>, PartError> {
    let StudyConfig { settings, folder } = config;
    let mut runs = vec![None; settings.systems.len()];
    let mut stale = Vec::new();
    for (place, system) in settings.systems.iter().enumerate() {
        match &system.source {
            SystemSource::Run { .. } | SystemSource::Live(_) | SystemSource::Hybrid { .. } => {}
            SystemSource::Dense { .. } => {
                let part = || Part::System(system.name.clone());
                runs[place] = Some(RetrievedRun::File(encoded_file(config, system).in_part(part)?));
            }
            SystemSource::Custom(_) => stale.push(Stale { place, system, saved: None }),
            SystemSource::Retriever { .. } => {
                let part = || Part::System(system.name.clone());
                let saved = saved_run(folder, &system.name);
                match key_of(config, system).in_part(|| Part::Corpus)? {
                    Some(key) if saved.is_of(key).in_part(part)? => {
                        runs[place] = Some(RetrievedRun::File(saved.path().in_part(part)?));
                    }
                    key => stale.push(Stale { place, system, saved: key.map(|key| (saved, key)) }),
                }
            }
        }
    }
    for (stale, retriever) in stale.iter().zip(retrievers(config, &stale)?) {
        let part = || Part::System(stale.system.name.clone());
        let all = retrieve_all(&*retriever, topics, settings.retrieve_depth).in_part(part)?;
        runs[stale.place] = Some(match &stale.saved {
            None => RetrievedRun::Run(Arc::new(all)),
            Some((saved, key)) => match save(&all.run, saved, *key) {
                Ok(()) => RetrievedRun::File(saved.path().in_part(part)?),
                Err(StudyError::Data(error)) if is_read_only(&error) => RetrievedRun::Run(Arc::new(all)),
                Err(error) => return Err(error).in_part(part),
            },
        });
    }
    Ok(runs)
}

/// Returns the file of a dense system's run, which `llull pool --retrieve` made.
fn encoded_file(config: StudyConfig<'_>, system: &SystemSettings) -> Result<PathBuf, StudyError> {
    let file = saved_run(config.folder, &system.name).path()?;
    match (file.is_file(), is_current(config, system)?) {
        (false, _) => Err(RetrievalError::NotRetrieved(system.name.clone()).into()),
        (true, false) => Err(RetrievalError::Problem(format!(
            "the results of system {} are of another corpus, other queries, another depth or other settings than the \
             study's; llull pool --retrieve gets them anew, as llull run does",
            system.name
        ))
        .into()),
        (true, true) => Ok(file),
    }
}

/// Returns whether a system's run is saved under the key of the present inputs.
pub(super) fn is_current(config: StudyConfig<'_>, system: &SystemSettings) -> Result<bool, StudyError> {
    match key_of(config, system)? {
        Some(key) => Ok(saved_run(config.folder, &system.name).is_of(key)?),
        None => Ok(false),
    }
}

/// Saves a run under the key of its inputs.
pub(super) fn save(run: &Run, saved: &SavedFile<'_>, key: Hash) -> Result<(), StudyError> {
    let mut output = saved.create()?;
    write_run(run, &mut output)?;
    Ok(saved.save(output, key)?)
}

pub(super) fn saved_run<'a>(folder: &'a Folder, system: &str) -> SavedFile<'a> {
    SavedFile::new(folder, run_file(system))
}

/// Saves a run without a key, and returns its path.
pub(super) fn save_unkeyed(run: &Run, folder: &Folder) -> Result<PathBuf, DataError> {
    let saved = saved_run(folder, &run.name);
    let mut output = saved.create()?;
    write_run(run, &mut output)?;
    saved.put(output)
}

/// Returns the key of a run's inputs; `None` if an input is in memory, so that the run is not saved. The corpus counts
/// by its path from the folder, its size and its time of change, so that it is not read twice.
pub(super) fn key_of(config: StudyConfig<'_>, system: &SystemSettings) -> Result<Option<Hash>, StudyError> {
    let StudyConfig { settings, folder } = config;
    let (Corpus::File(corpus, fields), Some(topics), true) =
        (Corpus::of(config)?, settings.topics.path(), folder.keeps())
    else {
        return Ok(None);
    };
    let files = corpus_files(&corpus)?;
    let corpus = corpus.strip_prefix(folder.dir()).unwrap_or(&corpus);
    let topics = hash_file(&folder.existing(topics, "topics")?)?;
    let mut key = KeyBuilder::new("llull retrieved run").text("corpus", &corpus.to_string_lossy());
    for file in files {
        let metadata = fs_err::metadata(file)?;
        let changed = metadata.modified()?.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        key = key.number("bytes", metadata.len()).text("changed", &changed.to_string());
    }
    let key = key.part("topics", &topics.0).number("depth", settings.retrieve_depth as u64);
    let CorpusFields { id, title, text, ignore: _, passage_tokens, columns } = &fields;
    let fields = [("id", id.as_slice()), ("title", title.as_slice()), ("text", text.as_slice())];
    let key = fields.into_iter().fold(key, |key, (part, names)| {
        names.iter().fold(key.number(part, names.len() as u64), |key, name| key.text("name", name))
    });
    let key = passage_tokens.iter().fold(key, |key, tokens| key.number("passage tokens", u64::from(*tokens)));
    let key = if columns.is_empty() { key } else { key.text("columns", &columns.to_string()) };
    Ok(system.source.meaning(key).map(KeyBuilder::finish))
}

/// Returns the retrievers of these systems. All indexes are built from one pass over the corpus.
fn retrievers(config: StudyConfig<'_>, systems: &[Stale<'_>]) -> Result<Vec<Arc<dyn Retriever>>, PartError> {
    let mut building: Vec<Option<Building>> = systems
        .iter()
        .map(|stale| builder(stale.system).in_part(|| Part::System(stale.system.name.clone())))
        .collect::<Result<_, _>>()?;
    if building.iter().any(Option::is_some) {
        let mut add = |document: &Document| -> Result<(), StudyError> {
            Ok(building.iter_mut().flatten().try_for_each(|index| index.add(document))?)
        };
        let corpus = Corpus::of(config).and_then(|corpus| corpus.for_each(&mut add));
        corpus.in_part(|| Part::Corpus)?;
    }
    let built =
        building.into_iter().zip(systems).filter_map(|(index, stale)| match (index, &stale.system.source) {
            (Some(index), _) => {
                let built = index.build().map_err(StudyError::from);
                Some(built.in_part(|| Part::System(stale.system.name.clone())))
            }
            (None, SystemSource::Custom(custom)) => Some(Ok(Arc::clone(&custom.0))),
            (None, _) => None,
        });
    built.collect()
}

fn run_file(system: &str) -> String {
    format!("runs/{system}.run")
}
