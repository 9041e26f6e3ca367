//! Judges' answers to repeated and to changed questions.

use llull_audit::AskedAs;
use llull_core::Status;
use llull_runner::{Evidence, JudgeEvidence, Question};

use crate::probes::JudgeProbe;

/// The answers of some of a study's judges to such questions. They are no votes.
#[derive(Debug, Clone)]
pub struct AskedAgain<Q> {
    asked: Evidence,
    /// The position of each of these judges in the study.
    judges: Vec<usize>,
    /// The form of each question, in the order of the requests.
    questions: Vec<Q>,
}

/// Answers to repeated questions.
pub type RecheckEvidence = AskedAgain<RecheckedQuestion>;

/// Answers about changed documents, or about documents next to them.
pub type ProbeEvidence = AskedAgain<ProbedQuestion>;

/// A repeated question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecheckedQuestion {
    /// The position of the question that is a vote, in [`StudyEvidence::judges`](crate::StudyEvidence::judges).
    pub vote: usize,
    /// The form of the repetition.
    pub asked_as: AskedAs,
}

/// A question in which one document is changed, or the worked examples are in another order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbedQuestion {
    /// The kind of change.
    pub probe: JudgeProbe,
    /// The position of the original question, in [`StudyEvidence::judges`](crate::StudyEvidence::judges).
    pub vote: usize,
    /// The place of the changed document among the shown ones, from 0; 0 if all are changed.
    pub place: usize,
    /// Whether it repeats the original question: the noise that the effect of the examples' order is compared with.
    pub repeated: bool,
}

/// The state of one judge's question in another form.
#[derive(Debug, Clone, Copy)]
pub struct TaskAgain<'a, Q> {
    /// The judge, as a position in [`StudyEvidence::judges`](crate::StudyEvidence::judges).
    pub judge: usize,
    /// The form.
    pub of: Q,
    /// The question as shown.
    pub question: Question<'a>,
    /// Its state.
    pub status: &'a Status,
    /// The rationale of the verdict, if it has one and it was read.
    pub rationale: Option<&'a str>,
}

/// The state of a repeated question.
pub type Recheck<'a> = TaskAgain<'a, RecheckedQuestion>;

/// The state of a changed question.
pub type ProbedTask<'a> = TaskAgain<'a, ProbedQuestion>;

impl<Q: Copy> AskedAgain<Q> {
    pub(crate) fn new(asked: Evidence, judges: Vec<usize>, questions: Vec<Q>) -> Self {
        Self { asked, judges, questions }
    }

    /// Returns the questions, with their judges.
    pub fn asked(&self) -> &Evidence {
        &self.asked
    }

    /// Returns the form of each question, in the order of the requests.
    pub fn questions(&self) -> &[Q] {
        &self.questions
    }

    /// Returns the part of the judge at a position of the study; `None` without such questions.
    pub fn of_judge(&self, judge: usize) -> Option<&JudgeEvidence> {
        let at = self.judges.iter().position(|place| *place == judge)?;
        self.asked.judges().get(at)
    }

    /// Returns every question, answered or not, judge by judge.
    pub fn tasks(&self) -> impl Iterator<Item = TaskAgain<'_, Q>> {
        self.judges.iter().zip(self.asked.judges()).flat_map(move |(judge, evidence)| {
            let asked = self.questions.iter().zip(self.asked.questions()).enumerate();
            asked.map(move |(at, (of, question))| TaskAgain {
                judge: *judge,
                of: *of,
                question,
                status: evidence.status(at),
                rationale: evidence.rationale(at),
            })
        })
    }
}
