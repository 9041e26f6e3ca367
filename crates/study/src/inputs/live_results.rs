//! Reads the saved results of live systems.
//!
//! Live systems are programs of the user's own and servers. Their results have texts and times, are saved until the
//! next retrieval, and have one form.

use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use llull_config::{Folder, LiveSource, SavedFile, Settings};
use llull_core::{Document, Hash, KeyBuilder, Ranking, Run, Topics};
use llull_data::{Conflict, DataError, QueryResults, read_results};
use llull_files::{RetrievalTally, RunForm, WithNotes, read_system};
use rustc_hash::FxBuildHasher;

use crate::error::StudyError;
use crate::inputs::retrieval_error::RetrievalError;
use crate::study_config::StudyConfig;

/// The results of a live system.
#[derive(Debug, Clone, Default)]
pub struct LiveResults {
    /// Their file.
    pub file: PathBuf,
    /// The results.
    pub run: Run,
    /// The queries that it could not answer, with the reasons.
    pub failed: Vec<(String, String)>,
    /// Times, prices and failures of the queries.
    pub asked: RetrievalTally,
    /// Whether the source, the queries or the depth have changed since.
    pub outdated: bool,
    /// Notes about the file.
    pub notes: Vec<String>,
}

impl LiveResults {
    /// Checks that judges' labels of the results can be written, before any cost.
    ///
    /// # Errors
    /// Returns an error that names an identifier with white space, or with a control character.
    pub(crate) fn check_identifiers(&self, system: &str) -> Result<(), StudyError> {
        let wrong = |error| RetrievalError::Identifier { system: system.to_owned(), source: Box::new(error) };
        Ok(llull_data::check_identifiers(&self.run).map_err(wrong)?)
    }

    /// Returns notes about the results.
    pub(crate) fn remarks(&self, system: &str) -> Vec<String> {
        let mut remarks = self.notes.clone();
        if let Some((query, why)) = self.failed.first() {
            remarks.push(format!(
                "{} of {system}'s queries failed and count as unanswered: {query:?} ({why}){}; llull pool \
                 --refresh asks again",
                self.failed.len(),
                if self.failed.len() > 1 { ", ..." } else { "" }
            ));
        }
        if self.outdated {
            remarks.push(format!(
                "the results of {system} were retrieved with other settings, for other queries or to another depth; \
                 llull pool --retrieve asks again"
            ));
        }
        remarks
    }
}

/// Returns whether a system's results are saved, and are those of this source for these queries.
///
/// # Errors
/// Returns an error if a link leads to the saved results, or they cannot be read.
pub(crate) fn are_kept(
    (system, source): (&str, &LiveSource),
    config: StudyConfig<'_>,
    topics: &Topics,
) -> Result<bool, StudyError> {
    Ok(saved(config.folder, system).is_of(key(source, config.settings, topics))?)
}

/// Returns the results of a live system.
///
/// # Errors
/// Returns an error if it was not queried yet, or if the saved results cannot be read.
pub(crate) fn live_results(
    (system, source): (&str, &LiveSource),
    config: StudyConfig<'_>,
    topics: &Topics,
) -> Result<LiveResults, StudyError> {
    let file = kept_file(config.folder, system)?;
    if !file.is_file() {
        return Err(RetrievalError::NotRetrieved(system.to_owned()).into());
    }
    let outdated = !are_kept((system, source), config, topics)?;
    Ok(LiveResults { outdated, ..read(&file, system)? })
}

/// Adds the missing texts of wanted documents from a system's results. Returns the number of texts that differ from
/// existing ones.
///
/// # Errors
/// Returns an error if the saved results cannot be read.
pub(crate) fn texts_of_results(
    system: &str,
    folder: &Folder,
    wanted: impl Fn(&str) -> bool,
    texts: &mut IndexMap<String, Document, FxBuildHasher>,
) -> Result<usize, StudyError> {
    let file = kept_file(folder, system)?;
    let mut others = 0;
    if file.is_file() && is_json(&file)? {
        read_results(&file, None, |query| {
            for found in query.results {
                let document = found.document;
                if document.is_blank() || !wanted(&document.id) {
                    continue;
                }
                match texts.get(&document.id) {
                    Some(known) => others += usize::from(!known.agrees_with(&document)),
                    None => drop(texts.insert(document.id.clone(), document)),
                }
            }
            Ok(())
        })?;
    }
    Ok(others)
}

pub(super) fn read(file: &Path, system: &str) -> Result<LiveResults, StudyError> {
    let mut results = LiveResults { file: file.to_owned(), ..LiveResults::default() };
    if !is_json(file)? {
        let WithNotes { value, notes } = read_system(file, system, None, RunForm::default())?;
        (results.run, results.notes) = (value, notes);
        return Ok(results);
    }
    results.run = Run::new(system);
    let mut lines: IndexMap<String, u64, FxBuildHasher> = IndexMap::default();
    read_results(file, None, |query| {
        results.asked.record(&query);
        let QueryResults { query, results: found, failed, line, .. } = query;
        if let Some(first) = lines.insert(query.clone(), line) {
            return Err(DataError::from(Conflict {
                file: file.display().to_string(),
                first: Some(first.into()),
                second: line.into(),
                what: format!("both answer query {query}"),
                remedy: "Print one line for each query".into(),
            }));
        }
        match failed {
            Some(why) => results.failed.push((query, why)),
            None => {
                let scored = found.iter().map(|found| (found.document.id.as_str(), found.score));
                results.run.insert(query, Ranking::from_scored(scored));
            }
        }
        Ok(())
    })?;
    Ok(results)
}

/// Whether a file has JSON lines, rather than a TREC run.
fn is_json(file: &Path) -> Result<bool, StudyError> {
    let mut reader = std::io::BufReader::new(llull_data::open_file(file)?);
    loop {
        let read = reader.fill_buf()?;
        match read.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(first) => return Ok(*first == b'{'),
            None if read.is_empty() => return Ok(true),
            None => {
                let length = read.len();
                reader.consume(length);
            }
        }
    }
}

/// The key of the inputs of results.
pub(super) fn key(source: &LiveSource, settings: &Settings, topics: &Topics) -> Hash {
    let key = KeyBuilder::new("llull live results").number("depth", settings.retrieve_depth as u64);
    let mut key = source.meaning(key);
    for topic in topics.iter() {
        key = key.text("query", &topic.id).text("text", &topic.text);
    }
    key.finish()
}

/// Returns the file of a system's saved results.
///
/// # Errors
/// Returns an error if a link leads to it.
pub(crate) fn kept_file(folder: &Folder, system: &str) -> Result<PathBuf, StudyError> {
    Ok(saved(folder, system).path()?)
}

pub(super) fn saved<'a>(folder: &'a Folder, system: &str) -> SavedFile<'a> {
    SavedFile::new(folder, format!("runs/{system}.results"))
}
