//! The rules for attempts, checked at every import and reading.

use llull_core::{Attempt, JudgeSpec, Outcome, Verdict};

/// Checks that an attempt's verdict is on its judge's scale, and that its documents agree with each other and with its
/// verdict. Returns the error otherwise.
pub(crate) fn check(spec: &JudgeSpec, attempt: &Attempt) -> Result<(), String> {
    if let Some(first) = attempt.documents.first()
        && *first != attempt.document
    {
        return Err(format!("document is {:?}, but the first of documents is {first:?}", attempt.document));
    }
    match &attempt.answer.outcome {
        Outcome::Judged { verdict: Verdict::Compared(verdict) } => {
            verdict.check(attempt.documents.len()).map_err(|error| error.to_string())
        }
        Outcome::Judged { verdict: Verdict::Graded(verdict) } if !spec.scale.contains(verdict.grade) => {
            Err(format!("grade {} is not on the judge's scale, {}", verdict.grade, spec.scale))
        }
        Outcome::Judged { verdict: Verdict::Graded(_) } if !attempt.documents.is_empty() => {
            Err("a grade is for one document, but documents lists those of a comparison".into())
        }
        _ => Ok(()),
    }
}
