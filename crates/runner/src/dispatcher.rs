//! The dispatcher: the state of a run, which decides the next requests.
//!
//! The driver appends an answer to the ledger before the dispatcher observes it. The dispatcher has no I/O and no
//! clock: the time is an argument, so every rule can be tested without waiting.

use std::{collections::BTreeSet, time::Duration};

use llull_core::{Attempt, Failure, FailureKind, Outcome, Scope};
use llull_llm::{GiveUp, RateLimit};
use tokio::time::Instant;

use crate::{
    accounts::{Accounts, UsedUp},
    budget::{Spending, Spent},
    index::JudgeIndex,
    judge_queue::JudgeQueue,
    judge_stop::JudgeStop,
    options::RunOptions,
    outcome::{JudgeFailure, StopReason},
    wave::{JudgeWave, Ticket},
};

/// Questions to ask one judge now.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) judge: JudgeIndex,
    pub(crate) tickets: Vec<Ticket>,
}

/// The consequences of an attempt.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Consequence {
    /// Whether the question is repeated after an unusable answer.
    pub(crate) again: bool,
    /// The time until the question is tried again after a failure.
    pub(crate) retry_in: Option<Duration>,
    /// Whether the task was given up.
    pub(crate) gave_up: bool,
    /// The length of the pause, if the judge was paused.
    pub(crate) paused: Option<Duration>,
    /// Whether the judge is stopped because of this attempt.
    pub(crate) stops_judge: bool,
    /// Whether the run stops because of this attempt.
    pub(crate) stops: bool,
}

/// The state of a run.
#[derive(Debug)]
pub(crate) struct Dispatcher {
    queues: Vec<JudgeQueue>,
    options: RunOptions,
    /// The next queue to serve. Judges take turns.
    turn: usize,
    spending: Spending,
    stopped: Option<StopReason>,
    /// The number of questions of batches without an answer yet.
    deferred: usize,
    /// The last failure, as long as no attempt was answered.
    unanswered: Option<JudgeFailure>,
    accounts: Accounts,
    /// The first wait of each judge for a limit of its account that was not reported yet.
    waits: Vec<(JudgeIndex, RateLimit, Duration)>,
    /// The judges that wait for answers, because the budget may be reached by what is in flight.
    held: BTreeSet<usize>,
    /// The judges that have waited for such a limit.
    waited: BTreeSet<usize>,
}

impl Dispatcher {
    pub(crate) fn new(options: RunOptions) -> Self {
        Self {
            queues: Vec::new(),
            spending: Spending::new(options.budget, options.study_budget, options.batches_at_most),
            options,
            turn: 0,
            stopped: None,
            deferred: 0,
            unanswered: None,
            accounts: Accounts::default(),
            waits: Vec::new(),
            held: BTreeSet::new(),
            waited: BTreeSet::new(),
        }
    }

    /// Begins the next wave. No question of the previous wave may be in flight.
    pub(crate) fn begin(&mut self, waves: Vec<JudgeWave>) {
        for (account, limits) in waves.iter().filter_map(|wave| wave.set_limits.as_ref()) {
            self.options.account_use.lock().set(account, *limits);
        }
        let mut waves = waves.into_iter();
        self.queues.iter_mut().zip(&mut waves).for_each(|(queue, wave)| queue.begin(wave));
        self.queues.extend(waves.map(JudgeQueue::new));
    }

    pub(crate) fn queue(&self, judge: JudgeIndex) -> Option<&JudgeQueue> {
        self.queues.get(judge.0)
    }

    /// Returns the reason to stop, if there is one.
    pub(crate) fn stopped(&self) -> Option<&StopReason> {
        self.stopped.as_ref()
    }

    /// Returns the judges that were stopped because they cannot answer.
    pub(crate) fn stopped_judges(&self) -> impl Iterator<Item = &JudgeStop> {
        self.queues.iter().filter_map(JudgeQueue::stopped)
    }

    /// Returns the last failure if no attempt was answered.
    pub(crate) fn unanswered(&self) -> Option<&JudgeFailure> {
        self.unanswered.as_ref().filter(|_| self.spent().answered == 0)
    }

    /// Returns the attempts, tokens and cost so far.
    pub(crate) fn spent(&self) -> Spent {
        self.spending.spent()
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.queues.iter().map(JudgeQueue::in_flight).sum()
    }

    /// Returns whether no request is in flight and none will follow.
    pub(crate) fn is_done(&self) -> bool {
        self.in_flight() == 0 && (self.stopped.is_some() || !self.queues.iter().any(JudgeQueue::has_work))
    }

    /// Stops new requests. Only the first reason counts.
    pub(crate) fn stop(&mut self, reason: StopReason) {
        self.stopped.get_or_insert(reason);
    }

    /// Takes back a question of a batch that has no answer yet. It counts for the limit of attempts, so that a run
    /// sends no more than that.
    pub(crate) fn defer(&mut self, judge: JudgeIndex, ticket: &Ticket) {
        let Some(queue) = self.queues.get_mut(judge.0) else { return };
        queue.deferred(ticket);
        self.deferred += 1;
    }

    /// Takes back a question that is not sent, because another run has it or has answered it.
    pub(crate) fn not_sent(&mut self, judge: JudgeIndex, ticket: &mut Ticket, now: Instant) {
        self.spending.not_sent();
        if let Some(queue) = self.queues.get_mut(judge.0) {
            queue.not_sent(ticket);
            if let Some(account) = queue.account() {
                self.options.account_use.lock().not_sent(account, now);
            }
        }
    }

    /// Asks a question that another run had, and has not answered.
    pub(crate) fn put_back(&mut self, judge: JudgeIndex, ticket: Ticket) {
        if let Some(queue) = self.queues.get_mut(judge.0) {
            queue.put_back(ticket);
        }
    }

    /// Observes an attempt of another run at the same study: it counts for the study's limits, and a server that wants
    /// fewer requests wants fewer of all runs.
    pub(crate) fn observe_other_run(&mut self, judge: Option<JudgeIndex>, attempt: &Attempt, now: Instant) {
        self.spending.count_other_run(attempt);
        let limited = match &attempt.answer.outcome {
            Outcome::Failed(failure) if failure.kind == FailureKind::RateLimited => failure.retry_after_ms,
            _ => None,
        };
        if let (Some(wait), Some(queue)) = (limited, judge.and_then(|judge| self.queues.get_mut(judge.0))) {
            queue.pause(now, now + Duration::from_millis(wait));
        }
    }

    /// Stops the run after a wave with questions that have no answer yet: later waves depend on the answers.
    pub(crate) fn stop_if_deferred(&mut self) {
        if self.deferred > 0 {
            self.stop(StopReason::Waiting(self.deferred));
        }
    }

    /// Returns the next questions to send, if any may be sent now.
    pub(crate) fn next(&mut self, now: Instant) -> Option<Batch> {
        if self.stopped.is_none()
            && self.queues.iter().any(JudgeQueue::has_work)
            && let Some(limit) = self.spending.reached()
        {
            self.stop(StopReason::Budget(limit));
        }
        if self.stopped.is_some() {
            return None;
        }
        self.held = self.held();
        let allowed = self.spending.attempts_left();
        let order: Vec<usize> = if self.options.side_by_side {
            (0..self.queues.len()).map(|step| (self.turn + step) % self.queues.len()).collect()
        } else {
            // The first judge that is not done, or the batches for which the rest of the budget is reserved.
            let is_busy = |at: &usize| self.queues.get(*at).is_some_and(JudgeQueue::is_busy);
            let busy: Vec<usize> = (0..self.queues.len()).filter(is_busy).collect();
            let free = busy.iter().find(|at| !self.held.contains(*at)).filter(|_| self.in_flight() == 0);
            free.or(busy.first()).copied().into_iter().collect()
        };
        for at in order.into_iter().filter(|at| !self.held.contains(at)).collect::<Vec<_>>() {
            let room = self.room(at, now);
            let Some(queue) = self.queues.get_mut(at) else { continue };
            let room = match room {
                Ok(room) => room,
                Err(UsedUp { limit, until }) => {
                    if self.waited.insert(at) {
                        self.waits.push((JudgeIndex(at), limit, until - now));
                    }
                    queue.pause(now, until);
                    continue;
                }
            };
            let tickets = queue.take(now, allowed.min(room));
            if !tickets.is_empty() {
                self.turn = at + 1;
                self.spending.start(tickets.len() as u64);
                if let Some(account) = queue.account() {
                    self.options.account_use.lock().start(account, tickets.len() as u64, now);
                }
                return Some(Batch { judge: JudgeIndex(at), tickets });
            }
        }
        None
    }

    /// Returns the judges that have to wait for answers before they send another request: all of those that cost
    /// something, if the budget may be reached by what is in flight, else those whose first request is in flight, if
    /// something limits its cost. What batches may cost is known to fit before they are sent, so they wait for nothing.
    fn held(&self) -> BTreeSet<usize> {
        let live = || {
            let queues = self.queues.iter().enumerate();
            queues.filter(|(_, queue)| !queue.in_process() && !queue.in_batches())
        };
        let in_flight = live().map(|(at, queue)| (JudgeIndex(at), queue.in_flight()));
        let batches = self.queues.iter().any(|queue| queue.in_batches() && queue.is_busy());
        let limited = self.spending.is_limited();
        let all = limited && self.spending.may_be_reached(in_flight, batches);
        let accounts = self.options.account_use.lock();
        let waits = |(at, queue): &(usize, &JudgeQueue)| {
            let is_unknown = limited && !self.spending.is_known(JudgeIndex(*at));
            let has_limit = || queue.account().is_some_and(|account| accounts.limits_tokens(account));
            let no_mean = || queue.reserved().1.prompt_tokens.is_none() && has_limit();
            all || (queue.in_flight() > 0 && (is_unknown || no_mean()))
        };
        live().filter(waits).map(|(at, _)| at).collect()
    }

    /// Returns how many requests a judge may send within the limits of its account.
    fn room(&self, at: usize, now: Instant) -> Result<u64, UsedUp> {
        let queue = self.queues.get(at).filter(|queue| queue.is_ready(now));
        let Some((queue, account)) = queue.and_then(|queue| Some((queue, queue.account()?))) else {
            return Ok(u64::MAX);
        };
        let of_account = self.queues.iter().filter(|queue| queue.account() == Some(account));
        let in_flight: Vec<_> = of_account.map(JudgeQueue::reserved).collect();
        let mean = queue.reserved().1;
        let room = self.accounts.room(account, &mean, &in_flight, now)?;
        let all = self.queues.iter().filter(|queue| queue.account() == Some(account));
        let all: Vec<_> = all.map(|queue| (queue.in_flight(), queue.reserved().1)).collect();
        Ok(room.min(self.options.account_use.lock().room(account, &mean, &all, now)?))
    }

    /// Records the limits of a judge's account, as its server stated them last.
    pub(crate) fn state_limits(&mut self, judge: JudgeIndex, account: &str, limits: Vec<RateLimit>) {
        if let Some(queue) = self.queues.get_mut(judge.0) {
            queue.set_account(account);
        }
        if let Some(at) = self.accounts.state(account, limits) {
            let of_account = self.queues.iter_mut().filter(|queue| queue.account() == Some(account));
            of_account.for_each(|queue| queue.counted(at));
        }
    }

    /// Returns the first wait of each judge for a limit of its account, once.
    pub(crate) fn take_waits(&mut self) -> Vec<(JudgeIndex, RateLimit, Duration)> {
        std::mem::take(&mut self.waits)
    }

    /// Returns the time to call [`next`](Self::next) again if no answer arrives before.
    pub(crate) fn wake_at(&self) -> Option<Instant> {
        if self.stopped.is_some() {
            return None;
        }
        let free = self.queues.iter().enumerate().filter(|(at, _)| !self.held.contains(at));
        free.filter_map(|(_, queue)| queue.wake_at()).min()
    }

    /// Observes an attempt that has been appended to the ledger.
    #[cfg(test)]
    pub(crate) fn observe(
        &mut self,
        judge: JudgeIndex,
        ticket: Ticket,
        attempt: &Attempt,
        now: Instant,
    ) -> Consequence {
        self.observe_reply(judge, ticket, attempt, true, now)
    }

    /// Observes an attempt that has been appended to the ledger. `counts` is true if an unusable answer counts against
    /// the judge.
    pub(crate) fn observe_reply(
        &mut self,
        judge: JudgeIndex,
        ticket: Ticket,
        attempt: &Attempt,
        counts: bool,
        now: Instant,
    ) -> Consequence {
        let mut consequence = Consequence::default();
        let before = self.stopped.is_some();
        let in_batches = self.queue(judge).is_some_and(JudgeQueue::in_batches);
        if let Some(limit) = self.spending.count(judge, in_batches, attempt) {
            let judge = self.queue(judge).map(|queue| queue.name().to_owned()).unwrap_or_default();
            self.stop(StopReason::Unmetered { judge, limit });
        }
        let Some(queue) = self.queues.get_mut(judge.0) else { return consequence };
        queue.finished();
        if let Some(account) = queue.account() {
            self.options.account_use.lock().answered(account, &attempt.answer.usage, now);
        }
        match &attempt.answer.outcome {
            Outcome::Failed(failure) => self.failed(judge, ticket, failure, now, &mut consequence),
            _ => consequence.again = queue.answered(ticket, attempt, counts),
        }
        self.stop_if_unusable(judge, &mut consequence);
        consequence.stops = !before && self.stopped.is_some();
        consequence
    }

    /// Stops the judge if it cannot answer, and the run if no judge is left.
    fn stop_if_unusable(&mut self, judge: JudgeIndex, consequence: &mut Consequence) {
        let (Some(limits), Some(queue)) = (&self.options.unusable, self.queues.get_mut(judge.0)) else {
            return;
        };
        if queue.stop_if_unusable(limits).is_none() {
            return;
        }
        consequence.again = false;
        consequence.stops_judge = true;
        if self.queues.iter().all(|queue| queue.stopped().is_some()) {
            self.stop(StopReason::NoJudgeLeft);
        }
    }

    fn failed(
        &mut self,
        judge: JudgeIndex,
        mut ticket: Ticket,
        failure: &Failure,
        now: Instant,
        consequence: &mut Consequence,
    ) {
        let Some(queue) = self.queues.get_mut(judge.0) else { return };
        self.unanswered = Some(JudgeFailure { judge: queue.name().to_owned(), failure: failure.clone() });
        if queue.stopped().is_some() {
            return;
        }
        ticket.failures += 1;
        ticket.attempts += 1;
        // What failed in one batch is sent again in one batch.
        let jitter = if queue.in_batches() { 1.0 } else { jitter(&self.options, &ticket) };
        let policy = self.options.retry;
        if let Some(wait) = policy.delay(ticket.failures, failure, jitter) {
            if failure.kind == FailureKind::RateLimited || failure.retry_after_ms.is_some() {
                consequence.paused = queue.limited(now, wait);
            }
            consequence.retry_in = Some(wait);
            queue.wait(ticket, now + wait);
            return;
        }
        consequence.gave_up = true;
        let in_a_row = queue.give_up(&ticket, failure.kind.scope());
        let judge = queue.name().to_owned();
        let too_long = matches!(policy.gives_up(ticket.failures, failure), Some(GiveUp::TooLong(_)));
        if too_long || failure.kind.scope() == Scope::Judge {
            self.stop(StopReason::Judge { judge, failure: failure.clone() });
        } else if in_a_row >= self.options.give_up_limit {
            self.stop(StopReason::Failing { judge, tasks: in_a_row, failure: failure.clone() });
        }
    }
}

/// Returns a pseudorandom number from 0 to 1 that depends on the seed, the task and its failures, but not on the
/// order of events.
fn jitter(options: &RunOptions, ticket: &Ticket) -> f64 {
    let drawn = options.seed.stream(&format!("retry {} {}", ticket.key, ticket.failures));
    (drawn >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use llull_core::{GradedVerdict, Usage, Verdict};
    use llull_llm::RetryPolicy;
    use llull_store::JudgeLog;

    use super::*;
    use crate::account_limits::AccountLimits;
    use crate::budget::Budget;

    fn wave(tasks: u32, concurrency: usize) -> JudgeWave {
        let mut log = JudgeLog::default();
        let todo = (0..tasks).map(|slot| Ticket::sample(slot, &mut log)).collect();
        JudgeWave { concurrency, todo, tasks: tasks as usize, ..JudgeWave::sample() }
    }

    fn attempt(ticket: &Ticket, outcome: Outcome) -> Attempt {
        Attempt::new(ticket.key, outcome)
    }

    fn judged() -> Outcome {
        Outcome::Judged { verdict: Verdict::Graded(GradedVerdict::default()) }
    }

    fn options() -> RunOptions {
        let second = Duration::from_secs(1);
        RunOptions { retry: RetryPolicy { attempts: 3, base: second, cap: second }, ..RunOptions::default() }
    }

    fn dispatcher(waves: Vec<JudgeWave>, options: RunOptions) -> Dispatcher {
        let mut dispatcher = Dispatcher::new(options);
        dispatcher.begin(waves);
        dispatcher
    }

    fn take(dispatcher: &mut Dispatcher, now: Instant) -> Vec<Ticket> {
        std::iter::from_fn(|| dispatcher.next(now)).flat_map(|batch| batch.tickets).collect()
    }

    #[test]
    fn a_task_that_waits_for_its_retry_keeps_its_place() {
        let mut dispatcher = dispatcher(vec![wave(10, 2)], options());
        let now = Instant::now();
        let batch = take(&mut dispatcher, now);
        assert_eq!(batch.len(), 2);
        for ticket in batch {
            let failed = attempt(&ticket, Outcome::Failed(Failure::new(FailureKind::Connection, "")));
            let consequence = dispatcher.observe(JudgeIndex(0), ticket, &failed, now);
            assert!(consequence.retry_in.is_some() && consequence.paused.is_none());
        }
        assert_eq!(take(&mut dispatcher, now), [], "both places are taken by retries");
        let wake_at = dispatcher.wake_at().unwrap();
        assert!(wake_at <= now + Duration::from_secs(1));
        let later = take(&mut dispatcher, now + Duration::from_secs(1));
        assert_eq!(later.len(), 2);
        assert!(later.iter().all(|ticket| ticket.slot < 2 && ticket.failures == 1));
    }

    #[test]
    fn judges_of_an_account_keep_within_its_limits_together_and_so_does_the_next_run() {
        let limits = AccountLimits { requests_per_minute: Some(5), tokens_per_minute: None };
        let limited = |tasks| JudgeWave { set_limits: Some(("a".into(), limits)), ..wave(tasks, 3) };
        let (options, now) = (options(), Instant::now());
        let mut first = dispatcher(vec![limited(10), limited(10), wave(2, 2)], options.clone());
        let sent: Vec<_> = std::iter::from_fn(|| first.next(now)).map(|batch| batch.judge.0).collect();
        assert_eq!(sent.iter().filter(|judge| **judge < 2).count(), 5);
        assert_eq!(sent.iter().filter(|judge| **judge == 2).count(), 2, "another account");
        assert!(first.take_waits().iter().all(|(_, limit, _)| limit.limit == 5));
        let mut next = dispatcher(vec![limited(10)], options);
        assert_eq!(take(&mut next, now + Duration::from_secs(59)), []);
        assert_eq!(next.wake_at(), Some(now + Duration::from_secs(60)));
        let batch = take(&mut next, now + Duration::from_secs(60));
        assert_eq!(batch.len(), 3, "all places");
        for mut ticket in batch {
            next.not_sent(JudgeIndex(0), &mut ticket, now + Duration::from_secs(60));
        }
        assert_eq!(
            take(&mut next, now + Duration::from_secs(61)).len(),
            3,
            "what was not sent is not counted"
        );
        assert_eq!(
            next.take_waits().pop().map(|(_, limit, _)| limit.limit),
            Some(5),
            "the first wait is said"
        );
    }

    /// A reranker states no tokens of replies.
    #[test]
    fn tokens_are_limited_before_and_after_the_first_answer() {
        let limits = AccountLimits { requests_per_minute: None, tokens_per_minute: Some(1_000) };
        let limited = JudgeWave { set_limits: Some(("a".into(), limits)), ..wave(10, 8) };
        let (mut dispatcher, now) = (dispatcher(vec![limited], options()), Instant::now());
        let mut round = |after| {
            let now = now + Duration::from_secs(after);
            let batch = take(&mut dispatcher, now);
            let sent = (batch.len(), dispatcher.wake_at().map(|at| at - now));
            for ticket in batch {
                let answer = llull_core::Answer { usage: Usage::new(400, None), ..judged().into() };
                let attempt = Attempt::new(ticket.key, answer);
                dispatcher.observe(JudgeIndex(0), ticket, &attempt, now);
            }
            sent
        };
        assert_eq!(round(0), (1, None), "its answer comes first");
        assert_eq!(round(1).0, 1, "400 tokens are used and 400 reserved");
        assert_eq!(round(2), (0, Some(Duration::from_secs(58))));
        assert_eq!(round(60).0, 1);
    }

    #[test]
    fn live_limits_cut_no_batch() {
        let batch = JudgeWave { in_batches: true, ..wave(1_000, 4) };
        let (mut dispatcher, now) = (dispatcher(vec![batch], options()), Instant::now());
        let (subject, full_in) = (llull_llm::LimitSubject::Requests, Duration::from_secs(60));
        let stated = RateLimit { subject, limit: 500, left: Some(499), full_in, at: now.into_std() };
        dispatcher.state_limits(JudgeIndex(0), "a", vec![stated]);
        let sizes: Vec<_> =
            std::iter::from_fn(|| dispatcher.next(now)).map(|batch| batch.tickets.len()).collect();
        assert_eq!(sizes, [1_000]);
    }

    fn of(usd: f64) -> llull_core::Answer {
        llull_core::Answer { usage: Usage::new(90, 10), cost_usd: Some(usd), ..judged().into() }
    }

    /// Answers all requests of a run in the order in which they are sent, but those of the judges that `last` names
    /// when no other is in flight. Returns the cost.
    fn cost(mut dispatcher: Dispatcher, prices: &[f64], last: Option<usize>) -> f64 {
        let (now, mut waiting) = (Instant::now(), Vec::new());
        while !dispatcher.is_done() {
            let sent: Vec<Batch> = std::iter::from_fn(|| dispatcher.next(now)).collect();
            let tickets = sent.into_iter().flat_map(|batch| {
                let judge = batch.judge;
                batch.tickets.into_iter().map(move |ticket| (judge, ticket))
            });
            let (late, mut soon): (Vec<_>, Vec<_>) = tickets.partition(|(judge, _)| Some(judge.0) == last);
            waiting.extend(late);
            if soon.is_empty() {
                soon = std::mem::take(&mut waiting);
            }
            let is_stuck = soon.is_empty() && !dispatcher.is_done();
            assert!(!is_stuck, "nothing is in flight, and nothing is sent");
            for (judge, ticket) in soon {
                let attempt = Attempt::new(ticket.key, of(prices[judge.0]));
                dispatcher.observe(judge, ticket, &attempt, now);
            }
        }
        dispatcher.spent().usd.unwrap_or_default()
    }

    #[test]
    fn a_cheap_judge_does_not_show_what_a_dear_one_costs() {
        let budget = Budget { usd: Some(1.0), ..Budget::default() };
        let run = RunOptions { budget, ..options() };
        let usd = cost(dispatcher(vec![wave(100, 4), wave(100, 64)], run), &[0.0001, 0.1], None);
        assert!((1.0..1.11).contains(&usd), "{usd}");
    }

    #[test]
    fn live_judges_leave_what_batches_may_cost() {
        let budget = Budget { usd: Some(10.0), ..Budget::default() };
        for (batch, side_by_side) in [(0, true), (1, true), (0, false), (1, false)] {
            let run = RunOptions { budget, side_by_side, batches_at_most: (0, 6.0), ..options() };
            let mut waves = vec![wave(100, 8), wave(100, 8)];
            waves[batch].in_batches = true;
            let mut prices = [0.1; 2];
            prices[batch] = 0.06;
            let usd = cost(dispatcher(waves, run), &prices, Some(batch));
            assert!((10.0..10.11).contains(&usd), "{usd} with {batch} {side_by_side}");
        }
    }

    #[test]
    fn what_is_in_flight_counts_for_limits_of_dollars_and_tokens() {
        for (budget, expected) in [
            (Budget { usd: Some(1.0), ..Budget::default() }, 10),
            (Budget { tokens: Some(401), ..Budget::default() }, 5),
            (Budget::default(), 60),
        ] {
            let mut dispatcher = dispatcher(vec![wave(60, 8)], RunOptions { budget, ..options() });
            let now = Instant::now();
            let (mut answered, mut rounds) = (0, Vec::new());
            while !dispatcher.is_done() {
                let batch = take(&mut dispatcher, now);
                assert_eq!(dispatcher.wake_at(), None, "the next answer comes first");
                rounds.push(batch.len());
                answered += batch.len();
                for ticket in batch {
                    let attempt = Attempt::new(ticket.key, of(0.1));
                    dispatcher.observe(JudgeIndex(0), ticket, &attempt, now);
                }
            }
            assert!(
                answered == expected || answered == expected + 1,
                "{answered}, not {expected}: {rounds:?}"
            );
            let first = if budget == Budget::default() { 8 } else { 1 };
            assert_eq!(rounds[0], first, "no cost is known before the first answer");
        }
    }

    #[test]
    fn a_longer_pause_outlasts_a_shorter_one() {
        let mut dispatcher = dispatcher(vec![wave(10, 3)], options());
        let now = Instant::now();
        let waits = [Some(5000), Some(2000), Some(1000)];
        for (ticket, retry_after_ms) in take(&mut dispatcher, now).into_iter().zip(waits) {
            let refused = Failure { retry_after_ms, ..Failure::new(FailureKind::RateLimited, "") };
            let attempt = attempt(&ticket, Outcome::Failed(refused));
            let consequence = dispatcher.observe(JudgeIndex(0), ticket, &attempt, now);
            assert_eq!(
                consequence.paused.is_some(),
                retry_after_ms == Some(1000),
                "the third is a round of three"
            );
        }
        assert_eq!(take(&mut dispatcher, now + Duration::from_millis(4900)), []);
        assert!(dispatcher.wake_at().unwrap() >= now + Duration::from_secs(5));
        assert!(!take(&mut dispatcher, now + Duration::from_millis(6000)).is_empty());
    }

    #[test]
    fn a_server_that_asks_for_less_gets_less_and_then_a_little_more_with_each_round() {
        let mut dispatcher = dispatcher(vec![wave(100, 8)], options());
        let mut now = Instant::now();
        let limited = Failure { retry_after_ms: Some(1000), ..Failure::new(FailureKind::RateLimited, "") };
        let batch = take(&mut dispatcher, now);
        assert_eq!(batch.len(), 8);
        for ticket in batch {
            let refused = attempt(&ticket, Outcome::Failed(limited.clone()));
            dispatcher.observe(JudgeIndex(0), ticket, &refused, now);
        }
        for expected in [4, 5, 6, 7, 8, 8] {
            now += Duration::from_secs(3);
            let batch = take(&mut dispatcher, now);
            assert_eq!(
                batch.len(),
                expected,
                "a round of refusals halves it once; a round of answers adds one"
            );
            assert_eq!(dispatcher.wake_at(), None, "the next answer comes first");
            for ticket in batch {
                let answered = attempt(&ticket, judged());
                dispatcher.observe(JudgeIndex(0), ticket, &answered, now);
            }
        }
    }

    #[test]
    fn reduced_concurrency_outlasts_the_wave() {
        let mut dispatcher = dispatcher(vec![wave(8, 8)], options());
        let mut now = Instant::now();
        let limited = Failure { retry_after_ms: Some(1000), ..Failure::new(FailureKind::RateLimited, "") };
        for outcome in [Outcome::Failed(limited), judged(), judged()] {
            for ticket in take(&mut dispatcher, now) {
                let attempt = attempt(&ticket, outcome.clone());
                dispatcher.observe(JudgeIndex(0), ticket, &attempt, now);
            }
            now += Duration::from_secs(3);
        }
        assert!(dispatcher.is_done());
        dispatcher.begin(vec![wave(9, 8)]);
        assert_eq!(take(&mut dispatcher, now).len(), 5, "half of what was tried first, and one more since");
        assert_eq!(dispatcher.spent().attempts, 16);
    }

    #[test]
    fn a_refused_request_waits_alone() {
        let mut dispatcher = dispatcher(vec![wave(10, 4)], options());
        let now = Instant::now();
        let mut batch = take(&mut dispatcher, now);
        let refused = batch.remove(0);
        let failure = Failure { retry_after_ms: Some(5000), ..Failure::new(FailureKind::RateLimited, "") };
        let failed = attempt(&refused, Outcome::Failed(failure));
        assert_eq!(dispatcher.observe(JudgeIndex(0), refused, &failed, now).paused, None);
        for ticket in batch {
            let answered = attempt(&ticket, judged());
            dispatcher.observe(JudgeIndex(0), ticket, &answered, now);
        }
        assert_eq!(take(&mut dispatcher, now).len(), 3, "all places but that of the request that waits");
    }

    #[test]
    fn a_pause_outlasts_the_wave() {
        let mut dispatcher = dispatcher(vec![wave(1, 1)], options());
        let now = Instant::now();
        dispatcher.queues[0].pause(now, now + Duration::from_secs(5));
        dispatcher.begin(vec![wave(1, 1)]);
        assert_eq!(take(&mut dispatcher, now), []);
        assert_eq!(take(&mut dispatcher, now + Duration::from_secs(5)).len(), 1);
    }

    #[test]
    fn the_last_attempt_of_a_budget_may_still_be_the_last_task() {
        let budget = Budget { attempts: Some(2), ..Budget::default() };
        let mut dispatcher = dispatcher(vec![wave(2, 4)], RunOptions { budget, ..options() });
        let now = Instant::now();
        let batch = take(&mut dispatcher, now);
        for ticket in batch {
            assert!(!dispatcher.is_done());
            let attempt = attempt(&ticket, judged());
            dispatcher.observe(JudgeIndex(0), ticket, &attempt, now);
        }
        assert!(dispatcher.is_done());
        assert_eq!(take(&mut dispatcher, now), []);
        assert_eq!(dispatcher.stopped(), None);
        assert_eq!(dispatcher.spent().attempts, 2);
    }

    #[test]
    fn judges_take_turns() {
        let mut dispatcher = dispatcher(vec![wave(10, 2), wave(10, 2)], options());
        let now = Instant::now();
        let judges: Vec<_> = std::iter::from_fn(|| dispatcher.next(now)).map(|batch| batch.judge.0).collect();
        assert_eq!(judges, [0, 1, 0, 1]);
    }
}
