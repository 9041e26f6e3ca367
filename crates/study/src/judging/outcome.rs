//! The outcome of running judges.

use llull_report::text::count;
use llull_runner::{JudgeEvidence, JudgeFailure, JudgeStop, RunOutcome, Spent, StopReason};

use super::budget_tracker::BudgetEnd;
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
    /// The judges that were stopped because their replies are unparsable.
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
        self.end().cause_of_nothing()
    }

    /// Returns warnings: of judges that were stopped, of requests that were refused or failed, of an early end.
    pub fn warnings(&self) -> Vec<String> {
        self.end().warnings(|place| if self.evidence.compares(place) { "questions" } else { "pairs" })
    }

    fn end(&self) -> RunEnd<'_> {
        RunEnd {
            tallies: &self.tallies,
            stopped: self.stopped.as_ref(),
            stopped_judges: &self.stopped_judges,
            unanswered: self.unanswered.as_ref(),
            budget: self.budget.as_ref(),
        }
    }
}

/// How a run of judges ended, whatever it asked.
#[derive(Clone, Copy)]
pub(super) struct RunEnd<'a> {
    pub(super) tallies: &'a [JudgeTally],
    pub(super) stopped: Option<&'a StopReason>,
    pub(super) stopped_judges: &'a [JudgeStop],
    pub(super) unanswered: Option<&'a JudgeFailure>,
    pub(super) budget: Option<&'a BudgetEnd>,
}

impl RunEnd<'_> {
    /// Returns why nothing was judged, as [`JudgingOutcome::cause_of_nothing`] does.
    pub(super) fn cause_of_nothing(&self) -> Option<StudyError> {
        let by_user = matches!(self.stopped, Some(StopReason::Cancelled | StopReason::Unmetered { .. }));
        let answered = self.tallies.iter().any(|judge| judge.judged + judge.unusable + judge.refused > 0);
        let JudgeFailure { judge, failure } = self.unanswered.filter(|_| !answered && !by_user)?;
        let cause = match self.stopped {
            Some(reason) if !matches!(reason, StopReason::Budget(_) | StopReason::TimeOver) => {
                reason.to_string()
            }
            _ => format!(
                "judge {judge}: no request was answered, the last because of this: {failure}; check the judge, then \
                 run again"
            ),
        };
        Some(StudyError::Ledger(LedgerError::NothingAnswered(cause)))
    }

    /// Returns warnings; `noun` names the questions of the judge at a place.
    pub(super) fn warnings(&self, noun: impl Fn(usize) -> &'static str) -> Vec<String> {
        let judges = || self.tallies.iter().enumerate();
        let mut warnings: Vec<String> = self.stopped_judges.iter().map(stop_text).collect();
        warnings.extend(judges().filter(|(_, judge)| judge.refused > 0).map(|(place, judge)| {
            format!(
                "judge {}: its server refused {} of {} {} because of their text (a content filter, or too long). They \
                 have no label, and no run asks them again, but for --retry refused",
                judge.judge,
                count(judge.refused),
                count(judge.planned),
                noun(place)
            )
        }));
        // A run that waits for batches did not end early.
        let stopped = self.stopped.filter(|reason| !matches!(reason, StopReason::Waiting(_)));
        match (stopped, self.budget) {
            (Some(StopReason::NoJudgeLeft), _) => return warnings,
            (Some(StopReason::Cancelled), _) => warnings.push(
                "interrupted; all answers so far are in the ledger, and the same command continues from here".into(),
            ),
            (Some(_), Some(end)) => warnings.push(format!("stopped before the end: {end}")),
            (Some(reason), None) => warnings.push(format!("stopped before the end: {reason}")),
            // Given-up questions are part of an early end.
            (None, _) => warnings.extend(judges().filter(|(_, judge)| judge.gave_up > 0).map(|(place, judge)| {
                format!(
                    "judge {}: {} of {} {noun} failed, for the reasons above. Run again when these are solved: llull \
                     retries failed {noun}",
                    judge.judge,
                    count(judge.gave_up),
                    count(judge.planned),
                    noun = noun(place)
                )
            })),
        }
        warnings
    }
}

/// How many characters of a reply are shown.
const SHOWN: usize = 500;

/// Describes why a judge was stopped: how many replies, one of them, the likely cause, and how to go on.
fn stop_text(stop: &JudgeStop) -> String {
    let JudgeStop { judge, found, reason, detail, topic, document, .. } = stop;
    let reply = match stop.reply.as_deref().map(excerpt) {
        Some(text) if text.is_empty() => String::from("  its reply is empty\n"),
        Some(text) => format!("  its reply: {text}\n"),
        None => String::new(),
    };
    let cause = stop.likely_cause();
    format!(
        "judge {judge} was stopped: {found}. Its answers are in the ledger, and other judges go on\n  \
         query {topic}, document {document}: {reason} ({detail})\n{reply}  \
         likely cause: {cause}\n  \
         the same command goes on after these replies, and stops again at the next unparsable one; --retry unparsable \
         repeats their questions, --keep-going does not stop"
    )
}

/// Returns the beginning of a reply on one line.
fn excerpt(reply: &str) -> String {
    let line = reply.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
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
