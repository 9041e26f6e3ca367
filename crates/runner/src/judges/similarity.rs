//! The lexical baseline as a judge.

use futures::future::BoxFuture;
use llull_core::{
    GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Reason, TaskKey, Unusable, Verdict,
};
use llull_judge::Similarity;

use super::{NO_RUBRIC, TASK};
use crate::{Answer, Case, Judge};

/// Grades by how many of the query's words a document repeats. A baseline, not a judge to be believed.
#[derive(Debug, Clone)]
pub struct SimilarityJudge {
    name: String,
    similarity: Similarity,
    concurrency: usize,
    spec: JudgeSpec,
    fingerprint: Hash,
}

impl SimilarityJudge {
    /// The baseline under this name. `concurrency` is best the number of processors.
    pub fn new(name: impl Into<String>, similarity: Similarity, concurrency: usize) -> Self {
        let spec = JudgeSpec {
            paradigm: Paradigm::Graded,
            model: "similarity".to_owned(),
            prompt: String::new(),
            prompt_hash: similarity.hash(),
            rubric_hash: NO_RUBRIC,
            scale: similarity.scale(),
            sampling: None,
            options: Default::default(),
        };
        let fingerprint = spec.fingerprint();
        Self { name: name.into(), similarity, concurrency, spec, fingerprint }
    }

    fn grade(&self, case: &Case<'_>) -> Outcome {
        let document = case.document().map(|document| document.shown()).unwrap_or_default();
        match self.similarity.grade(&case.topic.text, &document) {
            Some(coverage) => Outcome::Judged {
                verdict: Verdict::Graded(GradedVerdict {
                    grade: coverage.grade,
                    facets_covered: coverage.matched,
                    facets_missing: coverage.missing,
                    rationale: String::new(),
                }),
            },
            None => Outcome::Unusable(Unusable {
                reason: Reason::NoAnswer,
                detail: "the query has no word to look for".to_owned(),
            }),
        }
    }
}

impl Judge for SimilarityJudge {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn in_process(&self) -> bool {
        true
    }

    fn key(&self, case: &Case<'_>, _sample: u32) -> TaskKey {
        let document = case.document().map(|document| document.shown()).unwrap_or_default();
        KeyBuilder::new(TASK)
            .part("judge", &self.fingerprint.0)
            .text("query", &case.topic.text)
            .text("document", &document)
            .finish()
    }

    fn ask<'a>(&'a self, case: Case<'a>, _sample: u32) -> BoxFuture<'a, Answer> {
        Box::pin(async move { Answer::computed(self.grade(&case)) })
    }
}
