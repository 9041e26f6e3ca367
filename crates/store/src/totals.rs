//! Sums over attempts: what a report says about work and money.

use std::collections::BTreeMap;

use llull_core::{Attempt, FailureKind, Outcome, Reason};
use serde::Serialize;

/// A sum of counts that are not always known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Sum {
    /// The sum of those that are known.
    pub total: u64,
    /// How many answered attempts do not say.
    pub unknown: u64,
}

impl Sum {
    fn add(&mut self, count: Option<u64>, answered: bool) {
        match count {
            Some(count) => self.total = self.total.saturating_add(count),
            None => self.unknown += u64::from(answered),
        }
    }
}

/// How long answers took, in milliseconds: percentiles by nearest rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Latency {
    /// Half of the answers took at most this long.
    pub p50_ms: u32,
    /// 95 in 100 took at most this long.
    pub p95_ms: u32,
}

/// Sums over a set of attempts. *Answered* means judged or unusable: a reply arrived.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Attempts of any outcome.
    pub attempts: u64,
    /// Attempts with a verdict.
    pub judged: u64,
    /// Attempts with an unusable answer, by reason.
    pub unusable: BTreeMap<Reason, u64>,
    /// Attempts without an answer, by kind of failure.
    pub failed: BTreeMap<FailureKind, u64>,
    /// Tokens of the prompts.
    pub prompt_tokens: Sum,
    /// Tokens of the replies.
    pub completion_tokens: Sum,
    /// The sum of the prices that are known, in US dollars; `None` when none is.
    pub cost_usd: Option<f64>,
    /// How many answered attempts have no known price, so that the sum is too low.
    pub cost_unknown: u64,
    /// Latency of answered attempts; `None` when there are none.
    pub latency: Option<Latency>,
    /// Answered attempts whose document did not fit and was cut.
    pub documents_cut: u64,
    /// Estimated tokens that those documents lost.
    pub tokens_cut: u64,
    /// When the first attempt was recorded: milliseconds since 1970-01-01 UTC.
    pub first_at_ms: Option<i64>,
    /// When the last attempt was recorded.
    pub last_at_ms: Option<i64>,
    /// The models that say they have answered, and how often each.
    pub models: BTreeMap<String, u64>,
}

impl Totals {
    /// Attempts with an unusable answer.
    pub fn unusable_attempts(&self) -> u64 {
        self.unusable.values().sum()
    }

    /// Attempts without an answer.
    pub fn failed_attempts(&self) -> u64 {
        self.failed.values().sum()
    }
}

/// Totals in the making.
#[derive(Default)]
pub(crate) struct Tally {
    totals: Totals,
    latencies: BTreeMap<u32, u64>,
}

impl Tally {
    pub(crate) fn add(&mut self, attempt: &Attempt) {
        let totals = &mut self.totals;
        totals.attempts += 1;
        let answered = match &attempt.outcome {
            Outcome::Judged { .. } => {
                totals.judged += 1;
                true
            }
            Outcome::Unusable(unusable) => {
                *totals.unusable.entry(unusable.reason).or_default() += 1;
                true
            }
            Outcome::Failed(failure) => {
                *totals.failed.entry(failure.kind).or_default() += 1;
                false
            }
        };
        totals.prompt_tokens.add(attempt.usage.prompt_tokens, answered);
        totals.completion_tokens.add(attempt.usage.completion_tokens, answered);
        match attempt.cost_usd {
            Some(cost) => *totals.cost_usd.get_or_insert(0.0) += cost,
            None => totals.cost_unknown += u64::from(answered),
        }
        if answered {
            *self.latencies.entry(attempt.latency_ms).or_default() += 1;
            totals.documents_cut += u64::from(attempt.tokens_cut > 0);
            totals.tokens_cut += u64::from(attempt.tokens_cut);
        }
        totals.first_at_ms = Some(totals.first_at_ms.map_or(attempt.at_ms, |first| first.min(attempt.at_ms)));
        totals.last_at_ms = Some(totals.last_at_ms.map_or(attempt.at_ms, |last| last.max(attempt.at_ms)));
        if let Some(model) = &attempt.model {
            match totals.models.get_mut(model) {
                Some(count) => *count += 1,
                None => {
                    totals.models.insert(model.clone(), 1);
                }
            }
        }
    }

    pub(crate) fn finish(self) -> Totals {
        let count: u64 = self.latencies.values().sum();
        let percentile = |percent: u64| {
            let rank = (count * percent).div_ceil(100).max(1);
            let mut seen = 0;
            self.latencies.iter().find_map(|(latency, times)| {
                seen += times;
                (seen >= rank).then_some(*latency)
            })
        };
        let latency = percentile(50).zip(percentile(95)).map(|(p50_ms, p95_ms)| Latency { p50_ms, p95_ms });
        Totals { latency, ..self.totals }
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Failure, GradedVerdict, Hash, Unusable, Verdict};

    use super::*;

    fn attempt(outcome: Outcome, latency_ms: u32) -> Attempt {
        Attempt { latency_ms, at_ms: 5, ..Attempt::new(Hash::of(b""), outcome) }
    }

    fn judged() -> Outcome {
        Outcome::Judged { verdict: Verdict::Graded(GradedVerdict::default()) }
    }

    #[test]
    fn unknown_is_not_zero_and_failures_are_not_latency() {
        let mut tally = Tally::default();
        assert_eq!(Tally::default().finish(), Totals::default());
        let mut paid = attempt(judged(), 10);
        paid.cost_usd = Some(0.25);
        paid.usage.prompt_tokens = Some(7);
        paid.tokens_cut = 3;
        tally.add(&paid);
        tally.add(&attempt(Outcome::Failed(Failure::new(FailureKind::Timeout, "slow")), 60_000));
        let cut_off = Unusable { reason: Reason::CutOff, detail: String::new() };
        tally.add(&attempt(Outcome::Unusable(cut_off), 20));
        let totals = tally.finish();
        assert_eq!((totals.attempts, totals.judged), (3, 1));
        assert_eq!((totals.unusable_attempts(), totals.failed_attempts()), (1, 1));
        assert_eq!(totals.prompt_tokens, Sum { total: 7, unknown: 1 });
        assert_eq!(totals.completion_tokens, Sum { total: 0, unknown: 2 });
        assert_eq!((totals.cost_usd, totals.cost_unknown), (Some(0.25), 1));
        assert_eq!(totals.latency, Some(Latency { p50_ms: 10, p95_ms: 20 }));
        assert_eq!((totals.documents_cut, totals.tokens_cut), (1, 3));
        assert_eq!((totals.first_at_ms, totals.last_at_ms), (Some(5), Some(5)));
    }

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let mut tally = Tally::default();
        for latency in 1..=100 {
            tally.add(&attempt(judged(), latency));
        }
        assert_eq!(tally.finish().latency, Some(Latency { p50_ms: 50, p95_ms: 95 }));
    }
}
