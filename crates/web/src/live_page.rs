//! Shows a run in progress: rate, cost, failures, and figures so far.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::stream;
use llull::report::{Dollars, MeasuredSystem, headline};
use llull::{StudyEvidence, Summary};
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::attempts::{Ended, IndexedAttempt, LedgerIndex};
use crate::guard::text;
use crate::page_request::{PageRequest, Reader};
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

/// How often the figures are compared with the last ones sent.
const EVERY: Duration = Duration::from_secs(1);
/// Without changes, an event is sent after this time, so that listeners can detect a lost connection.
const QUIET: Duration = Duration::from_secs(15);
/// How many may listen at once.
const LISTENERS: usize = 16;

/// Who may listen.
#[derive(Debug, Clone)]
pub(crate) struct Listeners(Arc<Semaphore>);

impl Default for Listeners {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(LISTENERS)))
    }
}

/// One listener: its last event, and when it was sent.
struct Listener {
    reader: Reader,
    sent: Option<(String, Instant)>,
    _place: OwnedSemaphorePermit,
}

/// Answers a listener with a stream, which ends when the listener or the study's reader goes away.
pub(crate) fn events(State(reader): State<Reader>, listeners: &Listeners) -> Response {
    let Ok(place) = Arc::clone(&listeners.0).try_acquire_owned() else {
        return text(StatusCode::SERVICE_UNAVAILABLE, "Too many pages listen already; close one.");
    };
    let listener = Listener { reader, sent: None, _place: place };
    let sent = stream::unfold(listener, |mut listener| async {
        let event = listener.next().await?;
        Some((Ok::<_, std::convert::Infallible>(event), listener))
    });
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(sent)).into_response()
}

impl Listener {
    /// Waits for the next event.
    async fn next(&mut self) -> Option<String> {
        loop {
            if self.sent.is_some() {
                tokio::time::sleep(EVERY).await;
            }
            let found = match self.reader.ask(PageRequest::LiveFigures).await? {
                Ok(Some(figures)) => event("", &figures),
                Ok(None) => return None,
                Err(error) => event("failed", &error),
            };
            let quiet = match &self.sent {
                None => None,
                Some((before, _)) if *before != found => None,
                Some((_, at)) => Some(at.elapsed()),
            };
            match quiet {
                Some(quiet) if quiet < QUIET => {}
                Some(_) => {
                    self.sent = Some((found, Instant::now()));
                    return Some(":\n\n".to_owned());
                }
                None => {
                    self.sent = Some((found.clone(), Instant::now()));
                    return Some(found);
                }
            }
        }
    }
}

/// An event of this kind, a line of data for each line of a text.
fn event(kind: &str, data: &str) -> String {
    let mut event = if kind.is_empty() { String::new() } else { format!("event: {kind}\n") };
    for line in data.split(['\n', '\r']) {
        event.push_str("data: ");
        event.push_str(line);
        event.push('\n');
    }
    event.push('\n');
    event
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

    #[test]
    fn no_text_ends_an_event() {
        assert_eq!(event("", "a\n\nevent: b\rdata: c"), "data: a\ndata: \ndata: event: b\ndata: data: c\n\n");
        assert_eq!(event("failed", "no"), "event: failed\ndata: no\n\n");
    }
}
