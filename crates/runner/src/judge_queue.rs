//! One judge's queue of tasks: ready, waiting for a retry, in flight.
//!
//! It has no I/O and no clock: the time is an argument.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
    time::Duration,
};

use llull_core::{Attempt, Outcome, Scope, Usage};
use llull_store::TaskPlace;
use rustc_hash::FxHashSet;
use tokio::time::Instant;

use crate::{
    accounts::InFlight,
    judge_stop::JudgeStop,
    options::UnusableLimits,
    rate_limits::RateLimits,
    unusable_watch::UnusableWatch,
    wave::{JudgeWave, Ticket},
};

/// The number of questions in a batch for an in-process judge, and the number of batches per worker. With these,
/// workers never wait for a commit, and a commit has a few thousand attempts.
const BATCH: usize = 512;
const BATCHES_PER_WORKER: usize = 2;

/// A ticket that waits for a retry. Ordered by time, then by arrival.
#[derive(Debug, PartialEq, Eq)]
struct Waiting {
    at: Instant,
    arrival: u64,
    ticket: Ticket,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.arrival).cmp(&(other.at, other.arrival))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The mean usage of answered requests.
#[derive(Debug, Default)]
struct MeanUsage {
    answers: u64,
    prompt_tokens: u64,
    completion_tokens: u64,
}

impl MeanUsage {
    fn add(&mut self, usage: &Usage) {
        if let Some(prompt) = usage.prompt_tokens {
            self.answers += 1;
            self.prompt_tokens = self.prompt_tokens.saturating_add(prompt);
            // A reranker's answer has none.
            let completion = usage.completion_tokens.unwrap_or(0);
            self.completion_tokens = self.completion_tokens.saturating_add(completion);
        }
    }

    /// Returns the mean, rounded up; unknown tokens before the first answer with counts.
    fn mean(&self) -> Usage {
        let mean = |sum: u64| (self.answers > 0).then(|| sum.div_ceil(self.answers));
        Usage::new(mean(self.prompt_tokens), mean(self.completion_tokens))
    }
}

/// One judge's queue.
#[derive(Debug)]
pub(crate) struct JudgeQueue {
    wave: JudgeWave,
    waiting: BinaryHeap<Reverse<Waiting>>,
    arrivals: u64,
    paused_until: Option<Instant>,
    in_flight: usize,
    /// The times at which requests were started that the limits of the account do not count yet. They are in flight.
    uncounted: VecDeque<Instant>,
    gave_up_in_a_row: u32,
    /// The tasks that were given up.
    gave_up: FxHashSet<TaskPlace>,
    /// The number of batches that may be in flight: the judge's concurrency, or less if its server limits the rate.
    room: usize,
    /// The number of answers since `room` last changed.
    answers: usize,
    limits: RateLimits,
    /// The account whose limits count its requests, once its server has stated some.
    account: Option<String>,
    used: MeanUsage,
    watch: UnusableWatch,
    /// The judge was stopped, because it cannot answer.
    stopped: Option<JudgeStop>,
}

impl JudgeQueue {
    pub(crate) fn new(wave: JudgeWave) -> Self {
        let mut queue = Self {
            room: wave.concurrency,
            answers: 0,
            wave: JudgeWave::default(),
            waiting: BinaryHeap::new(),
            arrivals: 0,
            paused_until: None,
            in_flight: 0,
            uncounted: VecDeque::new(),
            gave_up_in_a_row: 0,
            gave_up: FxHashSet::default(),
            limits: RateLimits::default(),
            account: None,
            used: MeanUsage::default(),
            watch: UnusableWatch::default(),
            stopped: None,
        };
        queue.begin(wave);
        queue
    }

    /// Sets the tasks of the next wave. Reduced concurrency, a pause and a stop carry over.
    pub(crate) fn begin(&mut self, wave: JudgeWave) {
        self.wave = wave;
        if let Some((account, _)) = self.wave.set_limits.take() {
            self.set_account(&account);
        }
        for (topic, unusable) in std::mem::take(&mut self.wave.history) {
            self.watch.history(topic, unusable);
        }
        if self.stopped.is_some() {
            self.wave.todo.clear();
        }
    }

    /// Returns why the judge was stopped, if it was.
    pub(crate) fn stopped(&self) -> Option<&JudgeStop> {
        self.stopped.as_ref()
    }

    pub(crate) fn name(&self) -> &str {
        &self.wave.name
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Returns the account whose limits count its requests, if they are known. The limits of batches are others.
    pub(crate) fn account(&self) -> Option<&str> {
        self.account.as_deref().filter(|_| !self.wave.in_batches)
    }

    /// Sets the account.
    pub(crate) fn set_account(&mut self, account: &str) {
        if self.account.is_none() {
            self.account = Some(account.to_owned());
        }
    }

    /// Returns the requests that the limits of the account do not count yet, and the mean usage of those that were
    /// answered.
    pub(crate) fn reserved(&self) -> InFlight {
        (self.uncounted.len(), self.used.mean())
    }

    /// Records that limits of the account were stated at this time: they count earlier requests.
    pub(crate) fn counted(&mut self, at: Instant) {
        self.uncounted.retain(|started| *started > at);
    }

    /// Returns whether a request may be sent now, as far as the queue decides it.
    pub(crate) fn is_ready(&self, now: Instant) -> bool {
        self.has_work()
            && self.in_flight < self.places()
            && self.paused_until.is_none_or(|until| until <= now)
    }

    /// Returns whether it is not done.
    pub(crate) fn is_busy(&self) -> bool {
        self.has_work() || self.in_flight > 0
    }

    /// Returns whether there are tasks left to ask, now or later.
    pub(crate) fn has_work(&self) -> bool {
        !self.wave.todo.is_empty() || !self.waiting.is_empty()
    }

    /// Takes the next batch of tasks to send now, at most `allowed`. Retries that are due come first. Returns an empty
    /// batch if no task is ready, the judge is paused, or the limit of questions in flight is reached.
    pub(crate) fn take(&mut self, now: Instant, allowed: u64) -> Vec<Ticket> {
        if self.paused_until.is_some_and(|until| until > now) {
            return Vec::new();
        }
        self.paused_until = None;
        let size = match self.wave.in_process {
            _ if self.wave.one_first => 1,
            _ if self.wave.in_batches => usize::MAX,
            true => BATCH,
            false => 1,
        };
        let size = size.min(usize::try_from(allowed).unwrap_or(usize::MAX));
        let mut batch = Vec::new();
        while batch.len() < size {
            let ticket = match self.waiting.peek() {
                Some(Reverse(waiting)) if waiting.at <= now && self.in_flight < self.places() => {
                    self.waiting.pop().map(|Reverse(waiting)| waiting.ticket)
                }
                _ if self.has_room() => self.wave.todo.pop_front(),
                _ => None,
            };
            let Some(mut ticket) = ticket else { break };
            ticket.turn.get_or_insert_with(|| self.watch.start(ticket.topic));
            self.in_flight += 1;
            self.uncounted.push_back(now);
            batch.push(ticket);
        }
        batch
    }

    /// Returns whether a new task may be started. Tasks that wait for a retry count as in flight; otherwise every task
    /// would be tried once on a server that is down before the first one is given up.
    fn has_room(&self) -> bool {
        self.in_flight + self.waiting.len() < self.places()
    }

    /// Returns the number of questions that may be in flight.
    fn places(&self) -> usize {
        let questions = match self.wave.in_process {
            _ if self.wave.in_batches => usize::MAX,
            true => BATCH * BATCHES_PER_WORKER,
            false => 1,
        };
        if self.wave.one_first { 1 } else { self.room.saturating_mul(questions) }
    }

    /// Returns the time at which a task becomes ready that is not ready now.
    pub(crate) fn wake_at(&self) -> Option<Instant> {
        if self.in_flight > 0 && self.in_flight >= self.places() {
            // No task can be sent before an answer arrives.
            return None;
        }
        let due = self.waiting.peek().map(|Reverse(waiting)| waiting.at);
        match self.paused_until {
            Some(until) if !self.wave.todo.is_empty() && self.has_room() => Some(until),
            Some(until) => due.map(|due| due.max(until)),
            None => due,
        }
    }

    /// Counts a question that is no longer in flight.
    pub(crate) fn finished(&mut self) {
        self.in_flight = self.in_flight.saturating_sub(1);
        // Any of them may be the finished one.
        if self.uncounted.len() > self.in_flight {
            self.uncounted.pop_front();
        }
    }

    /// Takes back a question that has no answer yet, which the next run asks.
    pub(crate) fn deferred(&mut self, ticket: &Ticket) {
        self.wave.one_first = false;
        self.finished();
        self.watch.settle(ticket.turn.unwrap_or_default());
    }

    /// Takes back a question that is not sent, because another run has it. Later replies do not wait for its own.
    pub(crate) fn not_sent(&mut self, ticket: &mut Ticket) {
        self.finished();
        if let Some(turn) = ticket.turn.take() {
            self.watch.settle(turn);
        }
    }

    /// Puts back a question that another run had, and has no more.
    pub(crate) fn put_back(&mut self, ticket: Ticket) {
        if self.stopped.is_none() {
            self.wave.todo.push_back(ticket);
        }
    }

    /// Returns whether the judge computes its answers in this process.
    pub(crate) fn in_process(&self) -> bool {
        self.wave.in_process
    }

    /// Returns whether all questions are sent at once.
    pub(crate) fn in_batches(&self) -> bool {
        self.wave.in_batches
    }

    /// Handles an answer. Returns whether the question is repeated. After an unusable answer it is, unless its
    /// repetitions are used up. `counts` is true if an unusable answer counts against the judge.
    pub(crate) fn answered(&mut self, mut ticket: Ticket, attempt: &Attempt, counts: bool) -> bool {
        self.gave_up_in_a_row = 0;
        self.wave.one_first = false;
        self.limits.answered(self.room);
        self.used.add(&attempt.answer.usage);
        self.widen();
        let turn = ticket.turn.unwrap_or_default();
        self.watch.reply(turn, attempt, counts);
        let unusable =
            matches!(&attempt.answer.outcome, Outcome::Unusable(unusable) if !unusable.reason.is_refusal());
        ticket.unusable += u32::from(unusable);
        ticket.attempts += 1;
        let again = unusable && ticket.unusable <= self.wave.reask && self.stopped.is_none();
        if again {
            ticket.failures = 0;
            self.wave.todo.push_front(ticket);
        } else {
            self.watch.settle(turn);
        }
        again
    }

    /// Stops the judge if its replies show that it cannot answer. Returns the reason if it stops now.
    pub(crate) fn stop_if_unusable(&mut self, limits: &UnusableLimits) -> Option<&JudgeStop> {
        if self.stopped.is_some() {
            return None;
        }
        let stop = self.watch.verdict(&self.wave.name, limits)?;
        self.wave.todo.clear();
        self.waiting.clear();
        Some(self.stopped.insert(stop))
    }

    /// Puts a ticket aside until a point in time.
    pub(crate) fn wait(&mut self, ticket: Ticket, at: Instant) {
        self.arrivals += 1;
        self.waiting.push(Reverse(Waiting { at, arrival: self.arrivals, ticket }));
    }

    /// Gives up a task after a failure of this scope. Returns the number of tasks that were given up in a row.
    pub(crate) fn give_up(&mut self, ticket: &Ticket, scope: Scope) -> u32 {
        self.gave_up.insert(ticket.place);
        self.watch.settle(ticket.turn.unwrap_or_default());
        // A judge in process has no server that may be down: a gap of a recording shows nothing about the next request.
        let is_gap = self.wave.in_process && scope == Scope::Task;
        self.gave_up_in_a_row += u32::from(!is_gap);
        self.gave_up_in_a_row
    }

    /// Handles a refusal by a server that limits the rate: the request waits, and under too many requests so does the
    /// whole judge. Returns the length of the pause if it ends later than the current one.
    pub(crate) fn limited(&mut self, now: Instant, wait: Duration) -> Option<Duration> {
        let again = now + wait;
        if self.paused_until.is_some_and(|until| until > now) {
            // Of questions that were in flight together: several such refusals count once.
            return self.pause(now, again);
        }
        let until = self.limits.refused(self.room, again)?;
        self.narrow();
        self.pause(now, until)
    }

    /// Halves the concurrency.
    fn narrow(&mut self) {
        self.room = (self.room / 2).max(1);
        self.answers = 0;
    }

    /// Counts an answer. Raises the concurrency by an eighth, at least by one, after as many answers as it has: by one
    /// each, 512 would take 500 rounds to come back from a storm.
    fn widen(&mut self) {
        self.answers += 1;
        if self.answers >= self.room && self.room < self.wave.concurrency {
            self.room = (self.room + (self.room / 8).max(1)).min(self.wave.concurrency);
            self.answers = 0;
        }
    }

    /// Pauses the judge. Returns the length of the pause if it ends later than the current one.
    pub(crate) fn pause(&mut self, now: Instant, until: Instant) -> Option<Duration> {
        let longer = self.paused_until.is_none_or(|before| until > before);
        longer.then(|| {
            self.paused_until = Some(until);
            until.saturating_duration_since(now)
        })
    }

    /// Returns whether a task was given up, in this wave or an earlier one.
    pub(crate) fn has_given_up(&self, task: TaskPlace) -> bool {
        self.gave_up.contains(&task)
    }
}
