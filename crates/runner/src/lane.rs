//! One judge's queue: what is ready, what waits for its retry, what is in flight. No I/O and no clock: the time
//! is an argument.

use std::{cmp::Reverse, collections::BinaryHeap, time::Duration};

use llull_core::Outcome;
use llull_store::{JudgeId, Known};
use tokio::time::Instant;

use crate::{
    Ended, JudgeOutcome,
    planner::{Plan, Ticket},
};

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
pub(crate) struct Lane {
    plan: Plan,
    waiting: BinaryHeap<Reverse<Waiting>>,
    arrivals: u64,
    paused_until: Option<Instant>,
    in_flight: usize,
    gave_up_in_a_row: u32,
    /// How many hands may be out at once now: the judge's concurrency, less where its server has asked for less.
    room: usize,
    /// Answers since `room` last changed.
    answers: usize,
}

impl Lane {
    pub(crate) fn new(plan: Plan) -> Self {
        Self {
            room: plan.concurrency,
            answers: 0,
            plan,
            waiting: BinaryHeap::new(),
            arrivals: 0,
            paused_until: None,
            in_flight: 0,
            gave_up_in_a_row: 0,
        }
    }

    /// The tasks of the next wave. What the judge's server has taught stands: how many questions at once, how long to pause.
    pub(crate) fn begin(&mut self, plan: Plan) {
        self.plan = plan;
    }

    pub(crate) fn name(&self) -> &str {
        &self.plan.name
    }

    pub(crate) fn id(&self) -> JudgeId {
        self.plan.id
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Whether anything is left to ask, now or later.
    pub(crate) fn has_work(&self) -> bool {
        !self.plan.todo.is_empty() || !self.waiting.is_empty()
    }

    /// The questions to ask now, at most `allowed`. Retries that are due come first. Empty when there is
    /// nothing ready, the judge is paused, or as much is under way as may be.
    pub(crate) fn take(&mut self, now: Instant, allowed: u64) -> Vec<Ticket> {
        if self.paused_until.is_some_and(|until| until > now) {
            return Vec::new();
        }
        self.paused_until = None;
        let size = if self.plan.in_process { BULK } else { 1 };
        let size = size.min(usize::try_from(allowed).unwrap_or(usize::MAX));
        let mut hand = Vec::new();
        while hand.len() < size {
            let ticket = match self.waiting.peek() {
                Some(Reverse(waiting)) if waiting.at <= now && self.in_flight < self.places() => {
                    self.waiting.pop().map(|Reverse(waiting)| waiting.ticket)
                }
                _ if self.has_room() => self.plan.todo.pop_front(),
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
        let hands = if self.plan.in_process { BULK * BULKS_PER_WORKER } else { 1 };
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
            Some(until) if !self.plan.todo.is_empty() && self.has_room() => Some(until),
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
        let known = match outcome {
            Outcome::Judged { verdict } => Some(Known::from(verdict)),
            Outcome::Unusable(unusable) => {
                ticket.unusable += 1;
                Some(Known::Unusable { reason: unusable.reason, times: ticket.unusable })
            }
            Outcome::Failed(_) => None,
        };
        match known {
            Some(Known::Unusable { times, .. }) if times <= self.plan.reask => {
                ticket.failures = 0;
                self.plan.todo.push_front(ticket);
                true
            }
            Some(known) => {
                self.end(ticket.slot, Ended::Answered(known));
                false
            }
            None => false,
        }
    }

    /// Puts a ticket aside until its time.
    pub(crate) fn wait(&mut self, ticket: Ticket, at: Instant) {
        self.arrivals += 1;
        self.waiting.push(Reverse(Waiting { at, arrival: self.arrivals, ticket }));
    }

    /// Ends a task without an answer. Returns how many were given up in a row.
    pub(crate) fn give_up(&mut self, slot: u32, kind: llull_core::FailureKind) -> u32 {
        self.end(slot, Ended::GaveUp(kind));
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
        if self.answers >= self.room && self.room < self.plan.concurrency {
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

    fn end_of(&self, slot: u32) -> Option<Ended> {
        self.plan.ends.get(slot as usize).cloned()
    }

    fn end(&mut self, slot: u32, end: Ended) {
        if let Some(place) = self.plan.ends.get_mut(slot as usize) {
            *place = end;
        }
    }

    /// The judge's part of what the wave came to. Tasks that ask the same as another end as that one did.
    pub(crate) fn end_wave(&mut self, samples: usize) -> JudgeOutcome {
        let shared = std::mem::take(&mut self.plan.shared);
        for (slot, first) in &shared {
            if let Some(end) = self.end_of(*first) {
                self.end(*slot, end);
            }
        }
        let ends = std::mem::take(&mut self.plan.ends);
        let count = |wanted: fn(&Ended) -> bool| ends.iter().filter(|end| wanted(end)).count();
        let answered = |slot: u32| matches!(ends.get(slot as usize), Some(Ended::Answered(_)));
        JudgeOutcome {
            id: self.plan.id,
            name: self.plan.name.clone(),
            planned: ends.len(),
            reused: self.plan.reused,
            shared: shared.iter().filter(|(slot, _)| answered(*slot)).count(),
            judged: count(|end| matches!(end, Ended::Answered(Known::Grade(_) | Known::Compared(_)))),
            unusable: count(|end| matches!(end, Ended::Answered(Known::Unusable { .. }))),
            gave_up: count(|end| matches!(end, Ended::GaveUp(_))),
            not_asked: count(|end| matches!(end, Ended::NotAsked)),
            without_text: count(|end| matches!(end, Ended::WithoutText)),
            samples,
            ends,
        }
    }
}
