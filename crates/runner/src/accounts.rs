//! Keeps requests within the limits that servers state for an account.
//!
//! A reply states how much of each limit is left; its server has counted the requests from before. Those that were
//! started after it are reserved by their judge's mean usage, until the next reply settles them. With too little left,
//! judges wait until the limit is full again. That costs no throughput if the limit refills all the time, and is the
//! first possible moment if it does not.

use std::{collections::BTreeMap, time::Duration};

use llull_core::Usage;
use llull_llm::{LONGEST_WAIT, RateLimit};
use tokio::time::Instant;

/// The pause of a judge that waits for replies to other requests.
pub(crate) const RECHECK: Duration = Duration::from_secs(1);

/// The limits of accounts, as their servers stated them last.
#[derive(Debug, Default)]
pub(crate) struct Accounts(BTreeMap<String, Vec<RateLimit>>);

/// The requests in flight of one judge that its account's limits do not count yet, and the mean usage of its answered
/// ones.
pub(crate) type InFlight = (usize, Usage);

/// The limit that a judge waits for.
#[derive(Debug, PartialEq)]
pub(crate) struct UsedUp {
    pub(crate) limit: RateLimit,
    /// The end of the wait.
    pub(crate) until: Instant,
}

impl Accounts {
    /// Records the limits that a reply states, if no later one of the account has stated some. Returns the time of the
    /// reply if it did.
    pub(crate) fn state(&mut self, account: &str, limits: Vec<RateLimit>) -> Option<Instant> {
        let at = |limits: &[RateLimit]| limits.first().map(|limit| limit.at);
        let stated = at(&limits);
        if self.0.get(account).is_some_and(|known| at(known) >= stated) {
            return None;
        }
        self.0.insert(account.to_owned(), limits);
        stated.map(Instant::from_std)
    }

    /// Returns how many more requests of this mean usage the account may get now. A limit that states no rest, or
    /// takes longer to refill than llull waits, is left to the server.
    ///
    /// # Errors
    /// Returns the limit that leaves no room, if one does.
    pub(crate) fn room(
        &self,
        account: &str,
        mean: &Usage,
        in_flight: &[InFlight],
        now: Instant,
    ) -> Result<u64, UsedUp> {
        let Some(limits) = self.0.get(account) else { return Ok(u64::MAX) };
        let alone = in_flight.iter().all(|(requests, _)| *requests == 0);
        let mut room = u64::MAX;
        for limit in limits.iter().filter(|limit| limit.full_in <= LONGEST_WAIT) {
            let (Some(left), Some(each)) = (limit.left, limit.subject.used_by(mean)) else { continue };
            let full_at = Instant::from_std(limit.at + limit.full_in);
            let left = if full_at <= now { limit.limit } else { left };
            let reserved = in_flight.iter().fold(0, |sum: u64, (requests, mean)| {
                let each = limit.subject.used_by(mean).unwrap_or(0);
                sum.saturating_add(each.saturating_mul(*requests as u64))
            });
            match left.saturating_sub(reserved) / each.max(1) {
                // A request above the whole limit is the server's to refuse.
                0 if alone && full_at <= now => room = 1,
                0 => return Err(UsedUp { limit: limit.clone(), until: full_at.max(now + RECHECK) }),
                requests => room = room.min(requests),
            }
        }
        Ok(room)
    }
}

#[cfg(test)]
mod tests {
    use llull_llm::LimitSubject;

    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn usage(tokens: u64) -> Usage {
        Usage::new(tokens, 0)
    }

    fn accounts(limit: u64, left: u64, subject: LimitSubject, now: Instant) -> Accounts {
        let mut accounts = Accounts::default();
        accounts.state("a", stated(limit, left, subject, now));
        accounts
    }

    fn stated(limit: u64, left: u64, subject: LimitSubject, at: Instant) -> Vec<RateLimit> {
        vec![RateLimit { subject, limit, left: Some(left), full_in: MINUTE, at: at.into_std() }]
    }

    #[test]
    fn requests_in_flight_are_reserved_for_all_judges_of_an_account() {
        let now = Instant::now();
        let accounts = accounts(10_000, 1_000, LimitSubject::Tokens, now);
        let room = |in_flight: &[InFlight], now| {
            accounts.room("a", &usage(100), in_flight, now).map_err(|used_up| used_up.until - now)
        };
        assert_eq!(room(&[], now), Ok(10));
        assert_eq!(room(&[(2, usage(100)), (1, usage(500))], now), Ok(3));
        assert_eq!(room(&[(2, usage(100)), (2, usage(400))], now), Err(MINUTE));
        assert_eq!(room(&[(2, usage(100))], now + MINUTE), Ok(98), "it is full again");
        assert_eq!(accounts.room("b", &usage(100), &[], now), Ok(u64::MAX), "another account");
        assert_eq!(accounts.room("a", &Usage::default(), &[], now), Ok(u64::MAX), "tokens are unknown");
    }

    #[test]
    fn no_limit_stops_a_judge_for_good() {
        let now = Instant::now();
        let small = accounts(50, 50, LimitSubject::InputTokens, now);
        assert_eq!(small.room("a", &usage(100), &[], now).unwrap_err().until, now + MINUTE);
        assert_eq!(small.room("a", &usage(100), &[(0, usage(100))], now + MINUTE), Ok(1));
        assert!(small.room("a", &usage(100), &[(1, usage(100))], now + MINUTE).is_err(), "one at a time");
        let mut daily = Accounts::default();
        let mut limits = stated(9, 0, LimitSubject::Requests, now);
        limits[0].full_in = LONGEST_WAIT + MINUTE;
        daily.state("a", limits);
        assert_eq!(daily.room("a", &usage(1), &[], now), Ok(u64::MAX), "the server's answer tells more");
    }

    #[test]
    fn an_older_statement_does_not_replace_a_newer_one() {
        let now = Instant::now();
        let mut accounts = accounts(10, 3, LimitSubject::Requests, now);
        accounts.state("a", stated(10, 9, LimitSubject::Requests, now - MINUTE));
        assert_eq!(accounts.room("a", &usage(1), &[], now), Ok(3));
        accounts.state("a", stated(10, 2, LimitSubject::Requests, now + MINUTE));
        assert_eq!(accounts.room("a", &usage(1), &[], now + MINUTE), Ok(2));
    }
}
