//! One judge's queue: what is ready, what waits for its retry, what is in flight. No I/O and no clock: the time is an
//! argument.

use std::{cmp::Reverse, collections::BinaryHeap, time::Duration};

use llull_core::Outcome;
use llull_store::TaskPlace;
use rustc_hash::FxHashSet;
use tokio::time::Instant;

use crate::wave::{JudgeWave, Ticket};

/// How many questions an in-process judge is handed at once, and how many such hands per worker: enough for the
/// workers never to wait for a commit, and for commits of a few thousand attempts.
const BULK: usize = 512;
const BULKS_PER_WORKER: usize = 2;

/// A ticket that waits for its time. Ordered by time, then by arrival.
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
    /// How many hands may be out at once now: the judge's concurrency, less where its server has asked for less.
    room: usize,
    /// Answers since `room` last changed.
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

    /// The tasks of the next wave. What the judge's server has taught stands: how many questions at once, how long to pause.
    pub(crate) fn begin(&mut self, wave: JudgeWave) {
        self.wave = wave;
    }

    pub(crate) fn name(&self) -> &str {
        &self.wave.name
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Whether anything is left to ask, now or later.
    pub(crate) fn has_work(&self) -> bool {
        !self.wave.todo.is_empty() || !self.waiting.is_empty()
    }

    /// The questions to ask now, at most `allowed`. Retries that are due come first. Empty when there is
    /// nothing ready, the judge is paused, or as much is under way as may be.
    pub(crate) fn take(&mut self, now: Instant, allowed: u64) -> Vec<Ticket> {
        if self.paused_until.is_some_and(|until| until > now) {
            return Vec::new();
        }
        self.paused_until = None;
        let size = if self.wave.in_process { BULK } else { 1 };
        let size = size.min(usize::try_from(allowed).unwrap_or(usize::MAX));
        let mut hand = Vec::new();
        while hand.len() < size {
            let ticket = match self.waiting.peek() {
                Some(Reverse(waiting)) if waiting.at <= now && self.in_flight < self.places() => {
                    self.waiting.pop().map(|Reverse(waiting)| waiting.ticket)
                }
                _ if self.has_room() => self.wave.todo.pop_front(),
                _ => None,
            };
            let Some(ticket) = ticket else { break };
            self.in_flight += 1;
            hand.push(ticket);
        }
        hand
    }

    /// Whether a new task may be begun. One that waits for its retry keeps its place: a server that is down must
    /// not be asked about everything once before anything is given up.
    fn has_room(&self) -> bool {
        self.in_flight + self.waiting.len() < self.places()
    }

    /// How many questions may be in flight.
    fn places(&self) -> usize {
        let hands = if self.wave.in_process { BULK * BULKS_PER_WORKER } else { 1 };
        self.room.saturating_mul(hands)
    }

    /// When something that is not ready now will be.
    pub(crate) fn wake_at(&self) -> Option<Instant> {
        if self.in_flight > 0 && self.in_flight >= self.places() {
            // An answer that lands comes first.
            return None;
        }
        let due = self.waiting.peek().map(|Reverse(waiting)| waiting.at);
        match self.paused_until {
            Some(until) if !self.wave.todo.is_empty() && self.has_room() => Some(until),
            Some(until) => due.map(|due| due.max(until)),
            None => due,
        }
    }

    /// A question is no longer in flight.
    pub(crate) fn landed(&mut self) {
        self.in_flight = self.in_flight.saturating_sub(1);
    }

    /// An answer has come. Returns whether the question is asked again, which is so for an unusable answer while
    /// there are asks left.
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

    /// Puts a ticket aside until its time.
    pub(crate) fn wait(&mut self, ticket: Ticket, at: Instant) {
        self.arrivals += 1;
        self.waiting.push(Reverse(Waiting { at, arrival: self.arrivals, ticket }));
    }

    /// Ends a task without an answer. Returns how many were given up in a row.
    pub(crate) fn give_up(&mut self, task: TaskPlace) -> u32 {
        self.gave_up.insert(task);
        self.gave_up_in_a_row += 1;
        self.gave_up_in_a_row
    }

    /// The server has asked for less: half as many questions at once from here on. Those that were in flight together
    /// are told together, which counts once. (Additive increase, multiplicative decrease: Chiu and Jain 1989.)
    pub(crate) fn narrow(&mut self, now: Instant) {
        if self.paused_until.is_none_or(|until| until <= now) {
            self.room = (self.room / 2).max(1);
            self.answers = 0;
        }
    }

    /// One question more at once when as many were answered as may be asked.
    fn widen(&mut self) {
        self.answers += 1;
        if self.answers >= self.room && self.room < self.wave.concurrency {
            self.room += 1;
            self.answers = 0;
        }
    }

    /// Asks nothing for a while. Returns how long, if this is longer than it is paused already.
    pub(crate) fn pause(&mut self, now: Instant, wait: Duration) -> Option<Duration> {
        let until = now + wait;
        let longer = self.paused_until.is_none_or(|before| until > before);
        longer.then(|| {
            self.paused_until = Some(until);
            wait
        })
    }

    /// Whether a task was given up, in this wave or an earlier one.
    pub(crate) fn has_given_up(&self, task: TaskPlace) -> bool {
        self.gave_up.contains(&task)
    }
}
