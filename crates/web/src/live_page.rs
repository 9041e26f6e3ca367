//! Shows a run in progress: rate, cost, failures, and figures so far.

use std::time::{SystemTime, UNIX_EPOCH};

use llull::report::{Dollars, MeasuredSystem, headline};
use llull::{StudyEvidence, Summary};
use serde::Serialize;

use crate::attempts::{Ended, IndexedAttempt, LedgerIndex};
use crate::time::utc;

/// The time whose attempts make the rate, in milliseconds.
const WHILE: i64 = 60_000;
/// How many systems the figures so far are of, at most.
const SYSTEMS: usize = 50;

/// The parts of a report on the page; they do not change until the ledger is read again.
#[derive(Serialize)]
pub(crate) struct RunProgress {
    judges: Vec<LiveJudge>,
    labelled: usize,
    pairs: usize,
    measure: String,
    systems: Vec<LiveFigure>,
    systems_left_out: usize,
    headline: String,
    sentences: Vec<String>,
    read_at: String,
}

/// The values of the page.
#[derive(Serialize)]
pub(crate) struct LiveView<'a> {
    attempts: usize,
    failed: usize,
    unusable: usize,
    refused: usize,
    cost: Dollars,
    last: Option<String>,
    /// Of the last minute.
    recent: Recent,
    /// The minutes left at this rate; `None` if the rate is unknown.
    minutes_left: Option<u64>,
    #[serde(flatten)]
    progress: &'a RunProgress,
}

/// The attempts of the last minute.
#[derive(Debug, Default, PartialEq, Serialize)]
struct Recent {
    answered: u64,
    failed: u64,
    cost: Option<f64>,
}

#[derive(Serialize)]
struct LiveJudge {
    name: String,
    asked: usize,
    /// Questions with an answer, or with a failure that no run would retry.
    done: usize,
    open: usize,
    unusable: usize,
    failed: usize,
}

#[derive(Serialize)]
struct LiveFigure {
    system: String,
    mean: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    queries: usize,
}

/// The time in milliseconds since 1970-01-01 UTC.
pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

impl RunProgress {
    /// The progress in a report of this time.
    pub(crate) fn new(summary: &Summary, evidence: &StudyEvidence, at_ms: i64) -> Self {
        let measure = summary.decision.primary.clone();
        let figure = |system: &MeasuredSystem| {
            let figure = system.figures.iter().find(|figure| figure.measure == measure)?;
            Some(LiveFigure {
                system: system.system.clone(),
                mean: figure.mean,
                low: figure.low,
                high: figure.high,
                queries: figure.n,
            })
        };
        let judge = |judge: &llull::runner::JudgeEvidence| {
            let (counts, open) = (judge.counts(), judge.open());
            let asked = judge.tasks().len();
            LiveJudge {
                name: judge.name().to_owned(),
                asked,
                done: asked - open,
                open,
                unusable: counts.unusable,
                failed: counts.failed,
            }
        };
        Self {
            judges: evidence.panel().map(judge).collect(),
            labelled: summary.coverage.labelled,
            pairs: summary.coverage.pairs,
            systems: summary.systems.iter().take(SYSTEMS).filter_map(figure).collect(),
            systems_left_out: summary.systems.len().saturating_sub(SYSTEMS),
            headline: headline(&summary.decision),
            sentences: summary.decision.summary.clone(),
            measure,
            read_at: utc(at_ms),
        }
    }

    /// The values at this time, with all attempts until then.
    pub(crate) fn view(&self, index: &LedgerIndex, now_ms: i64) -> LiveView<'_> {
        let all = index.attempts();
        let mut cost = Dollars::default();
        let (mut failed, mut unusable, mut refused) = (0, 0, 0);
        for attempt in all {
            match attempt.ended {
                Ended::Judged(_) => {}
                Ended::Unusable(_) => unusable += 1,
                Ended::Refused(_) => refused += 1,
                Ended::Failed(_) => failed += 1,
            }
            match attempt.cost_usd {
                Some(usd) => cost.known = Some(cost.known.unwrap_or(0.0) + usd),
                None => cost.unknown += u64::from(attempt.ended.is_answer()),
            }
        }
        let recent = Recent::of(all, now_ms);
        let open: usize = self.judges.iter().map(|judge| judge.open).sum();
        LiveView {
            attempts: all.len(),
            failed,
            unusable,
            refused,
            cost,
            last: all.last().map(|attempt| utc(attempt.at_ms)),
            minutes_left: (recent.answered > 0 && open > 0).then(|| (open as u64).div_ceil(recent.answered)),
            recent,
            progress: self,
        }
    }
}

impl Recent {
    /// Sums up the last minute: attempts are in the order of recording.
    fn of(attempts: &[IndexedAttempt], now_ms: i64) -> Self {
        let mut recent = Self::default();
        for attempt in attempts.iter().rev().take_while(|attempt| attempt.at_ms > now_ms - WHILE) {
            match attempt.ended.is_answer() {
                true => recent.answered += 1,
                false => recent.failed += 1,
            }
            if let Some(usd) = attempt.cost_usd {
                recent.cost = Some(recent.cost.unwrap_or(0.0) + usd);
            }
        }
        recent
    }
}

#[cfg(test)]
mod tests {
    use llull::core::FailureKind;

    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_minute() {
        let attempt = |at_ms: i64, ended: Ended, cost_usd: Option<f64>| IndexedAttempt {
            judge: 0,
            query: 0,
            question: 0,
            ended,
            latency_ms: 1,
            cost_usd,
            at_ms,
            repeats: false,
        };
        let attempts = [
            attempt(1_000, Ended::Judged(None), Some(1.0)),
            attempt(60_001, Ended::Judged(None), Some(0.25)),
            attempt(70_000, Ended::Failed(FailureKind::Timeout), None),
            attempt(80_000, Ended::Judged(Some(2)), None),
        ];
        let recent = Recent::of(&attempts, 120_000);
        assert_eq!(recent, Recent { answered: 2, failed: 1, cost: Some(0.25) });
        assert_eq!(Recent::of(&attempts, 1_000_000), Recent::default());
    }
}
