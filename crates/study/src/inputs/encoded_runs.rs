//! Runs of dense systems: made when judges are asked or retrieval is, and kept until something changes.

use llull_candidates::{DenseError, DenseIndex};
use llull_config::{Folder, Settings, SystemSettings, SystemSource};
use llull_core::{Document, Run, Topic, Topics};
use llull_encoder::Encoder;

use super::corpus::Corpus;
use super::index_building::searched;
use super::retrieved_runs::{is_current, key_of, save, saved_run};
use crate::error::StudyError;
use crate::inputs::retrieval_error::RetrievalError;
use crate::saved::saved_vectors;

/// Returns the dense systems whose runs are not kept, or are of something else by now, each with its encoder.
///
/// # Errors
/// Returns an error if what is kept cannot be read, or the study keeps nothing.
pub(crate) fn dense_to_retrieve<'a>(
    settings: &'a Settings,
    folder: &Folder,
) -> Result<Vec<(&'a SystemSettings, &'a str)>, StudyError> {
    let mut found = Vec::new();
    for system in &settings.systems {
        let SystemSource::Dense { encoder, .. } = &system.source else { continue };
        if !is_current(settings, folder, system)? {
            found.push((system, encoder.as_str()));
        }
    }
    Ok(found)
}

/// Encodes the corpus, as far as it has no vectors yet, and the queries, searches, and keeps the run.
///
/// # Errors
/// Returns an error if the corpus cannot be read, texts cannot be encoded, or the run cannot be kept. The vectors that
/// were made are kept.
pub(crate) fn retrieve_dense(
    system: &SystemSettings,
    encoder: &dyn Encoder,
    (settings, folder): (&Settings, &Folder),
    topics: &Topics,
    encoded: &mut dyn FnMut(usize),
) -> Result<(), StudyError> {
    let SystemSource::Dense { fields, .. } = &system.source else { return Ok(()) };
    let wrong =
        |source: DenseError| StudyError::from(RetrievalError::Dense { system: system.name.clone(), source });
    // The key is computed before the corpus is read: a corpus that changes meanwhile makes the run outdated.
    let key = key_of(settings, folder, system)?;
    let key = key.ok_or_else(|| RetrievalError::NotRetrieved(system.name.clone()))?;
    let vectors = saved_vectors(folder, encoder.name())?;
    let mut index = DenseIndex::new(encoder, vectors, searched(fields), encoded);
    let mut add = |document: &Document| -> Result<(), StudyError> { index.add(document).map_err(wrong) };
    Corpus::of(settings, folder)?.for_each(&mut add)?;
    let asked: Vec<&Topic> = topics.iter().collect();
    let rankings = index.retrieve(&asked, settings.retrieve_depth).map_err(wrong)?;
    let mut run = Run::new(&system.name);
    for (topic, ranking) in topics.iter().zip(rankings) {
        run.insert(topic.id.as_str(), ranking);
    }
    save(&run, &saved_run(folder, &system.name), key)
}
