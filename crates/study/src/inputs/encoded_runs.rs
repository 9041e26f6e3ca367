//! Makes and saves the runs of dense systems.
//!
//! A run is made when judging or retrieval starts, and is saved until an input changes.

use llull_candidates::{DenseError, DenseIndex};
use llull_config::{SystemSettings, SystemSource};
use llull_core::{Document, Run, Topic, Topics};
use llull_encoder::Encoder;

use super::corpus::Corpus;
use super::index_building::searched;
use super::retrieved_runs::{is_current, key_of, save, saved_run};
use crate::error::StudyError;
use crate::inputs::retrieval_error::RetrievalError;
use crate::saved::saved_vectors;
use crate::study_config::StudyConfig;

/// Returns the dense systems without a current saved run, each with its encoder.
///
/// # Errors
/// Returns an error if a saved run cannot be read, or the study saves nothing.
pub(crate) fn dense_to_retrieve<'a>(
    config: StudyConfig<'a>,
) -> Result<Vec<(&'a SystemSettings, &'a str)>, StudyError> {
    let mut found = Vec::new();
    for system in &config.settings.systems {
        let SystemSource::Dense { encoder, .. } = &system.source else { continue };
        if !is_current(config, system)? {
            found.push((system, encoder.as_str()));
        }
    }
    Ok(found)
}

/// Encodes the queries and the documents without vectors, searches, and saves the run.
///
/// # Errors
/// Returns an error if the corpus cannot be read, texts cannot be encoded, or the run cannot be saved. New vectors are
/// saved nevertheless.
pub(crate) fn retrieve_dense(
    system: &SystemSettings,
    encoder: &dyn Encoder,
    config: StudyConfig<'_>,
    topics: &Topics,
    encoded: &mut dyn FnMut(usize),
) -> Result<(), StudyError> {
    let SystemSource::Dense { fields, .. } = &system.source else { return Ok(()) };
    let wrong =
        |source: DenseError| StudyError::from(RetrievalError::Dense { system: system.name.clone(), source });
    // The key is computed before the corpus is read: if the corpus changes meanwhile, the run is outdated.
    let key = key_of(config, system)?;
    let key = key.ok_or_else(|| RetrievalError::NotRetrieved(system.name.clone()))?;
    let vectors = saved_vectors(config.folder, encoder.name())?;
    let mut index = DenseIndex::new(encoder, vectors, searched(fields), encoded);
    let mut add = |document: &Document| -> Result<(), StudyError> { index.add(document).map_err(wrong) };
    Corpus::of(config)?.for_each(&mut add)?;
    let asked: Vec<&Topic> = topics.iter().collect();
    let rankings = index.retrieve(&asked, config.settings.retrieve_depth).map_err(wrong)?;
    let mut run = Run::new(&system.name);
    for (topic, ranking) in topics.iter().zip(rankings) {
        run.insert(topic.id.as_str(), ranking);
    }
    save(&run, &saved_run(config.folder, &system.name), key)
}
