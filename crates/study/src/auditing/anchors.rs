//! Finds the first and the last worked example of graded documents.

use llull_audit::{GradedAnswer, ShownAnchors};
use llull_config::{JudgeKind, JudgeSettings, Settings};
use llull_core::Grade;
use llull_judge::fit;
use llull_runner::{PooledDocument, Question};

use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::judging::anchor_order;

/// Returns the examples in the prompt of a grade; `None` unless their order was drawn for each question.
pub(super) fn anchors_of(
    (settings, judge): (&Settings, &JudgeSettings),
    inputs: &Inputs,
    evidence: &StudyEvidence,
    question: Question<'_>,
    graded: &GradedAnswer,
) -> Option<ShownAnchors> {
    let JudgeKind::Prompted { shuffle_anchors: true, document_tokens, .. } = &judge.kind else { return None };
    let topic = evidence.pooled.topic(question.topic)?;
    let document =
        evidence.pooled.document(*question.documents.first()?).and_then(PooledDocument::document)?;
    let text = document.shown();
    let shown = fit(&text, *document_tokens).shown;
    let order = anchor_order(settings, true).grades_shown(&inputs.rubric.grades, &topic.text, &[shown]);
    let [first, .., last] = order.as_slice() else { return None };
    let grade = |grade: &Grade| f64::from(*grade);
    Some(ShownAnchors {
        query: graded.query,
        document: graded.document,
        first: grade(first),
        last: grade(last),
    })
}
