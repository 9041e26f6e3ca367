//! Judges' answers about changed documents.

use llull_core::Status;
use llull_runner::{Evidence, TopicIndex};

use crate::probes::JudgeProbe;

/// The answers of some of a study's judges about changed documents, or about documents next to them. They are no votes.
#[derive(Debug, Clone)]
pub struct ProbeEvidence {
    asked: Evidence,
    /// The position of each of these judges in the study.
    judges: Vec<usize>,
    /// The change of each question, in the order of the requests.
    questions: Vec<ProbedQuestion>,
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

/// The state of one judge's changed question.
#[derive(Debug, Clone, Copy)]
pub struct ProbedTask<'a> {
    /// The judge, as a position in [`StudyEvidence::judges`](crate::StudyEvidence::judges).
    pub judge: usize,
    /// The change.
    pub of: ProbedQuestion,
    /// The query.
    pub topic: TopicIndex,
    /// The number of shown documents.
    pub shown: usize,
    /// Its state.
    pub status: &'a Status,
}

impl ProbeEvidence {
    pub(crate) fn new(asked: Evidence, judges: Vec<usize>, questions: Vec<ProbedQuestion>) -> Self {
        Self { asked, judges, questions }
    }

    /// Returns every question about a changed document for which the ledger has an attempt, judge by judge.
    pub fn tasks(&self) -> impl Iterator<Item = ProbedTask<'_>> {
        self.judges.iter().zip(self.asked.judges()).flat_map(move |(judge, evidence)| {
            let asked = self.questions.iter().zip(self.asked.questions()).enumerate();
            asked.map(move |(at, (of, question))| ProbedTask {
                judge: *judge,
                of: *of,
                topic: question.topic,
                shown: question.documents.len(),
                status: evidence.status(at),
            })
        })
    }
}
