//! Judges' answers to repeated questions.

use llull_audit::AskedAs;
use llull_core::Status;
use llull_runner::{Evidence, JudgeEvidence, Question};

/// The answers of some of a study's judges to repeated questions. They are no votes.
#[derive(Debug, Clone)]
pub struct RecheckEvidence {
    asked: Evidence,
    /// The position of each of these judges in the study.
    judges: Vec<usize>,
    /// The question that each one repeats, in the order of the requests.
    questions: Vec<RecheckedQuestion>,
}

/// A repeated question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecheckedQuestion {
    /// The position of the question that is a vote, in [`StudyEvidence::judges`](crate::StudyEvidence::judges).
    pub vote: usize,
    /// The form of the repetition.
    pub asked_as: AskedAs,
}

/// The state of one judge's repeated question.
#[derive(Debug, Clone, Copy)]
pub struct Recheck<'a> {
    /// The judge, as a position in [`StudyEvidence::judges`](crate::StudyEvidence::judges).
    pub judge: usize,
    /// The position of the question that is a vote, in the same evidence.
    pub vote: usize,
    /// In reverse order, or in the same order.
    pub asked_as: AskedAs,
    /// The repetition as shown.
    pub question: Question<'a>,
    /// Its state.
    pub status: &'a Status,
    /// The rationale of the verdict, if it has one and it was read.
    pub rationale: Option<&'a str>,
}

impl RecheckEvidence {
    pub(crate) fn new(asked: Evidence, judges: Vec<usize>, questions: Vec<RecheckedQuestion>) -> Self {
        Self { asked, judges, questions }
    }

    /// Returns the repeated questions, with their judges.
    pub fn asked(&self) -> &Evidence {
        &self.asked
    }

    /// Returns the questions, in the order of the requests.
    pub fn questions(&self) -> &[RecheckedQuestion] {
        &self.questions
    }

    /// Returns the part of the judge at a position of the study; `None` without repeated questions.
    pub fn of_judge(&self, judge: usize) -> Option<&JudgeEvidence> {
        let at = self.judges.iter().position(|place| *place == judge)?;
        self.asked.judges().get(at)
    }

    /// Returns every repeated question, answered or not, judge by judge.
    pub fn rechecks(&self) -> impl Iterator<Item = Recheck<'_>> {
        self.judges.iter().zip(self.asked.judges()).flat_map(move |(judge, evidence)| {
            let asked = self.questions.iter().zip(self.asked.questions()).enumerate();
            asked.map(move |(at, (rechecked, question))| Recheck {
                judge: *judge,
                vote: rechecked.vote,
                asked_as: rechecked.asked_as,
                question,
                status: evidence.status(at),
                rationale: evidence.rationale(at),
            })
        })
    }
}
