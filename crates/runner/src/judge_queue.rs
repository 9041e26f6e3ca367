//! One judge's queue: tasks that are ready, that wait for a retry, and that are in flight. No I/O and no clock: the
//! time is an argument.

use std::{cmp::Reverse, collections::BinaryHeap, time::Duration};

use llull_core::Outcome;
use llull_store::TaskPlace;
use rustc_hash::FxHashSet;
use tokio::time::Instant;

use crate::wave::{JudgeWave, Ticket};

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

/// One judge's queue.
#[derive(Debug)]
pub(crate) struct JudgeQueue {
    wave: JudgeWave,
    waiting: BinaryHeap<Reverse<Waiting>>,
    arrivals: u64,
    paused_until: Option<Instant>,
    in_flight: usize,
    gave_up_in_a_row: u32,
    /// The tasks that were given up.
    gave_up: FxHashSet<TaskPlace>,
    /// The number of batches that may be in flight: the judge's concurrency, or less if its server limits the rate.
    room: usize,
    /// The number of answers since `room` last changed.
    answers: usize,
}

impl JudgeQueue {
    pub(crate) fn new(wave: JudgeWave) -> Self {
        Self {
            room: wave.concurrency,
            answers: 0,
            wave,
            waiting: BinaryHeap::new(),
            arrivals: 0,
            paused_until: None,
            in_flight: 0,
            gave_up_in_a_row: 0,
            gave_up: FxHashSet::default(),
        }
    }

    /// Sets the tasks of the next wave. Reduced concurrency and a pause carry over.
    pub(crate) fn begin(&mut self, wave: JudgeWave) {
        self.wave = wave;
    }

    pub(crate) fn name(&self) -> &str {
        &self.wave.name
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Returns whether there are tasks left to ask, now or later.
    pub(crate) fn has_work(&self) -> bool {
        !self.wave.todo.is_empty() || !self.waiting.is_empty()
    }

    /// Takes the next batch of tasks to ask now, at most `allowed`. Retries that are due come first. Returns an empty
    /// batch if nothing is ready, the judge is paused, or the limit of questions in flight is reached.
    pub(crate) fn take(&mut self, now: Instant, allowed: u64) -> Vec<Ticket> {
        if self.paused_until.is_some_and(|until| until > now) {
            return Vec::new();
        }
        self.paused_until = None;
        let size = if self.wave.in_process { BATCH } else { 1 };
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
            let Some(ticket) = ticket else { break };
            self.in_flight += 1;
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
        let questions = if self.wave.in_process { BATCH * BATCHES_PER_WORKER } else { 1 };
        self.room.saturating_mul(questions)
    }

    /// Returns the time at which a task becomes ready that is not ready now.
    pub(crate) fn wake_at(&self) -> Option<Instant> {
        if self.in_flight > 0 && self.in_flight >= self.places() {
            // Nothing can be asked before an answer arrives.
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
    }

    /// Handles an answer. Returns whether the question is asked again, as it is after an unusable answer unless it was
    /// asked often enough.
    pub(crate) fn answered(&mut self, mut ticket: Ticket, outcome: &Outcome) -> bool {
        self.gave_up_in_a_row = 0;
        self.widen();
        if !matches!(outcome, Outcome::Unusable(_)) {
            return false;
        }
        ticket.unusable += 1;
        let again = ticket.unusable <= self.wave.reask;
        if again {
            ticket.failures = 0;
            self.wave.todo.push_front(ticket);
        }
        again
    }

    /// Puts a ticket aside until a point in time.
    pub(crate) fn wait(&mut self, ticket: Ticket, at: Instant) {
        self.arrivals += 1;
        self.waiting.push(Reverse(Waiting { at, arrival: self.arrivals, ticket }));
    }

    /// Gives up a task. Returns the number of tasks that were given up in a row.
    pub(crate) fn give_up(&mut self, task: TaskPlace) -> u32 {
        self.gave_up.insert(task);
        self.gave_up_in_a_row += 1;
        self.gave_up_in_a_row
    }

    /// Halves the concurrency after the server has limited the rate. During a pause nothing changes, so several
    /// refusals of questions that were in flight together count once. (Additive increase, multiplicative decrease:
    /// Chiu and Jain 1989.)
    pub(crate) fn narrow(&mut self, now: Instant) {
        if self.paused_until.is_none_or(|until| until <= now) {
            self.room = (self.room / 2).max(1);
            self.answers = 0;
        }
    }

    /// Counts an answer. Raises the concurrency by one after as many answers as the current concurrency.
    fn widen(&mut self) {
        self.answers += 1;
        if self.answers >= self.room && self.room < self.wave.concurrency {
            self.room += 1;
            self.answers = 0;
        }
    }

    /// Pauses the judge. Returns the length of the pause if it ends later than the current one.
    pub(crate) fn pause(&mut self, now: Instant, wait: Duration) -> Option<Duration> {
        let until = now + wait;
        let longer = self.paused_until.is_none_or(|before| until > before);
        longer.then(|| {
            self.paused_until = Some(until);
            wait
        })
    }

    /// Returns whether a task was given up, in this wave or an earlier one.
    pub(crate) fn has_given_up(&self, task: TaskPlace) -> bool {
        self.gave_up.contains(&task)
    }
}
