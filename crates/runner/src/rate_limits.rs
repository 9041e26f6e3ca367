//! Detects whether a server's rate limit has to slow down its judge.

use std::collections::VecDeque;

use tokio::time::Instant;

/// The least number of attempts by which the share of refusals is judged.
const FEWEST: usize = 64;

/// The server's responses to the latest attempts.
///
/// Some servers refuse a request now and then, whatever the rate: then only that request waits, and a slower judge
/// would lose throughput for nothing. A server under too many requests refuses most of them: then the whole judge has
/// to slow down. The share of refusals separates the two cases.
#[derive(Debug, Default)]
pub(crate) struct RateLimits {
    /// Whether each of the last attempts was refused, the latest last.
    recent: VecDeque<bool>,
    /// The number of refusals among them.
    refused: usize,
    /// The number of refusals since the last answer.
    in_a_row: usize,
    /// The latest time before which the server wants no request.
    until: Option<Instant>,
}

impl RateLimits {
    /// Counts an answer; `places` requests may be in flight.
    pub(crate) fn answered(&mut self, places: usize) {
        self.in_a_row = 0;
        self.count(false, places);
    }

    /// Counts a refusal of a request that is to be sent again at `again`. Returns the end of the pause if the server
    /// gets too many requests: it has refused as many in a row as may be in flight, or more than a quarter of the
    /// latest attempts (at least 64, or two rounds). Afterwards all counts start again from zero.
    pub(crate) fn refused(&mut self, places: usize, again: Instant) -> Option<Instant> {
        self.in_a_row += 1;
        self.count(true, places);
        let until = self.until.map_or(again, |until| until.max(again));
        self.until = Some(until);
        let all = self.in_a_row >= places.max(2);
        let many = self.refused * 4 > window(places);
        (all || many).then(|| {
            *self = Self::default();
            until
        })
    }

    fn count(&mut self, refused: bool, places: usize) {
        self.recent.push_back(refused);
        self.refused += usize::from(refused);
        while self.recent.len() > window(places) {
            self.refused -= usize::from(self.recent.pop_front() == Some(true));
        }
    }
}

/// Returns the number of attempts by which the share of refusals is judged.
fn window(places: usize) -> usize {
    places.saturating_mul(2).clamp(FEWEST, 4096)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_refusal_now_and_then_is_no_storm() {
        let (mut limits, now) = (RateLimits::default(), Instant::now());
        for attempt in 0..2_000 {
            match attempt % 5 {
                0 => assert_eq!(limits.refused(64, now), None, "{attempt}"),
                _ => limits.answered(64),
            }
        }
    }

    #[test]
    fn a_round_of_refusals_is_a_storm_and_so_is_more_than_a_quarter() {
        let now = Instant::now();
        let mut limits = RateLimits::default();
        let storms: Vec<bool> = (0..8).map(|_| limits.refused(4, now).is_some()).collect();
        assert_eq!(storms, [false, false, false, true, false, false, false, true], "judged anew after each");
        let mut limits = RateLimits::default();
        let storm = (0..128).position(|attempt| {
            if attempt % 2 == 0 {
                return limits.refused(64, now).is_some();
            }
            limits.answered(64);
            false
        });
        assert_eq!(storm, Some(64), "the 33rd refusal of 128");
    }

    #[test]
    fn a_storm_lasts_as_long_as_the_longest_wait_that_was_asked_for() {
        let (mut limits, now) = (RateLimits::default(), Instant::now());
        let (long, short) = (now + Duration::from_secs(5), now + Duration::from_secs(2));
        assert_eq!(limits.refused(2, long), None);
        assert_eq!(limits.refused(2, short), Some(long));
    }
}
