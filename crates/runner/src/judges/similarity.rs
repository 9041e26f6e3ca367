//! The lexical baseline as a judge.

use std::cmp::Reverse;

use futures::future::BoxFuture;
use llull_core::{
    ComparedVerdict, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Reason, TaskKey,
    Unusable, Verdict,
};
use llull_judge::Similarity;

use super::{
    task_key::{NO_RUBRIC, TASK},
    tied_order::tied_order,
};
use crate::{
    answer::Answer,
    case::Case,
    judge::{Judge, JudgeIdentity},
};

/// A baseline judge that counts the query's words in a document, weighted by rarity.
///
/// It grades a document by its [coverage](llull_judge::WordCoverage::coverage) of the query, or orders several by the
/// coverage itself, which is finer than the grade; equal coverage is a tie. Its labels should not be relied on. It
/// never contradicts itself.
#[derive(Debug, Clone)]
pub struct SimilarityJudge {
    name: String,
    similarity: Similarity,
    concurrency: usize,
    spec: JudgeSpec,
    fingerprint: Hash,
}

impl SimilarityJudge {
    /// Creates the baseline for questions of a paradigm. The best `concurrency` is the number of processors.
    pub fn new(
        name: impl Into<String>,
        similarity: Similarity,
        paradigm: Paradigm,
        concurrency: usize,
    ) -> Self {
        let spec = JudgeSpec {
            paradigm,
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

    /// Returns `None` if the query has no word to look for.
    fn grade(&self, case: &Case<'_>) -> Option<Verdict> {
        let document = case.texts().next().unwrap_or_default();
        let coverage = self.similarity.grade(&case.topic.text, &document)?;
        Some(Verdict::Graded(GradedVerdict {
            grade: coverage.grade,
            facets_covered: coverage.matched,
            facets_missing: coverage.missing,
            rationale: String::new(),
        }))
    }

    /// Returns `None` if the query has no word to look for.
    fn compare(&self, case: &Case<'_>) -> Option<Verdict> {
        let coverages: Vec<_> = case
            .texts()
            .map(|document| {
                Some(Reverse(rounded(self.similarity.grade(&case.topic.text, &document)?.coverage)))
            })
            .collect::<Option<_>>()?;
        let order = tied_order(&coverages);
        Some(Verdict::Compared(ComparedVerdict { order, ..ComparedVerdict::default() }))
    }
}

/// Rounds a coverage from 0 to 1 to billionths, so that coverages of the same words compare equal in spite of rounding
/// errors.
fn rounded(coverage: f64) -> u64 {
    (coverage * 1e9).round() as u64
}

impl JudgeIdentity for SimilarityJudge {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn key(&self, case: &Case<'_>, _sample: u32) -> TaskKey {
        let key = KeyBuilder::new(TASK).part("judge", &self.fingerprint.0).text("query", &case.topic.text);
        case.texts().fold(key, |key, document| key.text("document", &document)).finish()
    }

    fn in_process(&self) -> bool {
        true
    }
}

impl Judge for SimilarityJudge {
    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn ask<'a>(&'a self, case: Case<'a>, _sample: u32) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let verdict = match self.spec.paradigm {
                Paradigm::Graded => self.grade(&case),
                Paradigm::Pairwise | Paradigm::Listwise => self.compare(&case),
            };
            Answer::computed(match verdict {
                Some(verdict) => Outcome::Judged { verdict },
                None => Outcome::Unusable(Unusable {
                    reason: Reason::NoAnswer,
                    detail: "the query has no word to look for".to_owned(),
                }),
            })
        })
    }
}
