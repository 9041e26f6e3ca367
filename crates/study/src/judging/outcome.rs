//! The outcome of running judges.

use llull_runner::{JudgeEvidence, JudgeFailure, JudgeStop, RunOutcome, Spent, StopReason};

use super::budget::BudgetEnd;
use crate::error::StudyError;
use crate::evidence::{LedgerError, StudyEvidence};

/// The outcome of a run of judges: the evidence, and facts about the run itself.
#[derive(Debug, Clone)]
pub struct JudgingOutcome {
    /// The present evidence of the ledger, and the labels that follow.
    pub evidence: StudyEvidence,
    /// Each judge's tasks, in the order of [`StudyEvidence::panel`].
    pub tallies: Vec<JudgeTally>,
    /// The tallies of repeated questions, for each judge with some. They are no votes.
    pub rechecked: Vec<JudgeTally>,
    /// The reason why the run stopped early, if it did.
    pub stopped: Option<StopReason>,
    /// The judges that were stopped because their replies are unusable.
    pub stopped_judges: Vec<JudgeStop>,
    /// The last failure, if no attempt was answered.
    pub unanswered: Option<JudgeFailure>,
    /// The limit that stopped it, if one did.
    pub budget: Option<BudgetEnd>,
    /// The amounts that it used.
    pub spent: Spent,
}

impl JudgingOutcome {
    /// Returns whether another run would add nothing: the evidence is complete, and all repeated questions are
    /// answered.
    pub fn is_complete(&self) -> bool {
        self.evidence.is_complete() && self.rechecked.iter().all(|judge| judge.gave_up + judge.not_asked == 0)
    }

    /// Returns why nothing was judged, if no attempt was answered and the ledger held no answer either. For example,
    /// the key is refused, the server cannot be reached, or the model does not exist. `None` if the run was stopped by
    /// its user, or by a budget before a request failed.
    pub fn cause_of_nothing(&self) -> Option<StudyError> {
        let by_user = matches!(self.stopped, Some(StopReason::Cancelled | StopReason::Unmetered { .. }));
        let answered = self.tallies.iter().any(|judge| judge.judged + judge.unusable + judge.refused > 0);
        let JudgeFailure { judge, failure } = self.unanswered.as_ref().filter(|_| !answered && !by_user)?;
        let cause = match &self.stopped {
            Some(reason) if !matches!(reason, StopReason::Budget(_)) => reason.to_string(),
            _ => format!(
                "judge {judge}: no request was answered, the last because of this: {failure}; check the judge, then \
                 run again"
            ),
        };
        Some(StudyError::Ledger(LedgerError::NothingAnswered(cause)))
    }
}

/// The states of one judge's tasks, and the number of reused answers.
///
/// `planned = judged + unusable + refused + gave_up + not_asked + without_text`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgeTally {
    /// The judge.
    pub judge: String,
    /// All tasks.
    pub planned: usize,
    /// Tasks with a verdict.
    pub judged: usize,
    /// Tasks with only unusable answers, which are not repeated.
    pub unusable: usize,
    /// Tasks that the judge's server refused. They are repeated only on request.
    pub refused: usize,
    /// Tasks that the run gave up after several failures. The next run repeats them.
    pub gave_up: usize,
    /// Other tasks for the next run.
    pub not_asked: usize,
    /// Tasks that lack a text.
    pub without_text: usize,
    /// Tasks whose answer was in the ledger.
    pub reused: usize,
}

impl JudgeTally {
    /// Returns the tally of a judge without any request: open tasks count as not asked.
    pub fn of(judge: &JudgeEvidence) -> Self {
        let (open, counts) = (judge.open(), judge.counts());
        // A judge without requests has no planned tasks but its answers.
        let planned = if judge.is_asked() { judge.tasks().len() } else { counts.judged };
        let answered = planned.saturating_sub(open + counts.without_text);
        let refused = if judge.is_asked() { counts.refused } else { 0 };
        Self {
            judge: judge.name().to_owned(),
            planned,
            judged: counts.judged,
            unusable: answered - counts.judged - refused,
            refused,
            gave_up: 0,
            not_asked: open,
            without_text: counts.without_text,
            reused: answered,
        }
    }

    /// Returns the tallies of a run's judges.
    pub(crate) fn of_run(run: &RunOutcome) -> impl Iterator<Item = Self> {
        run.evidence.judges().iter().zip(&run.judges).map(|(evidence, judge)| {
            let tally = Self::of(evidence);
            let not_asked = tally.not_asked.saturating_sub(judge.gave_up);
            Self { gave_up: tally.not_asked - not_asked, not_asked, reused: judge.reused, ..tally }
        })
    }
}
