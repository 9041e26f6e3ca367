//! Events of a run, and the trait that receives them.

use std::time::Duration;

use llull_core::{Attempt, Failure};
use llull_llm::RateLimit;

use crate::judge_stop::JudgeStop;
use crate::outcome::{RunOutcome, StopReason};

/// An event of a run. Judges are identified by their position. Attempts are reported once they are in the ledger.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// A wave begins. A run has one wave, unless questions depend on earlier answers.
    Wave {
        /// The wave's number, from 0.
        wave: usize,
        /// The number of questions. Each judge gets all of them.
        questions: usize,
        /// The number of tasks, of all judges, whose answer is in the ledger.
        reused: usize,
        /// Whether the questions are repetitions, whose answers are not votes.
        again: bool,
    },
    /// A run begins that makes at most so many attempts.
    Limited {
        /// The number of attempts.
        attempts: u64,
    },
    /// A judge's tasks of a wave are known. Sent once for each judge and wave, before any request.
    Planned {
        /// The judge's position.
        judge: usize,
        /// The judge's name.
        name: &'a str,
        /// The number of tasks in this wave.
        tasks: usize,
        /// The number of tasks whose answer is in the ledger.
        reused: usize,
        /// The number of tasks that share the answer of another task with the same key.
        shared: usize,
        /// The number of tasks with a document whose text is missing.
        without_text: usize,
    },
    /// A verdict has arrived. The task is done.
    Judged {
        /// The judge's position.
        judge: usize,
        /// The attempt.
        attempt: &'a Attempt,
    },
    /// An answer has arrived that cannot be counted.
    Unusable {
        /// The judge's position.
        judge: usize,
        /// The attempt.
        attempt: &'a Attempt,
        /// Whether the question will be repeated. If not, the task is done.
        again: bool,
    },
    /// The judge's server refuses this one question, which is not repeated. The task is done, without a judgment.
    Refused {
        /// The judge's position.
        judge: usize,
        /// The attempt.
        attempt: &'a Attempt,
    },
    /// An attempt has failed.
    AttemptFailed {
        /// The judge's position.
        judge: usize,
        /// The attempt.
        attempt: &'a Attempt,
        /// The time until the next try, or `None` if no try follows.
        retry_in: Option<Duration>,
    },
    /// A task is given up after a failure. It is done, without a judgment.
    GaveUp {
        /// The judge's position.
        judge: usize,
        /// The last attempt.
        attempt: &'a Attempt,
        /// The attempt's failure.
        failure: &'a Failure,
    },
    /// The judge's server limits the rate of requests, and refuses too many of them. The judge gets no new question
    /// during the pause.
    Paused {
        /// The judge's position.
        judge: usize,
        /// The length of the pause.
        pause: Duration,
    },
    /// The judge waits, because its server states that too little is left of a limit of its account. Only its first
    /// such wait is reported.
    Waiting {
        /// The judge's position.
        judge: usize,
        /// The limit.
        limit: &'a RateLimit,
        /// The length of the wait.
        pause: Duration,
    },
    /// A judge has a notice for readers of the results.
    Notice {
        /// The judge's position.
        judge: usize,
        /// The notice.
        text: &'a str,
    },
    /// A judge stops, since its replies are unparsable. The others go on.
    JudgeStopped {
        /// The judge's position.
        judge: usize,
        /// The reason.
        stop: &'a JudgeStop,
    },
    /// The run stops: it sends no new questions.
    Stopping {
        /// The reason.
        reason: &'a StopReason,
        /// The number of questions in flight, which the run waits for.
        in_flight: usize,
    },
    /// The run has ended.
    Finished(&'a RunOutcome),
}

/// Receives the events of a run, in order and on one thread. The run waits for each call, so it should return quickly.
pub trait Reporter {
    /// Receives an event.
    fn event(&self, event: Event<'_>);
}

/// A reporter that ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn event(&self, _: Event<'_>) {}
}
