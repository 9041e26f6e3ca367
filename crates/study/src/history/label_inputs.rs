//! What labels depend on, saved with them: texts, judges, and settings that are in no judge's fingerprint.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use llull_config::{BaseSettings, JudgeSettings, Settings};
use llull_core::Document;
use llull_report::Fingerprint;
use llull_runner::Workload;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use super::error::HistoryError;
use super::saved_inputs;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::reporting::{aggregation, fingerprint, of_fingerprints, query_hash, text_hash, threshold};
use crate::study_config::StudyConfig;

/// What labels depend on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LabelInputs {
    /// The hashes of queries' texts.
    pub(crate) queries: BTreeMap<String, String>,
    /// The hashes of documents' texts; without those whose text no judge needed.
    pub(crate) documents: BTreeMap<String, String>,
    /// The judges; empty in files of an earlier llull.
    #[serde(default)]
    pub(crate) judges: Vec<Fingerprint>,
    /// How a label is made, and what no fingerprint has, by name.
    #[serde(default)]
    settings: BTreeMap<String, String>,
    /// The judges that failed a check, even if checks were ignored.
    #[serde(default)]
    pub(crate) unreliable_judges: Vec<String>,
    /// Whether questions were open, so labels may lack the answers of some judges.
    #[serde(default)]
    pub(crate) is_open: bool,
}

impl LabelInputs {
    /// Those of a study's labels; its judges failed no check as far as this knows.
    pub(crate) fn of(settings: &Settings, evidence: &StudyEvidence) -> Self {
        let mut found = Self {
            judges: evidence.panel().map(fingerprint).collect(),
            settings: settings_of(settings, evidence),
            is_open: evidence.panel().any(|judge| judge.open() > 0),
            ..Self::default()
        };
        found.add_texts(&evidence.pooled);
        found
    }

    fn add_texts(&mut self, pooled: &Workload) {
        self.queries.extend(pooled.topics().iter().map(|topic| (topic.id.clone(), query_hash(topic))));
        let documents = pooled.documents().iter().filter_map(|pooled| pooled.document());
        self.documents.extend(documents.map(|found| (found.id.clone(), text_hash(found))));
    }

    /// Describes how judges and settings differ from these, a clause each.
    pub(crate) fn other_judges(&self, now: &Self) -> Vec<String> {
        let fingerprints =
            of_fingerprints(&self.judges, &now.judges, &[]).into_iter().map(|(_, clause)| clause);
        let mut clauses: Vec<String> = fingerprints.collect();
        for (name, value) in &now.settings {
            let then = self.settings.get(name).map_or("none", String::as_str);
            if then != value {
                clauses.push(format!("{name} is now {value}; it was {then}"));
            }
        }
        clauses
    }
}

fn settings_of(settings: &Settings, evidence: &StudyEvidence) -> BTreeMap<String, String> {
    let judges = settings.judges.iter().chain(&settings.graders);
    let of_judge = |judge: &JudgeSettings| {
        let shown = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
        [
            ("document_tokens", shown(judge.kind.document_tokens().map(|tokens| tokens.to_string()))),
            ("the threshold", shown(threshold(judge).map(|threshold| threshold.to_string()))),
        ]
        .map(|(name, value)| (format!("{name} of judge {}", judge.name), value))
    };
    let label = ("a label".to_owned(), aggregation(settings, evidence));
    judges.flat_map(of_judge).chain([label]).collect()
}

/// Ends a command that counts labels that an earlier `--changed` kept, if a query or a document has another text now;
/// `texts` is `None` if no judge needs one.
///
/// # Errors
/// Returns an error that names the first such text.
pub(crate) fn check_kept_texts(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    texts: Option<&IndexMap<String, Document, FxBuildHasher>>,
) -> Result<(), HistoryError> {
    let (Some(then), Some(base)) = (recalled(config)?, &inputs.base) else { return Ok(()) };
    for (query, documents) in base.labels.iter() {
        if then.queries.get(query) != inputs.topics.get(query).map(query_hash).as_ref() {
            return Err(outdated(config, &format!("the text of query {query} changed")));
        }
        let Some(texts) = texts else { continue };
        for document in documents.keys() {
            if then.documents.get(document) != texts.get(document).map(text_hash).as_ref() {
                return Err(outdated(config, &format!("the text of document {document} changed")));
            }
        }
    }
    Ok(())
}

/// Does the same if the judges, or what a label is, changed.
///
/// # Errors
/// Returns an error that says what changed.
pub(crate) fn check_kept_judges(
    config: StudyConfig<'_>,
    evidence: &StudyEvidence,
) -> Result<(), HistoryError> {
    let Some(then) = recalled(config)? else { return Ok(()) };
    match then.other_judges(&LabelInputs::of(config.settings, evidence)) {
        changes if changes.is_empty() => Ok(()),
        changes => Err(outdated(config, &changes.join("; "))),
    }
}

/// What the labels depend on that an earlier command kept; `None` if this one kept them, or there are none.
fn recalled(config: StudyConfig<'_>) -> Result<Option<LabelInputs>, HistoryError> {
    let kept = config.settings.base.as_ref().and_then(BaseSettings::recalled);
    kept.map(|kept| saved_inputs::read_kept(config.folder, kept, &kept.texts)).transpose()
}

fn outdated(config: StudyConfig<'_>, change: &str) -> HistoryError {
    let kept = config.settings.base.as_ref().and_then(BaseSettings::recalled);
    let report = kept.map_or("", |kept| &kept.report);
    HistoryError::Problem(format!(
        "the last run kept labels of an earlier report (--changed {report}), and they no longer hold: {change}. Run \
         llull run --changed again, or llull run to judge without them"
    ))
}
