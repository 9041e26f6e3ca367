//! Sums over the ledger: failures, repetitions, unparsable replies, cost over time.

use std::collections::BTreeMap;

use llull::report::{Dollars, Tokens};
use llull::store::{Sum, Totals};
use serde::Serialize;
use serde_json::{Value, json};

use crate::attempts::{AttemptsRequest, Ended, IndexedAttempt, IndexedJudge, LedgerIndex};
use crate::time::utc;

/// How many parts the time from the first attempt to the last has at most.
const PARTS: i64 = 24;
/// The least length of a part, in milliseconds.
const LEAST: i64 = 1_000;

#[derive(Serialize)]
struct JudgeSums {
    number: i64,
    name: String,
    model: String,
    attempts: u64,
    judged: u64,
    unusable: u64,
    refused: u64,
    failed: u64,
    repeats: u64,
    prompt_tokens: Tokens,
    completion_tokens: Tokens,
    cost: Dollars,
    p50_ms: Option<u32>,
    p95_ms: Option<u32>,
    documents_cut: u64,
}

#[derive(Serialize)]
struct Counted {
    what: String,
    kind: &'static str,
    count: u64,
    address: String,
}

/// The attempts in one part of the time.
#[derive(Default, Serialize)]
struct TimePart {
    from: String,
    attempts: u64,
    unusable: u64,
    failed: u64,
    cost: Dollars,
    address: String,
}

/// The values of the page: the ledger, added up.
pub(crate) fn ledger_view(index: &LedgerIndex) -> Value {
    let judges: Vec<JudgeSums> = index.judges().iter().map(sums).collect();
    let sum = |of: fn(&JudgeSums) -> u64| judges.iter().map(of).sum::<u64>();
    let times = || index.attempts().iter().map(|attempt| attempt.at_ms);
    let parts = parts(index.attempts());
    json!({
        "attempts": index.attempts().len(),
        "judged": sum(|judge| judge.judged),
        "unusable": sum(|judge| judge.unusable),
        "refused": sum(|judge| judge.refused),
        "failed": sum(|judge| judge.failed),
        "repeats": sum(|judge| judge.repeats),
        "first": times().min().map(utc),
        "last": times().max().map(utc),
        // Why answers are unusable and attempts fail: the words, how often, and the address of these attempts.
        "reasons": reasons(index),
        "judges": judges,
        "parts": parts,
    })
}

fn sums(judge: &IndexedJudge) -> JudgeSums {
    let totals = judge.tally.clone().finish();
    let answered = totals.answered;
    let tokens =
        |sum: Sum| Tokens { known: (sum.unknown < answered).then_some(sum.total), unknown: sum.unknown };
    let Totals { attempts, judged, latency, documents_cut, .. } = totals;
    JudgeSums {
        number: judge.id.0,
        name: judge.name(),
        model: judge.registered.as_ref().map(|judge| judge.spec.model.clone()).unwrap_or_default(),
        attempts,
        judged,
        unusable: totals.unusable_attempts(),
        refused: totals.refused_attempts(),
        failed: totals.failed_attempts(),
        repeats: judge.repeats,
        prompt_tokens: tokens(totals.prompt_tokens),
        completion_tokens: tokens(totals.completion_tokens),
        cost: Dollars { known: totals.cost_usd, unknown: totals.cost_unknown },
        p50_ms: latency.map(|latency| latency.p50_ms),
        p95_ms: latency.map(|latency| latency.p95_ms),
        documents_cut,
    }
}

fn reasons(index: &LedgerIndex) -> Vec<Counted> {
    let mut found: BTreeMap<(&'static str, &'static str), (u64, String)> = BTreeMap::new();
    for attempt in index.attempts() {
        let words = match attempt.ended {
            Ended::Judged(_) => continue,
            Ended::Unusable(reason) | Ended::Refused(reason) => reason.to_string(),
            Ended::Failed(kind) => kind.to_string(),
        };
        found.entry(attempt.ended.names()).or_insert((0, words)).0 += 1;
    }
    let mut counted: Vec<Counted> = found
        .into_iter()
        .map(|((outcome, why), (count, what))| {
            let request = AttemptsRequest {
                outcome: outcome.to_owned(),
                why: why.to_owned(),
                ..AttemptsRequest::default()
            };
            Counted { what, kind: outcome, count, address: request.address(1) }
        })
        .collect();
    counted.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.what.cmp(&b.what)));
    counted
}

/// The time from the first attempt to the last in equal parts.
fn parts(attempts: &[IndexedAttempt]) -> Vec<TimePart> {
    let times = attempts.iter().map(|attempt| attempt.at_ms);
    let (Some(first), Some(last)) = (times.clone().min(), times.max()) else { return Vec::new() };
    let length = (last.saturating_sub(first) / PARTS + 1).max(LEAST);
    let place = |at_ms: i64| usize::try_from(at_ms.saturating_sub(first) / length).unwrap_or(0);
    let mut parts: Vec<TimePart> = (0..=place(last) as i64)
        .map(|part| {
            let from = first + part * length;
            let request = AttemptsRequest {
                from: from.to_string(),
                until: (from + length).to_string(),
                ..AttemptsRequest::default()
            };
            TimePart { from: utc(from), address: request.address(1), ..TimePart::default() }
        })
        .collect();
    for attempt in attempts {
        let Some(part) = parts.get_mut(place(attempt.at_ms)) else { continue };
        part.attempts += 1;
        match attempt.ended {
            Ended::Judged(_) | Ended::Refused(_) => {}
            Ended::Unusable(_) => part.unusable += 1,
            Ended::Failed(_) => part.failed += 1,
        }
        match attempt.cost_usd {
            Some(cost) => part.cost.known = Some(part.cost.known.unwrap_or(0.0) + cost),
            None => part.cost.unknown += u64::from(attempt.ended.is_answer()),
        }
    }
    parts
}
