//! Sums over attempts: outcomes, tokens, cost and latency.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use llull_core::{Attempt, FailureKind, Outcome, Reason, Usage};
use serde::Serialize;

use crate::{Detail, JudgeId, LedgerReader, StoreError};

/// A sum of counts that are not always known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Sum {
    /// The sum of the known counts.
    pub total: u64,
    /// The number of answered attempts without a count.
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

/// The latency of answers in milliseconds, as percentiles by nearest rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Latency {
    /// The median.
    pub p50_ms: u32,
    /// The 95th percentile.
    pub p95_ms: u32,
}

/// Sums over a set of attempts. *Answered* means that a reply arrived: judged, unusable, or refused with a reply.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Totals {
    /// The number of attempts with any outcome.
    pub attempts: u64,
    /// The number of attempts with a verdict.
    pub judged: u64,
    /// The number of attempts with an unusable answer, by reason.
    pub unusable: BTreeMap<Reason, u64>,
    /// The number of attempts that the judge's server refused because of their text, by reason.
    pub refused: BTreeMap<Reason, u64>,
    /// The number of attempts without an answer, by kind of failure.
    pub failed: BTreeMap<FailureKind, u64>,
    /// The number of attempts with a reply.
    #[serde(skip)]
    pub answered: u64,
    /// Tokens of the prompts.
    pub prompt_tokens: Sum,
    /// Tokens of the replies.
    pub completion_tokens: Sum,
    /// The sum of the known prices in US dollars, or `None` if no price is known.
    pub cost_usd: Option<f64>,
    /// The number of answered attempts without a known price, which the sum lacks.
    pub cost_unknown: u64,
    /// The latency of answered attempts, or `None` if there are none.
    pub latency: Option<Latency>,
    /// The number of answered attempts whose document was cut to fit the judge's budget.
    pub documents_cut: u64,
    /// The estimated number of tokens that were cut from those documents.
    pub tokens_cut: u64,
    /// The time of the first attempt, in milliseconds since 1970-01-01 UTC.
    pub first_at_ms: Option<i64>,
    /// The time of the last attempt, likewise.
    pub last_at_ms: Option<i64>,
    /// The number of attempts by model, as named by the provider.
    pub models: BTreeMap<String, u64>,
}

impl Totals {
    /// Adds up all attempts of `judge` (`None` for all judges) in one pass over the ledger.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn read(ledger: &dyn LedgerReader, judge: Option<JudgeId>) -> Result<Self, StoreError> {
        let (mut tally, mut models) = (Tally::default(), BTreeSet::new());
        ledger.scan(judge.as_ref().map(std::slice::from_ref), Detail::Facts, &mut |_, attempt| {
            tally.add(&AttemptFacts::of(&attempt, &mut models));
            Ok(())
        })?;
        Ok(tally.finish())
    }

    /// Returns the number of attempts with an unusable answer.
    pub fn unusable_attempts(&self) -> u64 {
        self.unusable.values().sum()
    }

    /// Returns the number of attempts that were refused.
    pub fn refused_attempts(&self) -> u64 {
        self.refused.values().sum()
    }

    /// Returns the number of attempts without an answer.
    pub fn failed_attempts(&self) -> u64 {
        self.failed.values().sum()
    }
}

/// The fields of an attempt that sums are made of.
#[derive(Debug, Clone, PartialEq)]
pub struct AttemptFacts {
    ended: Ended,
    answered: bool,
    usage: Usage,
    cost_usd: Option<f64>,
    latency_ms: u32,
    tokens_cut: u32,
    at_ms: i64,
    model: Option<Arc<str>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Ended {
    Judged,
    Unusable(Reason),
    Refused(Reason),
    Failed(FailureKind),
}

impl AttemptFacts {
    /// Returns the tokens of the prompt that the server reported, and the estimated tokens that were cut from the
    /// documents.
    pub(crate) fn prompt_tokens(&self) -> Option<(u64, u32)> {
        Some((self.usage.prompt_tokens?, self.tokens_cut))
    }

    /// Whether the reply was refused, or is unparsable.
    pub(crate) fn is_unusable(&self) -> bool {
        matches!(self.ended, Ended::Refused(_) | Ended::Unusable(_))
    }

    pub(crate) fn at_ms(&self) -> i64 {
        self.at_ms
    }

    /// Returns the facts of an attempt. `models` holds each model's name once, to share it.
    pub fn of(attempt: &Attempt, models: &mut BTreeSet<Arc<str>>) -> Self {
        let model = attempt.answer.model.as_deref().map(|name| match models.get(name) {
            Some(known) => Arc::clone(known),
            None => {
                let new: Arc<str> = name.into();
                models.insert(Arc::clone(&new));
                new
            }
        });
        Self {
            ended: match &attempt.answer.outcome {
                Outcome::Judged { .. } => Ended::Judged,
                Outcome::Unusable(unusable) if unusable.reason.is_refusal() => {
                    Ended::Refused(unusable.reason)
                }
                Outcome::Unusable(unusable) => Ended::Unusable(unusable.reason),
                Outcome::Failed(failure) => Ended::Failed(failure.kind),
            },
            answered: attempt.is_answered(),
            usage: attempt.answer.usage,
            cost_usd: attempt.answer.cost_usd,
            latency_ms: attempt.latency_ms,
            tokens_cut: attempt.answer.tokens_cut,
            at_ms: attempt.at_ms,
            model,
        }
    }
}

/// A running sum over attempts.
///
/// ```
/// use std::collections::BTreeSet;
/// use llull_core::{Attempt, Failure, FailureKind, Hash, Outcome};
/// use llull_store::{AttemptFacts, Tally};
///
/// let failure = Failure::new(FailureKind::Timeout, "no reply within 60 s");
/// let attempt = Attempt::new(Hash::of(b"q1 d1"), Outcome::Failed(failure));
/// let mut tally = Tally::default();
/// tally.add(&AttemptFacts::of(&attempt, &mut BTreeSet::new()));
/// assert_eq!(tally.finish().failed_attempts(), 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Tally {
    totals: Totals,
    latencies: BTreeMap<u32, u64>,
}

impl Tally {
    /// Adds an attempt.
    pub fn add(&mut self, attempt: &AttemptFacts) {
        let totals = &mut self.totals;
        totals.attempts += 1;
        match attempt.ended {
            Ended::Judged => totals.judged += 1,
            Ended::Unusable(reason) => *totals.unusable.entry(reason).or_default() += 1,
            Ended::Refused(reason) => *totals.refused.entry(reason).or_default() += 1,
            Ended::Failed(kind) => *totals.failed.entry(kind).or_default() += 1,
        }
        let answered = attempt.answered;
        totals.answered += u64::from(answered);
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
        let at = attempt.at_ms;
        totals.first_at_ms = Some(totals.first_at_ms.map_or(at, |first| first.min(at)));
        totals.last_at_ms = Some(totals.last_at_ms.map_or(at, |last| last.max(at)));
        if let Some(model) = &attempt.model {
            match totals.models.get_mut(&**model) {
                Some(count) => *count += 1,
                None => {
                    totals.models.insert(model.to_string(), 1);
                }
            }
        }
    }

    /// Returns the sums.
    pub fn finish(self) -> Totals {
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

    fn facts(attempt: &Attempt) -> AttemptFacts {
        AttemptFacts::of(attempt, &mut BTreeSet::new())
    }

    fn judged() -> Outcome {
        Outcome::Judged { verdict: Verdict::Graded(GradedVerdict::default()) }
    }

    #[test]
    fn unknown_is_not_zero_and_failures_are_not_latency() {
        let mut tally = Tally::default();
        assert_eq!(Tally::default().finish(), Totals::default());
        let mut paid = attempt(judged(), 10);
        paid.answer.cost_usd = Some(0.25);
        paid.answer.usage.prompt_tokens = Some(7);
        paid.answer.tokens_cut = 3;
        tally.add(&facts(&paid));
        tally.add(&facts(&attempt(Outcome::Failed(Failure::new(FailureKind::Timeout, "slow")), 60_000)));
        let cut_off = Unusable { reason: Reason::CutOff, detail: String::new() };
        tally.add(&facts(&attempt(Outcome::Unusable(cut_off), 20)));
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
    fn a_refused_request_is_no_unusable_answer_and_its_price_is_not_missing() {
        let refused = Unusable { reason: Reason::TooLong, detail: String::new() };
        let mut tally = Tally::default();
        tally.add(&facts(&attempt(Outcome::Unusable(refused.clone()), 20)));
        let mut replied = attempt(Outcome::Unusable(refused), 30);
        replied.answer.usage.prompt_tokens = Some(7);
        tally.add(&facts(&replied));
        let totals = tally.finish();
        assert_eq!((totals.refused_attempts(), totals.unusable_attempts()), (2, 0));
        assert_eq!((totals.prompt_tokens, totals.cost_unknown), (Sum { total: 7, unknown: 0 }, 1));
    }

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let mut tally = Tally::default();
        for latency in 1..=100 {
            tally.add(&facts(&attempt(judged(), latency)));
        }
        assert_eq!(tally.finish().latency, Some(Latency { p50_ms: 50, p95_ms: 95 }));
    }
}
