//! Conversion between attempts and database rows.

use llull_core::{
    Answer, Attempt, Failure, FailureKind, Grade, GradedVerdict, Hash, Outcome, Reason, Unusable, Usage,
    Verdict,
};
use rusqlite::{
    CachedStatement, Row, params_from_iter,
    types::{FromSql, ToSqlOutput, ValueRef},
};
use serde::Serialize;

use crate::{
    Detail, JudgeId,
    checksum::{self, Encoded},
    schema,
};

/// The number of columns of an attempt that its checksum covers.
pub(crate) const CHECKED: usize = 21;

/// The positions of the columns that follow those.
pub(crate) const CHECKSUM: usize = CHECKED;
pub(crate) const REPLY: usize = CHECKED + 1;
pub(crate) const VERDICT: usize = CHECKED + 2;

/// The position and number of the columns that came later, which the checksum covers where one of them has a value.
const LATER: usize = CHECKED + 3;
const LATER_COUNT: usize = 4;

const LATER_COLUMNS: &str = "cached_tokens, cache_written_tokens, reasoning_tokens, request_id";

/// The first columns that [`attempt`] reads, in its order.
const COLUMNS: &str = "attempts.id, judge, key, status, grade, reason, detail, retry_after_ms, topic, document, \
    sample, prompt_tokens, completion_tokens, cost_usd, latency_ms, tokens_cut, model, at_ms";

/// Returns the SQL query for the attempts after a row, oldest first. Replies are in a separate table, which is read
/// for `judges` alone (`None` for all judges), and not for grades unless rationales or replies are wanted. All
/// attempts are read, so that one with a damaged judge is found.
pub(crate) fn select(judges: Option<&[JudgeId]>, detail: Detail, version: i64) -> String {
    let documents = if version >= schema::COMPARISONS { "documents" } else { "NULL" };
    let checked = if version >= schema::CHECKSUMS { "adjusted, reader, checksum" } else { "NULL, 1, NULL" };
    let later = if version >= schema::REQUESTS { LATER_COLUMNS } else { "NULL, NULL, NULL, NULL" };
    let of_wanted = judges.map_or_else(String::new, |judges| {
        let numbers: Vec<String> = judges.iter().map(|judge| judge.0.to_string()).collect();
        format!(" AND judge IN ({})", numbers.join(", "))
    });
    let joined = format!("attempts LEFT JOIN replies ON replies.attempt = attempts.id{of_wanted}");
    let (words, from) = match detail {
        // If it joined the replies of no judge, SQLite would search all replies for each attempt.
        _ if judges.is_some_and(<[JudgeId]>::is_empty) => ("NULL, NULL".to_owned(), "attempts".to_owned()),
        Detail::Facts => (
            format!(
                "NULL, CASE WHEN grade IS NULL AND status = 'judged'{of_wanted} \
                 THEN (SELECT verdict FROM replies WHERE attempt = attempts.id) END"
            ),
            "attempts".to_owned(),
        ),
        Detail::Verdicts => ("NULL, verdict".to_owned(), joined),
        Detail::Replies => ("reply, verdict".to_owned(), joined),
    };
    format!(
        "SELECT {COLUMNS}, {documents}, {checked}, {words}, {later} FROM {from} \
         WHERE attempts.id > ? ORDER BY attempts.id"
    )
}

pub(crate) const INSERT: &str = "INSERT INTO attempts (id, judge, key, status, grade, reason, detail, \
    retry_after_ms, topic, document, sample, prompt_tokens, completion_tokens, cost_usd, latency_ms, tokens_cut, \
    model, at_ms, documents, adjusted, reader, checksum, cached_tokens, cache_written_tokens, reasoning_tokens, \
    request_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

pub(crate) const INSERT_REPLY: &str = "INSERT INTO replies (attempt, reply, verdict) VALUES (?, ?, ?)";

/// Inserts the row of an attempt, and that of its reply if it has one. Token counts of 2^63 or more keep their bits
/// and are negative in SQL.
pub(crate) fn insert(
    statements: [&mut CachedStatement<'_>; 2],
    id: i64,
    judge: JudgeId,
    attempt: &Attempt,
) -> rusqlite::Result<()> {
    let documents = match attempt.documents.as_slice() {
        [] => None,
        shown => Some(json(shown)?),
    };
    let prose = verdict_json(&attempt.answer.outcome)?;
    let words = [text(attempt.answer.reply.as_deref()), text(prose.as_deref())];
    let has_words = attempt.answer.reply.is_some() || prose.is_some();
    let tail = if has_words { words.map(checksum::of_value).concat() } else { Vec::new() };
    let values = values(id, judge, attempt, documents.as_deref());
    let mut encoded = Encoded::default();
    let later = later(attempt);
    values.iter().chain(covered(&later)).for_each(|value| encoded.push(*value));
    encoded.push(ValueRef::Blob(&tail));
    let checksum = [&encoded.checksum()[..], &tail].concat();
    let [insert, insert_reply] = statements;
    let row = values.into_iter().chain([ValueRef::Blob(&checksum)]).chain(later).map(ToSqlOutput::Borrowed);
    insert.execute(params_from_iter(row))?;
    if has_words {
        let row = [ValueRef::Integer(id)].into_iter().chain(words).map(ToSqlOutput::Borrowed);
        insert_reply.execute(params_from_iter(row))?;
    }
    Ok(())
}

/// Returns the columns of an attempt that its checksum covers.
fn values<'a>(
    id: i64,
    judge: JudgeId,
    attempt: &'a Attempt,
    documents: Option<&'a str>,
) -> [ValueRef<'a>; CHECKED] {
    let (status, grade, reason, detail, retry) = match &attempt.answer.outcome {
        Outcome::Judged { verdict } => ("judged", verdict.grade(), None, None, None),
        Outcome::Unusable(unusable) => {
            ("unusable", None, Some(unusable.reason.name()), Some(unusable.detail.as_str()), None)
        }
        Outcome::Failed(failure) => (
            "failed",
            None,
            Some(failure.kind.name()),
            Some(failure.message.as_str()),
            failure.retry_after_ms,
        ),
    };
    let bits = |number: Option<u64>| number.map(|number| number as i64);
    // SQLite has neither NaN nor a negative zero.
    let cost = attempt.answer.cost_usd.filter(|cost| !cost.is_nan()).map(|cost| cost + 0.0);
    [
        ValueRef::Integer(id),
        ValueRef::Integer(judge.0),
        ValueRef::Blob(&attempt.key.0),
        text(Some(status)),
        integer(grade.map(i64::from)),
        text(reason),
        text(detail),
        integer(bits(retry)),
        text(Some(&attempt.topic)),
        text(Some(&attempt.document)),
        ValueRef::Integer(attempt.sample.into()),
        integer(bits(attempt.answer.usage.prompt_tokens)),
        integer(bits(attempt.answer.usage.completion_tokens)),
        cost.map_or(ValueRef::Null, ValueRef::Real),
        ValueRef::Integer(attempt.latency_ms.into()),
        ValueRef::Integer(attempt.answer.tokens_cut.into()),
        text(attempt.answer.model.as_deref()),
        ValueRef::Integer(attempt.at_ms),
        text(documents),
        text(attempt.answer.adjusted.as_deref()),
        ValueRef::Integer(attempt.reader.into()),
    ]
}

/// Returns the columns that came later.
fn later(attempt: &Attempt) -> [ValueRef<'_>; LATER_COUNT] {
    let Usage { cached_tokens, cache_written_tokens, reasoning_tokens, .. } = attempt.answer.usage;
    let [cached, written, reasoning] = [cached_tokens, cache_written_tokens, reasoning_tokens]
        .map(|count| integer(count.map(|count| count as i64)));
    [cached, written, reasoning, text(attempt.answer.request_id.as_deref())]
}

/// Returns the columns that came later where the checksum covers them: rows of older versions have none.
fn covered<'a, 'b>(later: &'b [ValueRef<'a>; LATER_COUNT]) -> &'b [ValueRef<'a>] {
    if later.iter().all(|value| *value == ValueRef::Null) { &[] } else { later }
}

/// Adds the columns of a row that its checksum covers, but for the reply and the verdict.
pub(crate) fn encode(row: &Row<'_>, encoded: &mut Encoded) -> rusqlite::Result<()> {
    for column in 0..CHECKED {
        encoded.push(row.get_ref(column)?);
    }
    let mut later = [ValueRef::Null; LATER_COUNT];
    for (at, value) in later.iter_mut().enumerate() {
        *value = row.get_ref(LATER + at)?;
    }
    covered(&later).iter().for_each(|value| encoded.push(*value));
    Ok(())
}

fn text(text: Option<&str>) -> ValueRef<'_> {
    text.map_or(ValueRef::Null, |text| ValueRef::Text(text.as_bytes()))
}

fn integer(number: Option<i64>) -> ValueRef<'static> {
    number.map_or(ValueRef::Null, ValueRef::Integer)
}

fn json(value: &(impl Serialize + ?Sized)) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// Returns the verdict as JSON, unless it is a grade without explanation.
fn verdict_json(outcome: &Outcome) -> rusqlite::Result<Option<String>> {
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

/// A description of the error in a row.
pub(crate) type RowDefect = String;

/// Reads a verdict from its columns.
fn verdict(grade: Option<Grade>, prose: Option<&str>) -> Result<Verdict, RowDefect> {
    let Some(json) = prose else {
        return grade.map(bare).ok_or_else(|| "a judged attempt has no verdict".into());
    };
    let verdict: Verdict =
        serde_json::from_str(json).map_err(|error| format!("its verdict cannot be read: {error}"))?;
    if verdict.grade() == grade { Ok(verdict) } else { Err("its grade is not that of its verdict".into()) }
}

/// Reads an attempt from the row that [`select`] describes.
pub(crate) fn attempt(row: &Row<'_>) -> Result<(JudgeId, Attempt), RowDefect> {
    let tokens = |column| get::<Option<i64>>(row, column).map(|count| count.map(|count| count as u64));
    let attempt = Attempt {
        key: key(row, 2)?,
        topic: get(row, 8)?,
        document: get(row, 9)?,
        documents: documents(row)?,
        sample: get(row, 10)?,
        answer: Answer {
            outcome: outcome(row)?,
            reply: get(row, REPLY)?,
            model: get(row, 16)?,
            usage: Usage {
                prompt_tokens: tokens(11)?,
                completion_tokens: tokens(12)?,
                cached_tokens: tokens(LATER)?,
                cache_written_tokens: tokens(LATER + 1)?,
                reasoning_tokens: tokens(LATER + 2)?,
            },
            cost_usd: get(row, 13)?,
            tokens_cut: get(row, 15)?,
            adjusted: get(row, 19)?,
            request_id: get(row, LATER + 3)?,
        },
        latency_ms: get(row, 14)?,
        at_ms: get(row, 17)?,
        reader: get(row, 20)?,
    };
    Ok((JudgeId(get(row, 1)?), attempt))
}

/// Reads a value. It is of another type only where the file is damaged or another program wrote it.
pub(crate) fn get<T: FromSql>(row: &Row<'_>, column: usize) -> Result<T, RowDefect> {
    row.get(column).map_err(|error| format!("a value cannot be read: {error}"))
}

fn text_or_null<'a>(row: &'a Row<'_>, column: usize) -> Result<Option<&'a str>, RowDefect> {
    let value = row.get_ref(column).map_err(|error| error.to_string())?;
    value.as_str_or_null().map_err(|error| format!("a text cannot be read: {error}"))
}

fn key(row: &Row<'_>, column: usize) -> Result<Hash, RowDefect> {
    match row.get_ref(column) {
        Ok(ValueRef::Blob(bytes)) => {
            bytes.try_into().map(Hash).map_err(|_| format!("its key has {} bytes instead of 32", bytes.len()))
        }
        _ => Err("its key is not a blob".into()),
    }
}

fn documents(row: &Row<'_>) -> Result<Vec<String>, RowDefect> {
    text_or_null(row, 18)?.map_or(Ok(Vec::new()), |json| {
        serde_json::from_str(json).map_err(|error| format!("its documents cannot be read: {error}"))
    })
}

fn outcome(row: &Row<'_>) -> Result<Outcome, RowDefect> {
    let why = text_or_null(row, 5)?.unwrap_or_default();
    let detail = || get::<Option<String>>(row, 6).map(Option::unwrap_or_default);
    match text_or_null(row, 3)?.unwrap_or_default() {
        "judged" => {
            verdict(get(row, 4)?, text_or_null(row, VERDICT)?).map(|verdict| Outcome::Judged { verdict })
        }
        "unusable" => {
            let reason = Reason::from_name(why).ok_or_else(|| format!("the reason {why:?} is unknown"))?;
            Ok(Outcome::Unusable(Unusable { reason, detail: detail()? }))
        }
        "failed" => {
            let kind = FailureKind::from_name(why)
                .ok_or_else(|| format!("the kind of failure {why:?} is unknown"))?;
            let wait = get::<Option<i64>>(row, 7)?.map(|wait| wait as u64);
            Ok(Outcome::Failed(Failure { kind, message: detail()?, retry_after_ms: wait }))
        }
        other => Err(format!("the status {other:?} is unknown")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SqliteLedger;

    #[test]
    fn replies_are_looked_up_and_never_looked_through() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = SqliteLedger::open(folder.path().join("ledger.sqlite")).unwrap();
        let wanted: [Option<&[JudgeId]>; 4] =
            [None, Some(&[]), Some(&[JudgeId(1)]), Some(&[JudgeId(1), JudgeId(7)])];
        for detail in [Detail::Facts, Detail::Verdicts, Detail::Replies] {
            for judges in wanted {
                let query =
                    select(judges, detail, schema::version(ledger.path(), &ledger.connection).unwrap());
                let mut plan = ledger.connection.prepare(&format!("EXPLAIN QUERY PLAN {query}")).unwrap();
                let steps = plan.query_map([0], |row| row.get::<_, String>(3)).unwrap();
                let steps: Vec<String> = steps.map(Result::unwrap).collect();
                assert!(
                    steps.iter().all(|step| !step.starts_with("SCAN")),
                    "{detail:?} {judges:?}: {steps:?}"
                );
            }
        }
    }
}
