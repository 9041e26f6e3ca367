//! An annotator in the panel of a study.
//!
//! Their answers are in the ledger, and a run sends them no request.

use std::pin::Pin;

use llull_core::{Answer, Failure, FailureKind, JudgeSpec, TaskKey};
use llull_judge::Rubric;
use llull_runner::{AnnotatorJudge, Case, Judge, JudgeIdentity};

/// An annotator who grades under a study's rubric, under the name of this judge in the study.
pub(super) struct PanelAnnotator {
    name: String,
    judge: AnnotatorJudge,
}

impl PanelAnnotator {
    pub(super) fn new(name: &str, annotator: &str, rubric: &Rubric) -> Self {
        Self { name: name.to_owned(), judge: AnnotatorJudge::new(annotator, rubric.hash, rubric.scale) }
    }
}

impl JudgeIdentity for PanelAnnotator {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        self.judge.spec()
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        self.judge.key(case, sample)
    }

    fn needs_text(&self) -> bool {
        false
    }

    /// Annotators get no repeated questions and no changed documents.
    fn in_process(&self) -> bool {
        true
    }

    fn is_asked(&self) -> bool {
        false
    }
}

impl Judge for PanelAnnotator {
    fn concurrency(&self) -> usize {
        1
    }

    fn ask<'a>(&'a self, _case: Case<'a>, _sample: u32) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        let why = "a person answers in a review, not in a run";
        let failure = Failure::new(FailureKind::Unauthorized, why);
        Box::pin(async move { Answer::from(failure) })
    }
}
