//! `llull ledger export FILE.parquet`: attempts as rows for DuckDB, Spark, Ray and data frames.

use std::io::{self, Write};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use anyhow::{Result, anyhow};
use llull::core::{Attempt, Outcome, Verdict};
use llull::data::{Column, ColumnKind, Entry, RowTable, TableFormat, WrittenRows};
use llull::store::{Detail, LedgerReader, StoreError};

/// How many rows may wait for the writer.
const QUEUE: usize = 1 << 10;

/// The columns: what an attempt has, and the name of its judge.
const COLUMNS: [Column; 20] = [
    ("judge", ColumnKind::Text),
    ("key", ColumnKind::Text),
    ("query", ColumnKind::Text),
    ("document", ColumnKind::Text),
    ("documents", ColumnKind::Text),
    ("sample", ColumnKind::Whole),
    ("outcome", ColumnKind::Text),
    ("grade", ColumnKind::Whole),
    ("answer", ColumnKind::Text),
    ("reply", ColumnKind::Text),
    ("model", ColumnKind::Text),
    ("prompt_tokens", ColumnKind::Whole),
    ("completion_tokens", ColumnKind::Whole),
    ("cached_tokens", ColumnKind::Whole),
    ("cache_written_tokens", ColumnKind::Whole),
    ("reasoning_tokens", ColumnKind::Whole),
    ("request_id", ColumnKind::Text),
    ("cost_usd", ColumnKind::Number),
    ("latency_ms", ColumnKind::Whole),
    ("at_ms", ColumnKind::Whole),
];

/// Writes every attempt as a row, oldest first.
pub(super) fn write(ledger: &dyn LedgerReader, out: &mut (dyn Write + Send)) -> Result<WrittenRows> {
    let judges = ledger.judges()?;
    let name =
        |id| judges.iter().find(|judge| judge.id == id).map(|judge| judge.name.clone()).unwrap_or_default();
    let (rows, received) = sync_channel(QUEUE);
    thread::scope(|scope| {
        // The ledger pushes attempts and the table pulls rows, so that neither holds all of them.
        let table =
            move || RowTable::new(COLUMNS.to_vec(), received.into_iter()).write(TableFormat::Parquet, out);
        let writer = scope.spawn(table);
        let scanned =
            ledger.scan(None, Detail::Replies, &mut |judge, attempt| send(&rows, name(judge), attempt));
        drop(rows);
        let written = writer.join().map_err(|_| anyhow!("the table was not written"))?;
        // If the writer fails, the scan fails because of it.
        let written = written?;
        scanned?;
        Ok(written)
    })
}

fn send(rows: &SyncSender<Vec<Entry<'static>>>, judge: String, attempt: Attempt) -> Result<(), StoreError> {
    let gone = |_| StoreError::Write(io::ErrorKind::BrokenPipe.into());
    let row = row(judge, attempt).map_err(|error| StoreError::Write(error.into()))?;
    rows.send(row).map_err(gone)
}

fn row(judge: String, attempt: Attempt) -> serde_json::Result<Vec<Entry<'static>>> {
    let text = |text: Option<String>| text.map_or(Entry::Missing, Entry::text);
    let tokens =
        |tokens: Option<u64>| tokens.and_then(|n| i64::try_from(n).ok()).map_or(Entry::Missing, Entry::Whole);
    let (outcome, grade, answer) = match &attempt.answer.outcome {
        Outcome::Judged { verdict } => {
            let grade = match verdict {
                Verdict::Graded(graded) => Some(graded.grade),
                Verdict::Compared(_) => None,
            };
            ("judged", grade, serde_json::to_string(verdict)?)
        }
        Outcome::Unusable(unusable) => ("unusable", None, serde_json::to_string(unusable)?),
        Outcome::Failed(failure) => ("failed", None, serde_json::to_string(failure)?),
    };
    let usage = attempt.answer.usage;
    let documents = (!attempt.documents.is_empty()).then(|| serde_json::to_string(&attempt.documents));
    Ok(vec![
        Entry::text(judge),
        Entry::text(attempt.key.to_string()),
        Entry::text(attempt.topic),
        Entry::text(attempt.document),
        text(documents.transpose()?),
        Entry::Whole(attempt.sample.into()),
        Entry::text(outcome),
        grade.map_or(Entry::Missing, |grade| Entry::Whole(grade.into())),
        Entry::text(answer),
        text(attempt.answer.reply),
        text(attempt.answer.model),
        tokens(usage.prompt_tokens),
        tokens(usage.completion_tokens),
        tokens(usage.cached_tokens),
        tokens(usage.cache_written_tokens),
        tokens(usage.reasoning_tokens),
        text(attempt.answer.request_id),
        attempt.answer.cost_usd.map_or(Entry::Missing, Entry::Number),
        Entry::Whole(attempt.latency_ms.into()),
        Entry::Whole(attempt.at_ms),
    ])
}
