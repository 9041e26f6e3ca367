//! What a run came to.

use std::{fmt, sync::Arc};

use llull_core::{Failure, FailureKind};
use llull_store::{JudgeId, Known};

use crate::{Limit, Workload};

/// How one task stands at the end of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// It has a verdict, or an unusable answer that is not asked again.
    Answered(Known),
    /// Failures only, and no further attempt. The next run asks again.
    GaveUp(FailureKind),
    /// The run stopped before it had an answer. The next run asks it.
    NotAsked,
    /// The judge reads text and a document that the question shows has none.
    WithoutText,
}

impl Ended {
    /// What is known of it, if anything.
    pub fn known(&self) -> Option<&Known> {
        match self {
            Self::Answered(known) => Some(known),
            Self::GaveUp(_) | Self::NotAsked | Self::WithoutText => None,
        }
    }
}

/// Why a run stopped before its end.
#[derive(Debug, Clone, PartialEq)]
pub enum StopReason {
    /// Someone asked for it.
    Cancelled,
    /// The budget is spent.
    Budget(Limit),
    /// There is a budget, and this judge's answers do not say what they use of it.
    Unmetered {
        /// The judge.
        judge: String,
        /// The limit that cannot be kept.
        limit: Limit,
    },
    /// Every further question to this judge would fail like this one.
    Judge {
        /// The judge.
        judge: String,
        /// The failure.
        failure: Failure,
    },
    /// So many tasks of this judge in a row were given up.
    Failing {
        /// The judge.
        judge: String,
        /// How many.
        tasks: u32,
        /// The last failure.
        failure: Failure,
    },
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("interrupted"),
            Self::Budget(limit) => write!(
                f,
                "the budget of {} is spent; run again, with a new budget, and what is judged is not asked again",
                limit.name()
            ),
            Self::Unmetered { judge, limit: Limit::Usd } => write!(
                f,
                "there is a budget in US dollars and the price of judge {judge} is unknown; state its price, or \
                 limit tokens or attempts instead"
            ),
            Self::Unmetered { judge, limit } => write!(
                f,
                "there is a budget of {} and the server of judge {judge} does not count them; limit attempts instead",
                limit.name()
            ),
            Self::Judge { judge, failure } => {
                write!(f, "judge {judge}: {failure}; {}", remedy(failure.kind))
            }
            Self::Failing { judge, tasks, failure } => write!(
                f,
                "judge {judge}: {tasks} tasks in a row were given up, the last because of this: {failure}; \
                 see to the server, then run again, and what is judged is not asked again"
            ),
        }
    }
}

fn remedy(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Unauthorized => "check the key and what it may do",
        FailureKind::NotFound => "check the model's name and the base URL",
        FailureKind::Quota => "add credit, or name another model; what is judged is not asked again",
        _ => "run again later; what is judged is not asked again",
    }
}

/// What this run's answers used. Failed attempts are counted, and add what they are known to have used.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    /// Attempts, failed ones included.
    pub attempts: u64,
    /// Tokens of prompts and replies, as far as they were counted.
    pub tokens: u64,
    /// Answers whose tokens were not counted.
    pub uncounted: u64,
    /// US dollars, as far as prices are known; `None` when none is.
    pub usd: Option<f64>,
    /// Answers whose price is unknown.
    pub unpriced: u64,
}

/// What one judge's part of a run, or of one of its waves, came to.
///
/// `planned = judged + unusable + gave_up + not_asked + without_text`: every task ends somewhere. `reused` and
/// `shared` say how many of these were not asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeOutcome {
    /// Its number in the ledger.
    pub id: JudgeId,
    /// Its name in the study.
    pub name: String,
    /// Tasks: questions times samples.
    pub planned: usize,
    /// Tasks whose answer was in the ledger.
    pub reused: usize,
    /// Tasks answered by another task of this run that asks the same (two documents with one text). Counted within a wave.
    pub shared: usize,
    /// Tasks with a verdict.
    pub judged: usize,
    /// Tasks with unusable answers only.
    pub unusable: usize,
    /// Tasks with failures only.
    pub gave_up: usize,
    /// Tasks that the run did not come to.
    pub not_asked: usize,
    /// Tasks that need a text that is not there.
    pub without_text: usize,
    pub(crate) samples: usize,
    pub(crate) ends: Vec<Ended>,
}

impl JudgeOutcome {
    /// How each question stands, in the order of the workload's questions, one wave after the other; one entry for each
    /// sample.
    pub fn questions(&self) -> impl ExactSizeIterator<Item = &[Ended]> {
        self.ends.chunks_exact(self.samples)
    }

    /// Adds a later wave.
    pub(crate) fn add(&mut self, wave: Self) {
        self.planned += wave.planned;
        self.reused += wave.reused;
        self.shared += wave.shared;
        self.judged += wave.judged;
        self.unusable += wave.unusable;
        self.gave_up += wave.gave_up;
        self.not_asked += wave.not_asked;
        self.without_text += wave.without_text;
        self.ends.extend(wave.ends);
    }

    /// Tasks without a verdict.
    pub fn missing(&self) -> usize {
        self.planned - self.judged
    }
}

/// How a wave has ended. Depends on what was answered, never on the order in which answers arrived.
#[derive(Debug, Clone, Copy)]
pub struct WaveOutcome<'a> {
    /// Its number, from 0.
    pub wave: usize,
    /// What was asked.
    pub workload: &'a Arc<Workload>,
    /// Each judge's part of this wave, in the order in which the judges were given; its
    /// [`questions`](JudgeOutcome::questions) stand in the order of the workload's.
    pub judges: &'a [JudgeOutcome],
    /// Why the run stops with this wave, if it does. Some of the wave's questions may not have been asked.
    pub stopped: Option<&'a StopReason>,
    /// What the run has used so far.
    pub spent: Spent,
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOutcome {
    /// Each judge's part of all waves, in the order in which the judges were given.
    pub judges: Vec<JudgeOutcome>,
    /// How many waves it had, one that it stopped in included.
    pub waves: usize,
    /// Why it stopped before its end, if it did.
    pub stopped: Option<StopReason>,
    /// What it used.
    pub spent: Spent,
    /// Questions that were in flight when the run was aborted. They may have been paid for.
    pub abandoned: usize,
}

impl RunOutcome {
    /// Whether every task has a verdict.
    pub fn is_complete(&self) -> bool {
        self.judges.iter().all(|judge| judge.missing() == 0)
    }
}
