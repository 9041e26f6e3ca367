//! What judges said when they were asked again.

use llull_audit::AskedAs;
use llull_core::Status;
use llull_runner::{Evidence, JudgeEvidence, Question};

/// What some of a study's judges said when they were asked again. None of it is a vote.
#[derive(Debug, Clone)]
pub struct RecheckEvidence {
    asked: Evidence,
    /// The position in the study of each judge that was asked again.
    judges: Vec<usize>,
    /// Which question each one repeats, in the order in which they were asked.
    questions: Vec<RecheckedQuestion>,
}

/// A question that is asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecheckedQuestion {
    /// The position of the question that is a vote, in [`StudyEvidence::judges`](crate::StudyEvidence::judges).
    pub vote: usize,
    /// How it is asked again.
    pub asked_as: AskedAs,
}

/// How a question that one judge was asked again stands.
#[derive(Debug, Clone, Copy)]
pub struct Recheck<'a> {
    /// The judge, as a position in [`StudyEvidence::judges`](crate::StudyEvidence::judges).
    pub judge: usize,
    /// The position of the question that is a vote, likewise.
    pub vote: usize,
    /// In reverse order, or as it was.
    pub asked_as: AskedAs,
    /// What was shown this time.
    pub question: Question<'a>,
    /// How it stands.
    pub status: &'a Status,
    /// The rationale of the verdict, if there is one and it was read.
    pub rationale: Option<&'a str>,
}

impl RecheckEvidence {
    pub(crate) fn new(asked: Evidence, judges: Vec<usize>, questions: Vec<RecheckedQuestion>) -> Self {
        Self { asked, judges, questions }
    }

    /// Returns what was asked again, with the judges that were.
    pub fn asked(&self) -> &Evidence {
        &self.asked
    }

    /// Returns the questions, in the order in which they were asked.
    pub fn questions(&self) -> &[RecheckedQuestion] {
        &self.questions
    }

    /// Returns the part of the judge at a position of the study; `None` if it was not asked again.
    pub fn of_judge(&self, judge: usize) -> Option<&JudgeEvidence> {
        let at = self.judges.iter().position(|place| *place == judge)?;
        self.asked.judges().get(at)
    }

    /// Returns every question that was asked again, answered or not, judge by judge.
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
