//! The result of a run.

use std::fmt;

use llull_core::{Failure, FailureKind};
use llull_llm::GiveUp;

use crate::{
    budget::{Limit, Spent},
    evidence::Evidence,
    judge_stop::JudgeStop,
};

/// The reason why a run stopped before its end.
#[derive(Debug, Clone, PartialEq)]
pub enum StopReason {
    /// [`Cancel`](crate::Cancel) was used, or the runtime was shut down.
    Cancelled,
    /// The time of the run is over ([`Cancel::expire`](crate::Cancel::expire)).
    TimeOver,
    /// The budget is spent.
    Budget(Limit),
    /// There is a budget, and the cost of this judge's answers is unknown.
    Unmetered {
        /// The judge.
        judge: String,
        /// The limit that cannot be checked.
        limit: Limit,
    },
    /// Every further question to this judge would fail in the same way.
    Judge {
        /// The judge.
        judge: String,
        /// The failure.
        failure: Failure,
    },
    /// Too many tasks of this judge in a row were given up.
    Failing {
        /// The judge.
        judge: String,
        /// The number of tasks.
        tasks: u32,
        /// The last failure.
        failure: Failure,
    },
    /// So many questions of batches have no answer yet.
    Waiting(usize),
    /// So many questions are in batches at a provider, and this run does not wait for those.
    Elsewhere(usize),
    /// Every judge was stopped, because its replies are unparsable.
    NoJudgeLeft,
}

/// A failure of a judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgeFailure {
    /// The judge's name in the study.
    pub judge: String,
    /// The failure.
    pub failure: Failure,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("interrupted"),
            Self::TimeOver => f.write_str("its time is over; the same command goes on"),
            Self::Budget(limit) => write!(
                f,
                "the budget of {} is spent; run again with a new budget; saved answers are not paid for again",
                limit.name()
            ),
            Self::Unmetered { judge, limit: Limit::Usd } => write!(
                f,
                "there is a budget in US dollars, but the price of judge {judge} is unknown; state its price, or \
                 limit tokens or attempts instead"
            ),
            Self::Unmetered { judge, limit } => write!(
                f,
                "there is a budget of {}, but the server of judge {judge} does not count them; limit attempts \
                 instead",
                limit.name()
            ),
            Self::Waiting(1) => f.write_str("1 request of a batch has no reply yet"),
            Self::Waiting(requests) => write!(f, "{requests} requests of batches have no reply yet"),
            Self::Elsewhere(requests) => write!(
                f,
                "{requests} of its requests are in batches at a provider (llull batch status): llull run --batch waits \
                 for them and records the replies, also after llull batch cancel; --accept-loss pays for them again"
            ),
            Self::NoJudgeLeft => f.write_str("no judge is left that can answer"),
            Self::Judge { judge, failure } => match GiveUp::too_long(failure) {
                Some(too_long) => write!(f, "judge {judge}: {failure}; {too_long}"),
                None => write!(f, "judge {judge}: {failure}; {}", remedy(failure.kind)),
            },
            Self::Failing { judge, tasks, failure } => write!(
                f,
                "judge {judge}: {tasks} tasks in a row were given up, the last because of this: {failure}; \
                 check the server, then run again; saved answers are not paid for again"
            ),
        }
    }
}

fn remedy(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Unauthorized => "check the key and what it may do",
        FailureKind::NotFound => "check the model's name and the base URL",
        FailureKind::Quota => "add credit, or name another model; saved answers are not paid for again",
        _ => "run again later; saved answers are not paid for again",
    }
}

/// The result of one judge's part of a run.
///
/// Each task is in one count: `planned = judged + unusable + refused + gave_up + not_asked + without_text`. `reused`
/// and `shared` are the numbers of these that needed no request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgeOutcome {
    /// The judge's name in the study.
    pub name: String,
    /// All tasks: questions times samples.
    pub planned: usize,
    /// Tasks whose answer was in the ledger.
    pub reused: usize,
    /// Tasks that were answered by another task with the same key (two documents with the same text) in the same wave.
    pub shared: usize,
    /// Tasks with a verdict.
    pub judged: usize,
    /// Tasks with unusable answers only, which are not repeated.
    pub unusable: usize,
    /// Tasks that the judge's server refused. They are repeated only on request.
    pub refused: usize,
    /// Tasks that this run has given up after failures. The next run asks them.
    pub gave_up: usize,
    /// Tasks that are open because the run stopped early. The next run asks them.
    pub not_asked: usize,
    /// Tasks with a document whose text is missing.
    pub without_text: usize,
}

impl JudgeOutcome {
    /// Returns the number of tasks without a verdict.
    pub fn missing(&self) -> usize {
        self.planned - self.judged
    }
}

/// The result of a run.
#[derive(Debug, Clone, Default)]
pub struct RunOutcome {
    /// The status of every question of the plan with every judge.
    pub evidence: Evidence,
    /// Each judge's part, over all waves, in the order in which the judges were given.
    pub judges: Vec<JudgeOutcome>,
    /// The reason why the run stopped before its end, if it did.
    pub stopped: Option<StopReason>,
    /// The judges that were stopped because their replies are unparsable.
    pub stopped_judges: Vec<JudgeStop>,
    /// The last failure, if no attempt of the run was answered.
    pub unanswered: Option<JudgeFailure>,
    /// The attempts, tokens and cost of the run.
    pub spent: Spent,
    /// The number of questions in flight when the run was aborted. They may have been paid for.
    pub abandoned: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Retry-After of over ten minutes stopped the run without a word on how long the wait is.
    #[test]
    fn a_stop_says_how_long_the_server_asks_to_wait() {
        let failure = Failure {
            retry_after_ms: Some(7_500_000),
            ..Failure::new(FailureKind::RateLimited, "http://h answered 429")
        };
        let stop = StopReason::Judge { judge: "j".into(), failure };
        assert_eq!(
            stop.to_string(),
            "judge j: rate limited: http://h answered 429; the server asks to wait 2 h 5 min, and llull waits 10 min \
             at most; run again after that, and saved answers are not paid for again"
        );
    }
}
