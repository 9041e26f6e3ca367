//! How a question stands with a judge.

use std::sync::Arc;

use crate::{ComparedVerdict, FailureKind, Grade, Outcome, Reason, Verdict};

/// How a question stands with one judge: what all attempts at it amount to.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Status {
    /// It has a verdict. Of several the latest counts.
    Judged(Judgment),
    /// Every answer so far was unusable.
    Unusable {
        /// The reason of the latest.
        reason: Reason,
        /// How many unusable answers there are, at least 1.
        times: u32,
    },
    /// Every attempt so far failed, the latest like this. The next run asks again.
    Failed(FailureKind),
    /// There was no attempt.
    #[default]
    NotAsked,
    /// The judge reads texts, and a document of the question has none.
    WithoutText,
}

/// What labels need of a verdict: everything but the judge's words.
#[derive(Debug, Clone, PartialEq)]
pub enum Judgment {
    /// A grade.
    Grade(Grade),
    /// An order of the documents that were shown together.
    Order(Arc<ComparedVerdict>),
}

impl Status {
    /// Returns the status after one more attempt. A verdict outlives unusable answers and failures, an unusable answer
    /// outlives failures.
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
            (Self::Unusable { times, .. }, Outcome::Unusable(unusable)) => {
                Self::Unusable { reason: unusable.reason, times: times.saturating_add(1) }
            }
            (_, Outcome::Unusable(unusable)) => Self::Unusable { reason: unusable.reason, times: 1 },
            (unusable @ Self::Unusable { .. }, Outcome::Failed(_)) => unusable,
            (_, Outcome::Failed(failure)) => Self::Failed(failure.kind),
        }
    }

    /// Whether there is a verdict.
    pub fn is_judged(&self) -> bool {
        matches!(self, Self::Judged(_))
    }

    /// Whether a run would ask the question, if it asks `reask` times again after unusable answers.
    pub fn is_open(&self, reask: u32) -> bool {
        match self {
            Self::Failed(_) | Self::NotAsked => true,
            Self::Unusable { times, .. } => *times <= reask,
            Self::Judged(_) | Self::WithoutText => false,
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

    /// Returns why there is no verdict, by the name that files and JSON use; `None` if there is one.
    pub fn missing(&self) -> Option<&'static str> {
        match self {
            Self::Judged(_) => None,
            Self::Unusable { reason, .. } => Some(reason.name()),
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
                // The words of a verdict are kept apart, by those who want them.
                let words = String::new();
                let ComparedVerdict { order, probabilities, .. } = verdict;
                let (order, probabilities) = (order.clone(), probabilities.clone());
                Self::Order(Arc::new(ComparedVerdict { order, probabilities, rationale: words }))
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
