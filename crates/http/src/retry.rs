//! Decides when to try again, as a pure function without waiting.

use std::fmt;
use std::time::Duration;

use llull_core::{Failure, FailureKind, Scope};

/// How often a request that failed is sent again, and how long to wait in between.
///
/// Exponential backoff with full jitter (M. Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015):
/// before attempt n+1 a time drawn evenly from 0 to `min(cap, base * 2^(n-1))`, and never less than the server asks
/// for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The most times that a request is sent, the first included; half as many again if the server limits the rate,
    /// since that passes.
    pub attempts: u32,
    /// The longest wait after the first attempt.
    pub base: Duration,
    /// The longest wait after any, unless the server asks for more.
    pub cap: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { attempts: 6, base: Duration::from_millis(500), cap: Duration::from_secs(60) }
    }
}

/// The longest Retry-After that llull waits for. A server that wants more has a quota for the day, and the user should
/// see that rather than watch the program sleep.
pub const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// Why there is no further attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GiveUp {
    /// Every attempt was used.
    #[error("gave up after {0} attempts")]
    Attempts(u32),
    /// The same request would fail again.
    #[error("not tried again, because the same request would fail again")]
    Lasting,
    /// The server asks for a longer wait than [`LONGEST_WAIT`].
    #[error(
        "the server asks to wait {}, and llull waits {} at most; run again after that, and saved answers are not \
         paid for again", Wait(*.0), Wait(LONGEST_WAIT)
    )]
    TooLong(Duration),
}

/// A wait in its two largest units: `45 s`, `20 min`, `2 h 5 min`, `3 d 4 h`.
struct Wait(Duration);

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let (large, small) = match seconds {
            0..60 => return write!(f, "{seconds} s"),
            60..3600 => ((seconds / 60, "min"), (seconds % 60, "s")),
            3600..86_400 => ((seconds / 3600, "h"), (seconds % 3600 / 60, "min")),
            _ => ((seconds / 86_400, "d"), (seconds % 86_400 / 3600, "h")),
        };
        match small.0 {
            0 => write!(f, "{} {}", large.0, large.1),
            _ => write!(f, "{} {} {} {}", large.0, large.1, small.0, small.1),
        }
    }
}

impl GiveUp {
    /// Returns the wait that a failure's server asks for, if it is longer than [`LONGEST_WAIT`] and the failure may
    /// pass.
    pub fn too_long(failure: &Failure) -> Option<Self> {
        let wait = failure.retry_after_ms.map(Duration::from_millis);
        wait.filter(|wait| failure.kind.scope() == Scope::Transient && *wait > LONGEST_WAIT)
            .map(Self::TooLong)
    }
}

impl RetryPolicy {
    /// Returns how long to wait before the next attempt after `attempts_made` (from 1), the last of which ended in
    /// `failure`. The caller draws `jitter` from 0 to 1. Returns `None` if no attempt follows;
    /// [`gives_up`](Self::gives_up) has the reason.
    ///
    /// ```
    /// use std::time::Duration;
    /// use llull_core::{Failure, FailureKind};
    /// use llull_http::RetryPolicy;
    ///
    /// let policy = RetryPolicy::default();
    /// let busy = Failure::new(FailureKind::Server, "HTTP 503");
    /// assert_eq!(policy.delay(1, &busy, 1.0), Some(Duration::from_millis(500)));
    /// assert_eq!(policy.delay(3, &busy, 0.5), Some(Duration::from_secs(1)));
    /// assert_eq!(policy.delay(6, &busy, 0.5), None, "six attempts are all");
    /// ```
    pub fn delay(&self, attempts_made: u32, failure: &Failure, jitter: f64) -> Option<Duration> {
        if self.gives_up(attempts_made, failure).is_some() {
            return None;
        }
        let jitter = if jitter.is_nan() { 1.0 } else { jitter.clamp(0.0, 1.0) };
        let doubled = 2u32.saturating_pow(attempts_made.saturating_sub(1));
        let backoff = self.base.saturating_mul(doubled).min(self.cap).mul_f64(jitter);
        // Jitter even then: all requests that were turned away at once were given the same time.
        let asked_for =
            failure.retry_after_ms.map(|ms| Duration::from_millis(ms) + self.base.mul_f64(jitter));
        Some(asked_for.map_or(backoff, |asked_for| asked_for.max(backoff)))
    }

    /// Returns why there is no further attempt after `attempts_made`, the last of which ended in `failure`; `None` if
    /// there is one.
    pub fn gives_up(&self, attempts_made: u32, failure: &Failure) -> Option<GiveUp> {
        if failure.kind.scope() != Scope::Transient {
            return Some(GiveUp::Lasting);
        }
        if let Some(too_long) = GiveUp::too_long(failure) {
            return Some(too_long);
        }
        let most = match failure.kind {
            FailureKind::RateLimited => self.attempts.saturating_add(self.attempts / 2),
            _ => self.attempts,
        };
        (attempts_made >= most).then_some(GiveUp::Attempts(attempts_made))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn limited(retry_after_ms: u64) -> Failure {
        Failure { retry_after_ms: Some(retry_after_ms), ..Failure::new(FailureKind::RateLimited, "429") }
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        let policy = RetryPolicy::default();
        for &kind in FailureKind::ALL {
            let again = policy.delay(1, &Failure::new(kind, ""), 0.5).is_some();
            assert_eq!(again, kind.scope() == Scope::Transient, "{kind:?}");
        }
    }

    #[test]
    fn a_wait_of_hours_is_refused_and_said() {
        let policy = RetryPolicy::default();
        assert_eq!(policy.delay(1, &limited(600_001), 0.0), None);
        for (ms, said) in [
            (601_000, "10 min 1 s"),
            (1_200_000, "20 min"),
            (7_500_000, "2 h 5 min"),
            (86_400_000, "1 d"),
            (u64::MAX, "213503982334 d 14 h"),
        ] {
            let said = format!("the server asks to wait {said}, and llull waits 10 min at most");
            assert!(policy.gives_up(1, &limited(ms)).unwrap().to_string().starts_with(&said), "{ms}");
        }
        assert!(policy.delay(1, &limited(600_000), 0.0) >= Some(LONGEST_WAIT));
    }

    proptest! {
        #[test]
        fn waits_lie_between_what_is_asked_and_the_cap(
            attempt in 0u32..100, jitter in 0.0..1.0f64, asked in proptest::option::of(0u64..600_000),
        ) {
            let policy = RetryPolicy { attempts: 100, ..RetryPolicy::default() };
            let failure = Failure { retry_after_ms: asked, ..Failure::new(FailureKind::RateLimited, "") };
            let wait = policy.delay(attempt, &failure, jitter).unwrap();
            let asked = Duration::from_millis(asked.unwrap_or(0));
            prop_assert!(wait >= asked);
            prop_assert!(wait <= policy.cap.max(asked + policy.base));
        }
    }
}
