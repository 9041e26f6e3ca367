//! Turns an answer into an attempt for the ledger.

use llull_core::{Attempt, JudgeSpec, Outcome, Paradigm, Reason, Unusable, Verdict};

use crate::{case::Case, executor::Asked};

/// Returns the attempt that records an answer with the number `sample`, about the question that `case` shows.
pub(crate) fn attempt(
    asked: Asked,
    spec: Option<&JudgeSpec>,
    case: Option<Case<'_>>,
    sample: u32,
    at_ms: i64,
) -> Attempt {
    let Asked { ticket, answer, latency_ms, .. } = asked;
    let compared = case.filter(|case| case.document_count() > 1);
    let shown = case.map_or(0, Case::document_count);
    Attempt {
        key: ticket.key,
        topic: case.map(|case| case.topic.id.clone()).unwrap_or_default(),
        document: case.map(|case| case.document_id().to_owned()).unwrap_or_default(),
        documents: compared.into_iter().flat_map(Case::document_ids).map(str::to_owned).collect(),
        sample,
        outcome: match spec {
            Some(spec) => checked(refusals_recorded(answer.outcome), spec, shown),
            None => answer.outcome,
        },
        reply: answer.reply,
        model: answer.model,
        usage: answer.usage,
        // JSON cannot hold NaN or infinity.
        cost_usd: answer.cost_usd.filter(|cost| cost.is_finite()),
        latency_ms,
        tokens_cut: answer.tokens_cut,
        at_ms,
        adjusted: answer.adjusted,
        reader: llull_judge::READER_VERSION,
    }
}

/// Records a refusal of one question as an unusable answer. As a failure, every run would send it again, and enough of
/// them would stop the judge.
fn refusals_recorded(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Failed(failure) => match failure.kind.refusal() {
            Some(reason) => Outcome::Unusable(Unusable { reason, detail: failure.message }),
            None => Outcome::Failed(failure),
        },
        other => other,
    }
}

/// Checks a verdict against the question, since a user's implementation of a judge may return anything. Returns an
/// unusable outcome if the verdict is not an answer to the question.
fn checked(mut outcome: Outcome, spec: &JudgeSpec, shown: usize) -> Outcome {
    let Outcome::Judged { verdict } = &mut outcome else { return outcome };
    let unusable = |reason, detail| Outcome::Unusable(Unusable { reason, detail });
    if matches!(verdict, Verdict::Graded(_)) != (spec.paradigm == Paradigm::Graded) {
        return unusable(Reason::WrongShape, format!("not a verdict of a {} judge", spec.paradigm.name()));
    }
    match verdict {
        Verdict::Graded(verdict) if !spec.scale.contains(verdict.grade) => unusable(
            Reason::OutOfRange,
            format!("grade {} is not on the scale {}", verdict.grade, spec.scale),
        ),
        Verdict::Graded(_) => outcome,
        Verdict::Compared(verdict) => {
            // JSON cannot hold NaN or infinity.
            if !verdict.probabilities.iter().all(|probability| probability.is_finite()) {
                verdict.probabilities.clear();
            }
            match verdict.check(shown) {
                Ok(()) => outcome,
                Err(error) if spec.paradigm == Paradigm::Pairwise => {
                    unusable(Reason::NotAChoice, error.to_string())
                }
                Err(error) => unusable(Reason::NotAnOrder, error.to_string()),
            }
        }
    }
}
