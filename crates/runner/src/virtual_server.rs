//! Tests a judge's throughput under rate limits, in virtual time.
//!
//! The dispatcher has no clock, so a run of an hour takes no time.
#![cfg(test)]

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
    time::Duration,
};

use llull_core::{Attempt, Failure, FailureKind, GradedVerdict, Hash, Outcome, Seed, Verdict};
use llull_llm::{LimitSubject, RateLimit};
use llull_store::JudgeLog;
use tokio::time::Instant;

use crate::{
    dispatcher::Dispatcher,
    index::JudgeIndex,
    options::RunOptions,
    wave::{JudgeWave, Ticket},
};

/// The time that each answer and each refusal takes.
const LATENCY: Duration = Duration::from_millis(50);

/// The value of `Retry-After`.
const RETRY_AFTER: Duration = Duration::from_secs(1);

const CONCURRENCY: usize = 64;

/// How a server decides whether to refuse a request.
enum Limit {
    /// Each request with this probability, whatever the rate.
    Independent(f64),
    /// Requests beyond so many in a second.
    PerSecond(u64),
    /// Requests beyond so many a minute, which refill all the time; each reply states the rest.
    Stated(u64),
}

/// A server that refuses requests.
struct Server {
    limit: Limit,
    second: u64,
    in_this_second: u64,
    attempts: u64,
    refusals: u64,
    /// The requests that the stated limit leaves, as of a time since the start.
    left: (f64, Duration),
}

impl Server {
    fn new(limit: Limit) -> Self {
        Self {
            limit,
            second: 0,
            in_this_second: 0,
            attempts: 0,
            refusals: 0,
            left: (f64::MAX, Duration::ZERO),
        }
    }

    /// The rest of the stated limit at a time since the start.
    fn refilled(&self, per_minute: u64, since_start: Duration) -> f64 {
        let (left, at) = self.left;
        (left + (since_start - at).as_secs_f64() * per_minute as f64 / 60.0).min(per_minute as f64)
    }

    /// The headers of a reply.
    fn limits(&self, start: Instant, since_start: Duration) -> Vec<RateLimit> {
        let Limit::Stated(limit) = self.limit else { return Vec::new() };
        let left = self.refilled(limit, since_start);
        let full_in = Duration::from_secs_f64((limit as f64 - left) * 60.0 / limit as f64);
        vec![RateLimit {
            subject: LimitSubject::Requests,
            limit,
            left: Some(left as u64),
            full_in,
            at: (start + since_start).into_std(),
        }]
    }

    fn refuses(&mut self, task: u32, tried: u32, since_start: Duration) -> bool {
        let refused = match self.limit {
            Limit::Independent(rate) => {
                let drawn = Seed(7).stream(&format!("{task} {tried}"));
                ((drawn >> 11) as f64 / (1_u64 << 53) as f64) < rate
            }
            Limit::PerSecond(most) => {
                if since_start.as_secs() != self.second {
                    (self.second, self.in_this_second) = (since_start.as_secs(), 0);
                }
                self.in_this_second += 1;
                self.in_this_second > most
            }
            Limit::Stated(per_minute) => {
                let left = self.refilled(per_minute, since_start);
                self.left = (if left < 1.0 { left } else { left - 1.0 }, since_start);
                left < 1.0
            }
        };
        self.attempts += 1;
        self.refusals += u64::from(refused);
        refused
    }
}

/// How long a loop takes in which each of 64 workers asks one task after the other, and waits when it is refused.
fn bare_loop(tasks: u32, server: &mut Server) -> Duration {
    let mut workers: BinaryHeap<Reverse<Duration>> =
        (0..CONCURRENCY).map(|_| Reverse(Duration::ZERO)).collect();
    let mut end = Duration::ZERO;
    for task in 0..tasks {
        let Reverse(mut now) = workers.pop().unwrap_or_default();
        let mut tried = 0;
        while server.refuses(task, tried, now) {
            tried += 1;
            now += LATENCY + RETRY_AFTER;
        }
        now += LATENCY;
        end = end.max(now);
        workers.push(Reverse(now));
    }
    end
}

fn wave(tasks: u32) -> JudgeWave {
    let mut log = JudgeLog::default();
    let todo: VecDeque<Ticket> = (0..tasks).map(|slot| Ticket::sample(slot, &mut log)).collect();
    JudgeWave { todo, tasks: tasks as usize, concurrency: CONCURRENCY, ..JudgeWave::sample() }
}

/// How long the dispatcher takes, and how many tasks it gave up.
fn dispatched(tasks: u32, server: &mut Server) -> (Duration, usize) {
    let mut dispatcher = Dispatcher::new(RunOptions { give_up_limit: u32::MAX, ..RunOptions::default() });
    dispatcher.begin(vec![wave(tasks)]);
    let start = Instant::now();
    let (mut now, mut started, mut gave_up) = (start, 0_u64, 0);
    let mut in_flight: BinaryHeap<Reverse<(Instant, u64)>> = BinaryHeap::new();
    let mut tickets = std::collections::BTreeMap::new();
    let mut tried = vec![0_u32; tasks as usize];
    loop {
        while let Some(batch) = dispatcher.next(now) {
            for ticket in batch.tickets {
                let slot = ticket.slot;
                let refused = server.refuses(slot, tried[slot as usize], now - start);
                tried[slot as usize] += 1;
                in_flight.push(Reverse((now + LATENCY, started)));
                tickets.insert(started, (ticket, refused));
                started += 1;
            }
        }
        if dispatcher.is_done() {
            return (now - start, gave_up);
        }
        let next = in_flight.peek().map(|Reverse((at, _))| *at);
        now = next.into_iter().chain(dispatcher.wake_at()).min().unwrap();
        while let Some(Reverse((at, id))) = in_flight.peek().copied()
            && at <= now
        {
            in_flight.pop();
            let (ticket, refused) = tickets.remove(&id).unwrap();
            let attempt = Attempt::new(ticket.key, outcome(refused));
            gave_up += usize::from(dispatcher.observe(JudgeIndex(0), ticket, &attempt, now).gave_up);
            let limits = server.limits(start, now - start);
            if !limits.is_empty() {
                dispatcher.state_limits(JudgeIndex(0), "account", limits);
            }
        }
    }
}

fn outcome(refused: bool) -> Outcome {
    if !refused {
        return Outcome::Judged { verdict: Verdict::Graded(GradedVerdict::default()) };
    }
    let retry_after_ms = Some(RETRY_AFTER.as_millis() as u64);
    Outcome::Failed(Failure { retry_after_ms, ..Failure::new(FailureKind::RateLimited, "429") })
}

#[test]
fn one_refusal_in_ten_costs_no_more_than_in_a_loop_that_retries_each_request() {
    let tasks = 20_000;
    let rate = || Server::new(Limit::Independent(0.1));
    let bare = bare_loop(tasks, &mut rate());
    assert!((45..60).contains(&bare.as_secs()), "as was measured with a real loop: {bare:?}");
    let (took, gave_up) = dispatched(tasks, &mut rate());
    assert_eq!(gave_up, 0);
    // The rest is the jitter of half a second, so that requests do not all come back at once.
    assert!(took < bare.mul_f64(1.25), "{took:?} beside {bare:?}");
}

#[test]
fn a_server_that_is_asked_too_often_is_asked_less() {
    let mut server = Server::new(Limit::PerSecond(20));
    let (took, gave_up) = dispatched(2_000, &mut server);
    assert_eq!(gave_up, 0, "{} of {} refused", server.refusals, server.attempts);
    assert!(took < Duration::from_secs(2_000 / 20 * 2), "{took:?}");
    assert!(server.refusals * 2 < server.attempts, "{} of {} refused", server.refusals, server.attempts);
}

/// Without the stated limit, a fifth of the attempts is refused.
#[test]
fn a_stated_limit_is_used_and_not_exceeded() {
    for per_minute in [30, 600, 6_000] {
        let mut server = Server::new(Limit::Stated(per_minute));
        let (took, gave_up) = dispatched(10 * per_minute as u32, &mut server);
        let refused = format!("{} of {} refused in {took:?}", server.refusals, server.attempts);
        assert_eq!(gave_up, 0, "{refused}");
        let first_round = (CONCURRENCY as u64).saturating_sub(per_minute);
        assert!(server.refusals <= first_round, "before the first reply the limit is unknown: {refused}");
        // One minute's worth is there at the start.
        assert!(took.as_secs_f64() < 9.0 * 60.0 * 1.15, "{refused}");
    }
}

/// What a reply states to be left is left: the server has counted all requests that it had before.
#[test]
fn only_requests_after_the_last_reply_are_reserved() {
    let mut dispatcher = Dispatcher::new(RunOptions::default());
    dispatcher.begin(vec![wave(200)]);
    let start = Instant::now();
    let mut sent: VecDeque<Ticket> = VecDeque::new();
    // Seconds since the start, replies, what they state to be left, and how many requests follow.
    let steps = [
        (0, 0, None, CONCURRENCY),
        (1, 10, Some(30), 10),
        (2, 10, None, 10),
        (3, 8, None, 8),
        (4, 5, None, 2),
    ];
    for (second, replies, left, follow) in steps {
        let now = start + Duration::from_secs(second);
        for ticket in sent.drain(..replies) {
            let attempt = Attempt::new(ticket.key, outcome(false));
            dispatcher.observe(JudgeIndex(0), ticket, &attempt, now);
        }
        if left.is_some() {
            let (subject, full_in) = (LimitSubject::Requests, Duration::from_secs(60));
            let limits = vec![RateLimit { subject, limit: 1000, left, full_in, at: now.into_std() }];
            dispatcher.state_limits(JudgeIndex(0), "account", limits);
        }
        let before = sent.len();
        sent.extend(std::iter::from_fn(|| dispatcher.next(now)).flat_map(|batch| batch.tickets));
        assert_eq!(sent.len() - before, follow, "at {second} s");
    }
}

#[test]
fn judges_of_one_account_share_its_limits() {
    let mut dispatcher = Dispatcher::new(RunOptions::default());
    dispatcher.begin(vec![wave(9), wave(9)]);
    let now = Instant::now();
    let limit = RateLimit {
        subject: LimitSubject::Requests,
        limit: 9,
        left: Some(3),
        full_in: Duration::from_secs(60),
        at: now.into_std(),
    };
    for judge in [0, 1] {
        dispatcher.state_limits(JudgeIndex(judge), "account", vec![limit.clone()]);
    }
    let sent = std::iter::from_fn(|| dispatcher.next(now)).map(|batch| batch.tickets.len());
    assert_eq!(sent.sum::<usize>(), 3);
}

#[test]
fn two_processes_do_not_come_back_at_the_same_time() {
    let pauses = |seed| {
        let mut dispatcher = Dispatcher::new(RunOptions { seed: Seed(seed), ..RunOptions::default() });
        dispatcher.begin(vec![wave(8)]);
        let now = Instant::now();
        let batch = std::iter::from_fn(|| dispatcher.next(now)).flat_map(|batch| batch.tickets);
        let refused = outcome(true);
        let tickets: Vec<_> = batch.collect();
        let observe = |ticket: Ticket| {
            let attempt = Attempt::new(ticket.key, refused.clone());
            dispatcher.observe(JudgeIndex(0), ticket, &attempt, now).retry_in
        };
        tickets.into_iter().map(observe).collect::<Vec<_>>()
    };
    assert_eq!(pauses(1), pauses(1));
    assert!(pauses(1).iter().zip(pauses(2)).all(|(one, other)| *one != other));
}

impl Ticket {
    /// A ticket of a task of its own.
    pub(crate) fn sample(slot: u32, log: &mut JudgeLog) -> Self {
        let key = Hash::of(&slot.to_le_bytes());
        let place = log.place(key);
        Self {
            slot,
            failures: 0,
            unusable: 0,
            attempts: 0,
            key,
            place,
            topic: crate::index::TopicIndex(slot),
            turn: None,
        }
    }
}

impl JudgeWave {
    /// A wave without tasks.
    pub(crate) fn sample() -> Self {
        Self {
            name: "j".into(),
            in_process: false,
            in_batches: false,
            one_first: false,
            set_limits: None,
            concurrency: 1,
            todo: VecDeque::new(),
            reask: 1,
            left_out: 0,
            tasks: 0,
            reused: 0,
            shared: Vec::new(),
            without_text: 0,
            history: Vec::new(),
        }
    }
}
