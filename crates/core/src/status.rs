//! The state of a question with a judge.

use std::sync::Arc;

use crate::{ComparedVerdict, FailureKind, Grade, Outcome, Reason, Verdict};

/// The state of a question with one judge, after all attempts at it.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Status {
    /// There is a verdict. The latest one counts.
    Judged(Judgment),
    /// Every answer so far was unusable.
    Unusable {
        /// The reason for the latest one.
        reason: Reason,
        /// The number of unusable answers, at least 1.
        times: u32,
    },
    /// The server refused the question, and there is no verdict. It is repeated only on request.
    Refused(Reason),
    /// Every attempt so far failed, the latest one with this kind. The next run asks again.
    Failed(FailureKind),
    /// There was no attempt.
    #[default]
    NotAsked,
    /// The judge reads texts, and a document of the question has none.
    WithoutText,
}

/// The answers without a verdict whose questions a run repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskAgain {
    /// Whether questions that the server refused are among them.
    pub refused: bool,
    /// Whether questions with unparsable replies are.
    pub unparsable: bool,
    /// A time in milliseconds since 1970-01-01 UTC: only questions answered before it are repeated, so that a run
    /// repeats each once.
    pub before_ms: i64,
}

impl AskAgain {
    /// Returns whether questions of this status are repeated, if they have no later answer.
    pub fn includes(&self, status: &Status) -> bool {
        match status {
            Status::Refused(_) => self.refused,
            Status::Unusable { .. } => self.unparsable,
            Status::Judged(_) | Status::Failed(_) | Status::NotAsked | Status::WithoutText => false,
        }
    }
}

/// A verdict without the judge's explanation: the part that labels are derived from.
#[derive(Debug, Clone, PartialEq)]
pub enum Judgment {
    /// A grade.
    Grade(Grade),
    /// An order of the documents that were shown together.
    Order(Arc<ComparedVerdict>),
}

impl Status {
    /// Returns the status after one more attempt. Unusable answers, refusals and failures do not replace a verdict, and
    /// failures replace neither an unusable answer nor a refusal.
    ///
    /// ```
    /// use llull_core::{Failure, FailureKind, Outcome, Reason, Status, Unusable};
    ///
    /// let failed = Outcome::Failed(Failure::new(FailureKind::Timeout, "no reply within 60 s"));
    /// let unusable = Outcome::Unusable(Unusable { reason: Reason::CutOff, detail: String::new() });
    /// let status = Status::NotAsked.after(&failed).after(&unusable).after(&failed);
    /// assert_eq!(status, Status::Unusable { reason: Reason::CutOff, times: 1 });
    /// ```
    #[must_use]
    pub fn after(self, outcome: &Outcome) -> Self {
        match (self, outcome) {
            (_, Outcome::Judged { verdict }) => Self::Judged(verdict.into()),
            (judged @ Self::Judged(_), _) => judged,
            (_, Outcome::Unusable(unusable)) if unusable.reason.is_refusal() => {
                Self::Refused(unusable.reason)
            }
            (Self::Unusable { times, .. }, Outcome::Unusable(unusable)) => {
                Self::Unusable { reason: unusable.reason, times: times.saturating_add(1) }
            }
            (_, Outcome::Unusable(unusable)) => Self::Unusable { reason: unusable.reason, times: 1 },
            (answered @ (Self::Unusable { .. } | Self::Refused(_)), Outcome::Failed(_)) => answered,
            (_, Outcome::Failed(failure)) => Self::Failed(failure.kind),
        }
    }

    /// Returns whether there is a verdict.
    pub fn is_judged(&self) -> bool {
        matches!(self, Self::Judged(_))
    }

    /// Returns whether a run that repeats a question up to `reask` times after unusable answers would send it.
    pub fn is_open(&self, reask: u32) -> bool {
        match self {
            Self::Failed(_) | Self::NotAsked => true,
            Self::Unusable { times, .. } => *times <= reask,
            Self::Judged(_) | Self::Refused(_) | Self::WithoutText => false,
        }
    }

    /// Returns the grade, if the verdict is one.
    pub fn grade(&self) -> Option<Grade> {
        match self {
            Self::Judged(Judgment::Grade(grade)) => Some(*grade),
            _ => None,
        }
    }

    /// Returns the order, if the verdict is one.
    pub fn order(&self) -> Option<&ComparedVerdict> {
        match self {
            Self::Judged(Judgment::Order(verdict)) => Some(verdict),
            _ => None,
        }
    }

    /// Returns the reason for a missing verdict, by the name that files and JSON use, or `None` if there is a verdict.
    pub fn missing(&self) -> Option<&'static str> {
        match self {
            Self::Judged(_) => None,
            Self::Unusable { reason, .. } | Self::Refused(reason) => Some(reason.name()),
            Self::Failed(kind) => Some(kind.name()),
            Self::NotAsked | Self::WithoutText => Some("not_asked"),
        }
    }
}

impl From<&Verdict> for Judgment {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Graded(verdict) => Self::Grade(verdict.grade),
            Verdict::Compared(verdict) => {
                // Callers that need the explanation read it from the verdict.
                let rationale = String::new();
                let ComparedVerdict { order, probabilities, .. } = verdict;
                let (order, probabilities) = (order.clone(), probabilities.clone());
                Self::Order(Arc::new(ComparedVerdict { order, probabilities, rationale }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Failure, GradedVerdict, Unusable};

    fn judged(grade: Grade) -> Outcome {
        Outcome::Judged { verdict: Verdict::Graded(GradedVerdict { grade, ..GradedVerdict::default() }) }
    }

    fn unusable(reason: Reason) -> Outcome {
        Outcome::Unusable(Unusable { reason, detail: String::new() })
    }

    fn failed(kind: FailureKind) -> Outcome {
        Outcome::Failed(Failure::new(kind, "no"))
    }

    fn after(outcomes: &[Outcome]) -> Status {
        outcomes.iter().fold(Status::NotAsked, Status::after)
    }

    #[test]
    fn the_latest_verdict_outlives_everything_else() {
        let all = [
            judged(1),
            unusable(Reason::Empty),
            failed(FailureKind::Server),
            judged(2),
            unusable(Reason::Empty),
        ];
        assert_eq!(after(&all).grade(), Some(2));
    }

    #[test]
    fn unusable_answers_are_counted_and_outlive_failures() {
        let all = [failed(FailureKind::Server), unusable(Reason::Empty), unusable(Reason::CutOff)];
        let twice = Status::Unusable { reason: Reason::CutOff, times: 2 };
        assert_eq!(after(&all), twice);
        assert_eq!(twice.clone().after(&failed(FailureKind::Timeout)), twice);
    }

    #[test]
    fn a_refusal_is_not_asked_again_and_outlives_failures() {
        for reason in [Reason::Refused, Reason::TooLong] {
            let refused = after(&[failed(FailureKind::Server), unusable(Reason::CutOff), unusable(reason)]);
            assert_eq!(refused, Status::Refused(reason));
            assert_eq!([0, 1, 9].map(|reask| refused.is_open(reask)), [false; 3]);
            assert_eq!(refused.missing(), Some(reason.name()));
            assert_eq!(refused.clone().after(&failed(FailureKind::Timeout)), refused);
            assert_eq!(refused.after(&judged(2)).grade(), Some(2), "a retry was answered");
        }
    }

    #[test]
    fn failures_alone_leave_the_latest() {
        let all = [failed(FailureKind::Server), failed(FailureKind::Timeout)];
        assert_eq!(after(&all), Status::Failed(FailureKind::Timeout));
        assert_eq!(after(&all).missing(), Some("timeout"));
    }

    #[test]
    fn a_question_is_open_until_it_has_an_answer_or_was_asked_often_enough() {
        let once = Status::Unusable { reason: Reason::Empty, times: 1 };
        let open = |status: &Status| [0, 1].map(|reask| status.is_open(reask));
        assert_eq!(open(&once), [false, true]);
        assert_eq!(open(&Status::Failed(FailureKind::Server)), [true, true]);
        assert_eq!(open(&Status::NotAsked), [true, true]);
        assert_eq!(open(&Status::WithoutText), [false, false]);
        assert_eq!(open(&after(&[judged(0)])), [false, false]);
    }
}
