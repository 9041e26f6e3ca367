//! The sources of a report's figures: files, judges, settings.

use std::collections::BTreeMap;

use llull_config::{FILE_NAME, Settings};
use llull_core::{Document, Hash, KeyBuilder, Topic};
use llull_report::{Fingerprint, Input, ProvenanceSection, Setting, TextHash};
use llull_runner::{JudgeEvidence, Workload};

use super::judge_record::JudgeRecord;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::{HashedInput, Inputs};

/// Returns the sources of the figures.
pub(super) fn provenance(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    records: &[JudgeRecord<'_>],
) -> ProvenanceSection {
    let of_file = |input: &HashedInput| Input {
        role: input.role.clone(),
        name: input.name.clone(),
        hash: input.hash.to_string(),
    };
    let mut files: Vec<Input> = inputs.inputs.iter().map(of_file).collect();
    files.push(Input {
        role: "pooled texts".into(),
        name: settings.corpus.as_ref().map_or_else(|| "none".into(), ToString::to_string),
        hash: texts_hash(&evidence.pooled),
    });
    let setting = |name: &str, value: String| Setting { name: name.into(), value };
    let cut = evidence.corpus_folder.as_ref().map(|cut| setting("files of the corpus", cut.to_string()));
    ProvenanceSection {
        llull: env!("CARGO_PKG_VERSION").into(),
        pool_depth: (!settings.pool_of_reference).then_some(settings.pool_depth),
        inputs: files,
        texts: text_hashes(&evidence.pooled),
        judges: records.iter().map(|record| fingerprint(record.evidence)).collect(),
        settings: [
            setting("seed", settings.seed.to_string()),
            setting("confidence", settings.compare.confidence.to_string()),
            setting("resamples", settings.compare.resamples.to_string()),
            setting("queries without a label", "left out of every mean".into()),
            setting("queries that a system does not answer", "count as 0".into()),
            setting("documents without a label", "count as not relevant".into()),
            setting("ties in a run", "score descending, then document id descending".into()),
        ]
        .into_iter()
        .chain(cut)
        .collect(),
    }
}

/// Returns the fingerprint of a judge.
pub(crate) fn fingerprint(judge: &JudgeEvidence) -> Fingerprint {
    let spec = judge.spec();
    Fingerprint {
        judge: judge.name().into(),
        fingerprint: spec.fingerprint().to_string(),
        prompt: spec.prompt_hash.to_string(),
        rubric: spec.rubric_hash.to_string(),
    }
}

fn texts_hash(pooled: &Workload) -> String {
    let mut key = KeyBuilder::new("llull pooled texts v1");
    for document in pooled.documents() {
        key = key.text("id", document.id());
        if let Some(document) = document.document() {
            key = key.text("title", &document.title).text("text", &document.text);
        }
    }
    key.finish().to_string()
}

/// The number of texts that a report identifies by hash.
const TEXTS: usize = 32;

/// The pooled documents of the lowest hashes, with the hashes of their texts: two pools of one corpus have most of
/// these in common, as in the bottom-k sketch of Broder, "On the resemblance and containment of documents" (1997).
fn text_hashes(pooled: &Workload) -> Vec<TextHash> {
    let mut lowest = BTreeMap::new();
    for pooled in pooled.documents() {
        let Some(document) = pooled.document() else { continue };
        let id = half(Hash::of(document.id.as_bytes()));
        let is_low = lowest.len() < TEXTS || lowest.last_key_value().is_some_and(|(last, _)| id < *last);
        if is_low {
            lowest.insert(id, text_hash(document));
        }
        if lowest.len() > TEXTS {
            lowest.pop_last();
        }
    }
    lowest.into_iter().map(|(document, text)| TextHash { document, text }).collect()
}

fn half(hash: Hash) -> String {
    hash.to_string().chars().take(16).collect()
}

/// Returns half of the hash of a document's text.
pub(crate) fn text_hash(document: &Document) -> String {
    let key = KeyBuilder::new("llull text v1").text("title", &document.title);
    half(key.text("text", &document.text).finish())
}

/// Returns half of the hash of a query's text.
pub(crate) fn query_hash(topic: &Topic) -> String {
    half(Hash::of(topic.text.as_bytes()))
}

/// Returns the resolved configuration as TOML, with the hashes of all inputs.
///
/// # Errors
/// Returns an error if it cannot be written as TOML.
pub(crate) fn resolved(settings: &Settings, inputs: &Inputs) -> Result<String, StudyError> {
    #[derive(serde::Serialize)]
    struct Resolved<'a> {
        llull: &'a str,
        #[serde(flatten)]
        settings: &'a Settings,
        inputs: &'a [HashedInput],
    }
    let resolved = Resolved { llull: env!("CARGO_PKG_VERSION"), settings, inputs: &inputs.inputs };
    let text = toml::to_string(&resolved).map_err(|error| {
        StudyError::Problem(format!("the resolved configuration cannot be written: {error}"))
    })?;
    Ok(format!(
        "# What llull made of {FILE_NAME}, the environment and the command line; hashes are blake3.\n{text}"
    ))
}
