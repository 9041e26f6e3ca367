//! Conversion between attempts and database rows.

use llull_core::{
    Attempt, Failure, FailureKind, Grade, GradedVerdict, Hash, Outcome, Reason, Unusable, Usage, Verdict,
};
use rusqlite::{CachedStatement, Row, params, types::ValueRef};
use serde::Serialize;

use crate::{Detail, JudgeId};

/// The first columns that [`attempt`] reads, in its order. The documents of a comparison, the reply and the verdict's
/// JSON follow, each NULL if it is not wanted.
const COLUMNS: &str = "judge, key, status, grade, reason, detail, retry_after_ms, topic, document, \
    sample, prompt_tokens, completion_tokens, cost_usd, latency_ms, tokens_cut, model, at_ms";

/// Returns the SQL query for all attempts of `judges` (`None` for all judges), oldest first. Replies are in a separate
/// table, which is not read for grades unless rationales or replies are wanted.
pub(crate) fn select(judges: Option<&[JudgeId]>, detail: Detail, comparisons: bool) -> String {
    let documents = if comparisons { "documents" } else { "NULL" };
    let (words, from) = match detail {
        Detail::Facts => (
            "NULL, CASE WHEN grade IS NULL AND status = 'judged' \
             THEN (SELECT verdict FROM replies WHERE attempt = attempts.id) END",
            "attempts",
        ),
        Detail::Verdicts => ("NULL, verdict", "attempts LEFT JOIN replies ON replies.attempt = attempts.id"),
        Detail::Replies => ("reply, verdict", "attempts LEFT JOIN replies ON replies.attempt = attempts.id"),
    };
    let only = judges.map_or_else(String::new, |judges| {
        let numbers: Vec<String> = judges.iter().map(|judge| judge.0.to_string()).collect();
        format!("WHERE judge IN ({})", numbers.join(", "))
    });
    format!("SELECT {COLUMNS}, {documents}, {words} FROM {from} {only} ORDER BY attempts.id")
}

/// Checks that the verdict of a comparison is an order of the documents that were shown.
pub(crate) fn check(attempt: &Attempt) -> Result<(), RowDefect> {
    match &attempt.outcome {
        Outcome::Judged { verdict: Verdict::Compared(verdict) } => verdict
            .check(attempt.documents.len())
            .map_err(|error| format!("the answer {} about query {:?}: {error}", attempt.key, attempt.topic)),
        _ => Ok(()),
    }
}

pub(crate) const INSERT: &str = "INSERT INTO attempts (judge, key, status, grade, reason, detail, \
    retry_after_ms, topic, document, sample, prompt_tokens, completion_tokens, cost_usd, latency_ms, tokens_cut, \
    model, at_ms, documents) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

pub(crate) const INSERT_REPLY: &str = "INSERT INTO replies (attempt, reply, verdict) VALUES (?, ?, ?)";

/// Inserts the row of an attempt. Token counts of 2^63 or more keep their bits and are negative in SQL.
pub(crate) fn insert(
    statement: &mut CachedStatement<'_>,
    judge: JudgeId,
    attempt: &Attempt,
) -> rusqlite::Result<i64> {
    let documents = match attempt.documents.as_slice() {
        [] => None,
        shown => Some(json(shown)?),
    };
    let (status, grade, reason, detail, retry) = match &attempt.outcome {
        Outcome::Judged { verdict } => ("judged", verdict.grade(), None, None, None),
        Outcome::Unusable(unusable) => {
            ("unusable", None, Some(unusable.reason.name()), Some(unusable.detail.as_str()), None)
        }
        Outcome::Failed(failure) => (
            "failed",
            None,
            Some(failure.kind.name()),
            Some(failure.message.as_str()),
            failure.retry_after_ms.map(|wait| wait as i64),
        ),
    };
    statement.insert(params![
        judge.0,
        attempt.key.0,
        status,
        grade,
        reason,
        detail,
        retry,
        attempt.topic,
        attempt.document,
        attempt.sample,
        attempt.usage.prompt_tokens.map(|tokens| tokens as i64),
        attempt.usage.completion_tokens.map(|tokens| tokens as i64),
        attempt.cost_usd,
        attempt.latency_ms,
        attempt.tokens_cut,
        attempt.model,
        attempt.at_ms,
        documents,
    ])
}

fn json(value: &(impl Serialize + ?Sized)) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// Returns the verdict as JSON, unless it is a grade without explanation.
pub(crate) fn verdict_json(outcome: &Outcome) -> rusqlite::Result<Option<String>> {
    match outcome {
        Outcome::Judged { verdict } if !verdict.grade().is_some_and(|grade| *verdict == bare(grade)) => {
            json(verdict).map(Some)
        }
        _ => Ok(None),
    }
}

fn bare(grade: Grade) -> Verdict {
    Verdict::Graded(GradedVerdict { grade, ..GradedVerdict::default() })
}

/// A description of what is wrong with a row.
pub(crate) type RowDefect = String;

/// Reads a verdict from its columns.
pub(crate) fn verdict(grade: Option<Grade>, prose: Option<&str>) -> Result<Verdict, RowDefect> {
    match (prose, grade) {
        (Some(json), _) => {
            serde_json::from_str(json).map_err(|error| format!("a verdict cannot be read: {error}"))
        }
        (None, Some(grade)) => Ok(bare(grade)),
        (None, None) => Err("a judged attempt has no verdict".into()),
    }
}

/// Reads a reason from its name.
pub(crate) fn reason(name: &str) -> Result<Reason, RowDefect> {
    Reason::from_name(name).ok_or_else(|| format!("an unusable answer has the unknown reason {name:?}"))
}

/// Reads a kind of failure from its name.
pub(crate) fn failure_kind(name: &str) -> Result<FailureKind, RowDefect> {
    FailureKind::from_name(name).ok_or_else(|| format!("a failure has the unknown kind {name:?}"))
}

/// Reads a key from its bytes.
pub(crate) fn key(row: &Row<'_>, column: usize) -> rusqlite::Result<Result<Hash, RowDefect>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Blob(bytes) => {
            bytes.try_into().map(Hash).map_err(|_| format!("a key has {} bytes instead of 32", bytes.len()))
        }
        _ => Err("a key is not a blob".into()),
    })
}

/// Reads an attempt from [`COLUMNS`], the documents of a comparison, the reply and the JSON of the verdict.
pub(crate) fn attempt(row: &Row<'_>) -> rusqlite::Result<Result<(JudgeId, Attempt), RowDefect>> {
    let key = match key(row, 1)? {
        Ok(key) => key,
        Err(defect) => return Ok(Err(defect)),
    };
    let outcome = match outcome(row)? {
        Ok(outcome) => outcome,
        Err(defect) => return Ok(Err(defect)),
    };
    let documents = match documents(row)? {
        Ok(documents) => documents,
        Err(defect) => return Ok(Err(defect)),
    };
    let tokens = |column| row.get::<_, Option<i64>>(column).map(|count| count.map(|count| count as u64));
    let attempt = Attempt {
        key,
        outcome,
        topic: row.get(7)?,
        document: row.get(8)?,
        documents,
        sample: row.get(9)?,
        usage: Usage { prompt_tokens: tokens(10)?, completion_tokens: tokens(11)? },
        cost_usd: row.get(12)?,
        latency_ms: row.get(13)?,
        tokens_cut: row.get(14)?,
        model: row.get(15)?,
        at_ms: row.get(16)?,
        reply: row.get(18)?,
    };
    Ok(Ok((JudgeId(row.get(0)?), attempt)))
}

fn documents(row: &Row<'_>) -> rusqlite::Result<Result<Vec<String>, RowDefect>> {
    Ok(match row.get_ref(17)?.as_str_or_null()? {
        None => Ok(Vec::new()),
        Some(json) => serde_json::from_str(json)
            .map_err(|error| format!("the documents of a comparison cannot be read: {error}")),
    })
}

fn outcome(row: &Row<'_>) -> rusqlite::Result<Result<Outcome, RowDefect>> {
    let text = |column| row.get_ref(column).map(|value| value.as_str_or_null().ok().flatten());
    let why = text(4)?.unwrap_or_default();
    let detail = || row.get::<_, Option<String>>(5).map(Option::unwrap_or_default);
    Ok(match text(2)?.unwrap_or_default() {
        "judged" => verdict(row.get(3)?, text(19)?).map(|verdict| Outcome::Judged { verdict }),
        "unusable" => {
            let detail = detail()?;
            reason(why).map(|reason| Outcome::Unusable(Unusable { reason, detail }))
        }
        "failed" => {
            let (message, wait) = (detail()?, row.get::<_, Option<i64>>(6)?);
            failure_kind(why).map(|kind| {
                Outcome::Failed(Failure { kind, message, retry_after_ms: wait.map(|wait| wait as u64) })
            })
        }
        other => Err(format!("an attempt has the unknown status {other:?}")),
    })
}
