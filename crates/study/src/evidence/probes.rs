//! What judges said of documents that were changed.

use llull_core::Status;
use llull_runner::{Evidence, TopicIndex};

use crate::probes::JudgeProbe;

/// What some of a study's judges said of documents that were changed, or of others beside them. None of it is a vote.
#[derive(Debug, Clone)]
pub struct ProbeEvidence {
    asked: Evidence,
    /// The position in the study of each judge that was asked.
    judges: Vec<usize>,
    /// What each question changes, in the order in which they were asked.
    questions: Vec<ProbedQuestion>,
}

/// A question that is asked with one of its documents changed, or beside worked examples in another order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbedQuestion {
    /// How it is changed.
    pub probe: JudgeProbe,
    /// The position of the question as it is, in [`StudyEvidence::judges`](crate::StudyEvidence::judges).
    pub vote: usize,
    /// The place of the changed document among those that are shown, from 0; 0 where all are changed.
    pub place: usize,
    /// Whether it is asked again just as it was: the noise beside which the order of worked examples is read.
    pub repeated: bool,
}

/// How a changed question that one judge was asked stands.
#[derive(Debug, Clone, Copy)]
pub struct ProbedTask<'a> {
    /// The judge, as a position in [`StudyEvidence::judges`](crate::StudyEvidence::judges).
    pub judge: usize,
    /// What was changed.
    pub of: ProbedQuestion,
    /// The query.
    pub topic: TopicIndex,
    /// How many documents were shown.
    pub shown: usize,
    /// How it stands.
    pub status: &'a Status,
}

impl ProbeEvidence {
    pub(crate) fn new(asked: Evidence, judges: Vec<usize>, questions: Vec<ProbedQuestion>) -> Self {
        Self { asked, judges, questions }
    }

    /// Returns every question about a changed document that the ledger has an attempt at, with each judge, judge by
    /// judge.
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
