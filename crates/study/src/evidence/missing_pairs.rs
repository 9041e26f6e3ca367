//! Finds the pairs without a label, and their possible effect.

use std::collections::{BTreeMap, BTreeSet};

use llull_config::Settings;
use llull_core::{Grade, LabelSet, Qrels, Run};
use llull_label::TierScheme;
use llull_metrics::{DifferenceBounds, KnownLabels, Measure, MissingDocuments};
use llull_runner::PooledDocument;

use super::study_evidence::StudyEvidence;
use crate::inputs::Inputs;

/// The pairs without a label, and the known labels. In an unfinished tournament every label is missing, since the rest
/// of it could change each of them.
#[derive(Debug, Clone)]
pub struct MissingPairs {
    known: Qrels,
    lowest: Grade,
    highest: Grade,
    queries: Vec<String>,
    /// The documents without a label, for every query with some.
    missing: BTreeMap<String, BTreeSet<String>>,
}

impl MissingPairs {
    /// Finds the pairs of the pool that these labels lack.
    pub(crate) fn new(
        settings: &Settings,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        labels: &LabelSet,
    ) -> Self {
        let pooled = &evidence.pooled;
        let unfinished: BTreeSet<&str> = evidence
            .compared()
            .into_iter()
            .flatten()
            .filter(|query| !query.outcome.complete)
            .filter_map(|query| Some(pooled.topic(query.topic)?.id.as_str()))
            .collect();
        let mut found = Self {
            known: Qrels::default(),
            lowest: inputs.rubric.scale.low(),
            highest: inputs.rubric.scale.high(),
            queries: Vec::new(),
            missing: BTreeMap::new(),
        };
        if unfinished.is_empty() && labels.labelled() == labels.asked() {
            return found;
        }
        let places = settings.tournament.as_ref().is_some_and(|found| found.labels != TierScheme::Anchored);
        let mut grades = BTreeSet::new();
        for (topic, documents) in labels.iter() {
            let is_open = unfinished.contains(topic);
            for (document, label) in documents {
                grades.insert(label.grade);
                if !is_open {
                    found.known.insert(topic, document, label.grade);
                    label.mean.into_iter().for_each(|mean| found.known.set_mean(topic, document, mean));
                }
            }
        }
        if places {
            (found.lowest, found.highest) = (0, grades.last().copied().unwrap_or(1).max(1));
        }
        let mut seen = BTreeSet::new();
        for question in pooled.questions() {
            let topic = pooled.topic(question.topic).map_or("", |topic| topic.id.as_str());
            if seen.insert(topic) {
                found.queries.push(topic.to_owned());
            }
            let document = question.documents.first().and_then(|at| pooled.document(*at));
            let document = document.map_or("", PooledDocument::id);
            if found.known.grade(topic, document).is_none() {
                found.missing.entry(topic.to_owned()).or_default().insert(document.to_owned());
            }
        }
        found
    }

    /// Returns whether no label is missing.
    pub fn is_empty(&self) -> bool {
        self.missing.is_empty()
    }

    /// Returns the bounds of the difference between two systems over all possible missing labels, query by query.
    pub fn bounds(&self, measure: &Measure, baseline: &Run, system: &Run) -> Vec<DifferenceBounds> {
        let missing = self.missing.iter().map(|(query, documents)| {
            (query.as_str(), documents.iter().map(String::as_str).collect::<BTreeSet<&str>>())
        });
        let known = KnownLabels {
            labels: &self.known,
            lowest: self.lowest,
            highest: self.highest,
            queries: self.queries.iter().map(String::as_str).collect(),
            missing: MissingDocuments::Named(missing.collect()),
        };
        known.bounds(measure, baseline, system)
    }
}
