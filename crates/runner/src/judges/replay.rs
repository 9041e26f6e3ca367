//! A judge that answers from a file of labels: how labels made elsewhere enter.

use std::sync::Arc;

use futures::future::BoxFuture;
use llull_core::{
    GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Qrels, Reason, Scale, TaskKey, Unusable,
    Verdict,
};

use super::{NO_RUBRIC, TASK};
use crate::{Answer, Case, Judge};

/// Answers from qrels, by the identifiers of topic and document.
#[derive(Debug, Clone)]
pub struct ReplayJudge {
    name: String,
    qrels: Arc<Qrels>,
    spec: JudgeSpec,
    fingerprint: Hash,
}

impl ReplayJudge {
    /// Answers from `qrels`, which were read from `file`, whose bytes have the hash `file_hash`. Grades off `scale` are
    /// not counted.
    pub fn new(
        name: impl Into<String>,
        qrels: Arc<Qrels>,
        file: impl Into<String>,
        file_hash: Hash,
        scale: Scale,
    ) -> Self {
        let spec = JudgeSpec {
            paradigm: Paradigm::Graded,
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
            None => unusable(Reason::NoAnswer, format!("not in {file}")),
            Some(grade) if !scale.contains(grade) => {
                let (low, high) = (scale.low(), scale.high());
                unusable(
                    Reason::OutOfRange,
                    format!("grade {grade} in {file} is not on the scale {low} to {high}"),
                )
            }
            Some(grade) => {
                let verdict = Verdict::Graded(GradedVerdict { grade, ..GradedVerdict::default() });
                Outcome::Judged { verdict }
            }
        }
    }
}

impl Judge for ReplayJudge {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn concurrency(&self) -> usize {
        1
    }

    fn needs_text(&self) -> bool {
        false
    }

    fn in_process(&self) -> bool {
        true
    }

    fn key(&self, case: &Case<'_>, _sample: u32) -> TaskKey {
        KeyBuilder::new(TASK)
            .part("judge", &self.fingerprint.0)
            .text("topic", &case.topic.id)
            .text("document", case.document_id())
            .finish()
    }

    fn ask<'a>(&'a self, case: Case<'a>, _sample: u32) -> BoxFuture<'a, Answer> {
        Box::pin(async move { Answer::computed(self.label(&case)) })
    }
}
