//! What a run came to.

use std::fmt;

use llull_core::{Failure, FailureKind};

use crate::{evidence::Evidence, options::Limit};

/// Why a run stopped before its end.
#[derive(Debug, Clone, PartialEq)]
pub enum StopReason {
    /// [`Cancel`](crate::Cancel) asked for it.
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

/// What one judge's part of a run came to.
///
/// `planned = judged + unusable + gave_up + not_asked + without_text`: every task ends somewhere. `reused` and
/// `shared` say how many of these were not asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgeOutcome {
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
    /// Tasks with unusable answers only, which are not asked again.
    pub unusable: usize,
    /// Tasks that this run has given up, after failures. The next run asks them.
    pub gave_up: usize,
    /// Tasks that are open because the run stopped before. The next run asks them.
    pub not_asked: usize,
    /// Tasks that need a text that is not there.
    pub without_text: usize,
}

impl JudgeOutcome {
    /// Returns how many tasks have no verdict.
    pub fn missing(&self) -> usize {
        self.planned - self.judged
    }
}

/// What a run came to.
#[derive(Debug, Clone, Default)]
pub struct RunOutcome {
    /// How every question of the plan stands with every judge.
    pub evidence: Evidence,
    /// Each judge's part of all waves, in the order in which the judges were given.
    pub judges: Vec<JudgeOutcome>,
    /// Why it stopped before its end, if it did.
    pub stopped: Option<StopReason>,
    /// What it used.
    pub spent: Spent,
    /// Questions that were in flight when the run was aborted. They may have been paid for.
    pub abandoned: usize,
}

impl RunOutcome {
    /// Returns whether every task has a verdict.
    pub fn is_complete(&self) -> bool {
        self.evidence.is_complete()
    }
}
