//! Keeps requests within the limits that a user sets for an account.
//!
//! A server need not state a limit, and an account may be shared with others. In any minute at most so many requests
//! are started. Tokens count when an answer states them; requests in flight are reserved by their judge's mean usage.
//! If answers do not state tokens, the estimate counts. Before the first answer, the judge is asked one question at a
//! time.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use llull_core::Usage;
use llull_llm::{LimitSubject, RateLimit};
use serde::Serialize;
use tokio::time::Instant;

use crate::accounts::{InFlight, RECHECK, UsedUp};

/// The time for which the limits hold.
const MINUTE: Duration = Duration::from_secs(60);

/// The limits of an account that a user sets, which hold beside those that its server states.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct AccountLimits {
    /// Requests in a minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u64>,
    /// Tokens of prompts and replies in a minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<u64>,
}

impl AccountLimits {
    /// Returns whether nothing is limited.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the time before a request that keeps requests one after the other within the limit of requests.
    pub(crate) fn before_each(&self) -> Duration {
        self.requests_per_minute.map_or(Duration::ZERO, |limit| MINUTE.div_f64(limit.max(1) as f64))
    }

    /// Returns the time after a request that keeps requests one after the other within the limit of tokens.
    pub(crate) fn after(&self, usage: &Usage) -> Duration {
        let minutes = self.tokens_per_minute.map_or(0.0, |limit| tokens(usage) as f64 / limit.max(1) as f64);
        Duration::try_from_secs_f64(minutes * MINUTE.as_secs_f64()).unwrap_or(Duration::MAX)
    }

    /// Returns the lower limits of two judges of an account.
    fn lower(self, other: Self) -> Self {
        let lower = |one: Option<u64>, other: Option<u64>| one.into_iter().chain(other).min();
        Self {
            requests_per_minute: lower(self.requests_per_minute, other.requests_per_minute),
            tokens_per_minute: lower(self.tokens_per_minute, other.tokens_per_minute),
        }
    }
}

fn tokens(usage: &Usage) -> u64 {
    usage.prompt_tokens.unwrap_or(0).saturating_add(usage.completion_tokens.unwrap_or(0))
}

/// What accounts with limits used in the last minute. Runs with clones of one value keep within them together.
#[derive(Debug, Clone, Default)]
pub struct AccountUse(Arc<Mutex<LimitedAccounts>>);

impl PartialEq for AccountUse {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl AccountUse {
    pub(crate) fn lock(&self) -> MutexGuard<'_, LimitedAccounts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request whose answer states no tokens by the estimated ones.
    pub(crate) fn estimate(&self, account: &str, tokens: u64) {
        self.lock().estimate(account, tokens, Instant::now());
    }
}

/// The accounts with limits, and what they used in the last minute.
#[derive(Debug, Default)]
pub(crate) struct LimitedAccounts(BTreeMap<String, LimitedAccount>);

#[derive(Debug, Default)]
struct LimitedAccount {
    limits: AccountLimits,
    requests: LastMinute,
    tokens: LastMinute,
    /// The estimated tokens of requests whose answers stated none, and the number of these requests.
    estimated: (u64, u64),
}

/// Amounts, by the time at which they were used.
#[derive(Debug, Default)]
struct LastMinute {
    used: VecDeque<(Instant, u64)>,
    sum: u64,
}

impl LastMinute {
    fn add(&mut self, now: Instant, amount: u64) {
        self.used.push_back((now, amount));
        self.sum = self.sum.saturating_add(amount);
    }

    fn forget(&mut self, now: Instant) {
        while let Some((_, amount)) = self.used.front().copied().filter(|(at, _)| *at + MINUTE <= now) {
            self.used.pop_front();
            self.sum = self.sum.saturating_sub(amount);
        }
    }

    /// Takes one back. Any may be the one: that of the oldest counts for the shortest time.
    fn take_back(&mut self, now: Instant) {
        self.forget(now);
        if let Some((at, amount)) = self.used.pop_front() {
            self.sum = self.sum.saturating_sub(1);
            if amount > 1 {
                self.used.push_front((at, amount - 1));
            }
        }
    }

    /// Returns how many more amounts of `each` fit into a limit, of which `reserved` is in use.
    fn room(
        &self,
        (subject, limit): (LimitSubject, u64),
        (each, reserved): (u64, u64),
        now: Instant,
    ) -> Result<u64, UsedUp> {
        let left = limit.saturating_sub(self.sum.saturating_add(reserved));
        match left / each.max(1) {
            // A request above the whole limit is the server's to refuse.
            0 if self.sum == 0 && reserved == 0 => Ok(1),
            0 => {
                let until = self.used.front().map_or(now + RECHECK, |(at, _)| *at + MINUTE);
                let (at, full_in) = (now.into_std(), until.saturating_duration_since(now));
                Err(UsedUp { limit: RateLimit { subject, limit, left: Some(left), full_in, at }, until })
            }
            requests => Ok(requests),
        }
    }
}

impl LimitedAccounts {
    /// Sets the limits of an account; the lower ones count if they were set before.
    pub(crate) fn set(&mut self, account: &str, limits: AccountLimits) {
        let known = self.0.entry(account.to_owned()).or_default();
        known.limits = known.limits.lower(limits);
    }

    /// Counts requests that are started.
    pub(crate) fn start(&mut self, account: &str, requests: u64, now: Instant) {
        if let Some(account) = self.0.get_mut(account) {
            account.requests.add(now, requests);
        }
    }

    /// Takes back a request that is not sent after all.
    pub(crate) fn not_sent(&mut self, account: &str, now: Instant) {
        if let Some(account) = self.0.get_mut(account) {
            account.requests.take_back(now);
        }
    }

    /// Returns whether the tokens of an account are limited, and a judge's first answer has to show how many it takes.
    pub(crate) fn limits_tokens(&self, account: &str) -> bool {
        let waits =
            |account: &LimitedAccount| account.limits.tokens_per_minute.is_some() && account.estimated.1 == 0;
        self.0.get(account).is_some_and(waits)
    }

    /// Counts the estimated tokens of a request whose answer states none.
    fn estimate(&mut self, account: &str, tokens: u64, now: Instant) {
        if let Some(account) = self.0.get_mut(account) {
            account.tokens.add(now, tokens);
            account.estimated.0 = account.estimated.0.saturating_add(tokens);
            account.estimated.1 += 1;
        }
    }

    /// Counts the tokens of an answer.
    pub(crate) fn answered(&mut self, account: &str, usage: &Usage, now: Instant) {
        let tokens = tokens(usage);
        if let Some(account) = self.0.get_mut(account).filter(|_| tokens > 0) {
            account.tokens.add(now, tokens);
        }
    }

    /// Returns how many more requests of this mean usage the account may get now.
    ///
    /// # Errors
    /// Returns the limit that leaves no room, if one does.
    pub(crate) fn room(
        &mut self,
        account: &str,
        mean: &Usage,
        in_flight: &[InFlight],
        now: Instant,
    ) -> Result<u64, UsedUp> {
        let Some(LimitedAccount { limits, requests, tokens, estimated }) = self.0.get_mut(account) else {
            return Ok(u64::MAX);
        };
        requests.forget(now);
        tokens.forget(now);
        let mut room = u64::MAX;
        if let Some(limit) = limits.requests_per_minute {
            room = room.min(requests.room((LimitSubject::Requests, limit), (1, 0), now)?);
        }
        let estimated = (estimated.1 > 0).then(|| estimated.0.div_ceil(estimated.1));
        let counted =
            |mean: &Usage| Some(mean.prompt_tokens?.saturating_add(mean.completion_tokens.unwrap_or(0)));
        let used = |mean: &Usage| counted(mean).or(estimated);
        if let Some(limit) = limits.tokens_per_minute {
            let reserved = in_flight.iter().fold(0_u64, |sum, (requests, mean)| {
                sum.saturating_add(used(mean).unwrap_or(0).saturating_mul(*requests as u64))
            });
            let each = used(mean);
            let fit = tokens.room((LimitSubject::Tokens, limit), (each.unwrap_or(1), reserved), now)?;
            room = room.min(if each.is_some() { fit } else { 1 });
        }
        Ok(room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accounts(requests: Option<u64>, tokens: Option<u64>) -> LimitedAccounts {
        let mut accounts = LimitedAccounts::default();
        accounts.set("a", AccountLimits { requests_per_minute: requests, tokens_per_minute: tokens });
        accounts
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn in_no_minute_are_there_more_requests_than_the_lower_limit() {
        let (mut accounts, begun) = (accounts(Some(9), None), Instant::now());
        accounts.set("a", AccountLimits { requests_per_minute: Some(3), tokens_per_minute: None });
        let mut started: Vec<Instant> = Vec::new();
        for second in 0..200 {
            let now = begun + second * SECOND;
            while accounts.room("a", &Usage::default(), &[], now).is_ok() {
                accounts.start("a", 1, now);
                started.push(now);
            }
        }
        assert!(started.windows(4).all(|four| four[3] - four[0] >= MINUTE), "{started:?}");
        assert_eq!(started.len(), 12, "and no fewer");
        assert_eq!(accounts.room("b", &Usage::default(), &[], begun), Ok(u64::MAX), "another account");
    }

    #[test]
    fn tokens_of_answers_and_of_requests_in_flight_count_for_a_minute() {
        let (mut accounts, now) = (accounts(None, Some(1_000)), Instant::now());
        let mean = Usage::new(90, 10);
        let mut room = |in_flight, after: Duration| {
            accounts
                .room("a", &mean, &[(in_flight, mean)], now + after)
                .map_err(|used_up| used_up.until - now)
        };
        assert_eq!(room(4, Duration::ZERO), Ok(6));
        assert_eq!(room(10, Duration::ZERO), Err(RECHECK), "answers come first");
        accounts.answered("a", &Usage::new(850, 50), now);
        let mut room = |in_flight, after: Duration| {
            accounts
                .room("a", &mean, &[(in_flight, mean)], now + after)
                .map_err(|used_up| used_up.until - now)
        };
        assert_eq!(room(0, SECOND), Ok(1));
        assert_eq!(room(1, SECOND), Err(MINUTE));
        assert_eq!(room(0, MINUTE), Ok(10));
    }

    #[test]
    fn no_limit_stops_a_judge_for_good() {
        let (mut accounts, now) = (accounts(None, Some(50)), Instant::now());
        let mean = Usage::new(100, 0);
        assert_eq!(accounts.room("a", &mean, &[], now), Ok(1), "its server may take it");
        assert!(accounts.room("a", &mean, &[(1, mean)], now).is_err(), "one at a time");
        let unknown = Usage::default();
        assert_eq!(accounts.room("a", &unknown, &[], now), Ok(1), "tokens are unknown");
        accounts.answered("a", &Usage::new(50, None), now);
        let used_up = accounts.room("a", &unknown, &[], now + SECOND).unwrap_err();
        assert_eq!(used_up.until, now + MINUTE);
    }

    #[test]
    fn answers_that_state_no_tokens_count_by_their_estimate() {
        let (mut accounts, now) = (accounts(None, Some(1_000)), Instant::now());
        let (unknown, known) = (Usage::default(), Usage::new(20, 3));
        assert!(accounts.limits_tokens("a"));
        accounts.estimate("a", 100, now);
        accounts.estimate("a", 201, now);
        assert!(!accounts.limits_tokens("a"), "nobody waits for a first answer any more");
        let mut room = |mean, after: Duration| {
            let room = accounts.room("a", mean, &[(2, unknown), (1, known)], now + after);
            room.map_err(|used_up| used_up.until - now)
        };
        // Of 1,000 tokens 301 are used, and 2 times 151 and 23 reserved.
        assert_eq!((room(&unknown, SECOND), room(&known, SECOND)), (Ok(2), Ok(16)));
        assert_eq!(room(&unknown, MINUTE), Ok(4));
        accounts.estimate("a", 500, now);
        assert_eq!(accounts.room("a", &unknown, &[], now + SECOND), Ok(1), "500 are left, of 267 each");
    }

    #[test]
    fn what_is_not_sent_is_given_back() {
        let (mut accounts, now) = (accounts(Some(3), None), Instant::now());
        let room = |accounts: &mut LimitedAccounts, after| {
            accounts.room("a", &Usage::default(), &[], now + after).map_err(|used_up| used_up.until - now)
        };
        accounts.start("a", 2, now);
        accounts.start("a", 1, now + SECOND);
        assert_eq!(room(&mut accounts, SECOND), Err(MINUTE));
        (0..3).for_each(|_| accounts.not_sent("a", now + SECOND));
        assert_eq!(room(&mut accounts, SECOND), Ok(3));
        accounts.not_sent("a", now + SECOND);
        assert_eq!(room(&mut accounts, SECOND), Ok(3), "no more than the limit");
    }
}
