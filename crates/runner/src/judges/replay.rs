//! A judge that answers from a file of labels made elsewhere.

use std::{cmp::Reverse, sync::Arc};

use futures::future::BoxFuture;
use llull_core::{
    Answer, ComparedVerdict, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Qrels, Reason,
    Scale, TaskKey, Unusable, Verdict,
};

use super::{
    task_key::{NO_RUBRIC, TASK},
    tied_order::tied_order,
};
use crate::{
    case::Case,
    judge::{Judge, JudgeIdentity},
};

/// A judge that answers from qrels, by the identifiers of query and documents.
///
/// It grades one document, or orders several by their grades, the highest first; equal grades are a tie. A comparison
/// with a document that has no grade is unusable, since an order of the others is not an answer to the question.
#[derive(Debug, Clone)]
pub struct ReplayJudge {
    name: String,
    qrels: Arc<Qrels>,
    spec: JudgeSpec,
    fingerprint: Hash,
}

impl ReplayJudge {
    /// Creates a judge that answers questions of a paradigm from `qrels`, which were read from `file`, whose bytes
    /// have the hash `file_hash`. A grade that is not on `scale`, the scale of the study, is unusable as a label, but
    /// counts in an order.
    pub fn new(
        name: impl Into<String>,
        qrels: Arc<Qrels>,
        file: impl Into<String>,
        file_hash: Hash,
        scale: Scale,
        paradigm: Paradigm,
    ) -> Self {
        let spec = JudgeSpec {
            paradigm,
            model: "replay".to_owned(),
            prompt: file.into(),
            prompt_hash: file_hash,
            rubric_hash: NO_RUBRIC,
            scale,
            sampling: None,
            options: Default::default(),
        };
        let fingerprint = spec.fingerprint();
        Self { name: name.into(), qrels, spec, fingerprint }
    }

    fn label(&self, case: &Case<'_>) -> Outcome {
        let (file, scale) = (&self.spec.prompt, self.spec.scale);
        let unusable = |reason, detail| Outcome::Unusable(Unusable { reason, detail });
        match self.qrels.grade(&case.topic.id, case.document_id()) {
            None => unusable(Reason::NotInFile, format!("not in {file}")),
            Some(grade) if !scale.contains(grade) => {
                unusable(Reason::OutOfRange, format!("grade {grade} in {file} is not on the scale {scale}"))
            }
            Some(grade) => {
                let verdict = Verdict::Graded(GradedVerdict { grade, ..GradedVerdict::default() });
                Outcome::Judged { verdict }
            }
        }
    }

    fn compare(&self, case: &Case<'_>) -> Outcome {
        let grade = |document| self.qrels.grade(&case.topic.id, document);
        let missing: Vec<_> = case.document_ids().filter(|document| grade(document).is_none()).collect();
        if !missing.is_empty() {
            let detail = format!("not in {}: {}", self.spec.prompt, missing.join(", "));
            return Outcome::Unusable(Unusable { reason: Reason::NotInFile, detail });
        }
        let grades: Vec<_> = case.document_ids().map(|document| Reverse(grade(document))).collect();
        let verdict = ComparedVerdict { order: tied_order(&grades), ..ComparedVerdict::default() };
        Outcome::Judged { verdict: Verdict::Compared(verdict) }
    }
}

impl JudgeIdentity for ReplayJudge {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn key(&self, case: &Case<'_>, _sample: u32) -> TaskKey {
        let key = KeyBuilder::new(TASK).part("judge", &self.fingerprint.0).text("topic", &case.topic.id);
        case.document_ids().fold(key, |key, document| key.text("document", document)).finish()
    }

    fn needs_text(&self) -> bool {
        false
    }

    fn knows(&self, topic: &str, document: &str) -> bool {
        self.qrels.grade(topic, document).is_some()
    }

    fn in_process(&self) -> bool {
        true
    }
}

impl Judge for ReplayJudge {
    fn concurrency(&self) -> usize {
        1
    }

    fn ask<'a>(&'a self, case: Case<'a>, _sample: u32) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            Answer::computed(match self.spec.paradigm {
                Paradigm::Graded => self.label(&case),
                Paradigm::Pairwise | Paradigm::Listwise => self.compare(&case),
            })
        })
    }
}
