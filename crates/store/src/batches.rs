//! Batches of requests at providers: what was submitted, and where its results are.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rusqlite::{params_from_iter, types::Value};

use crate::checksum::Encoded;
use crate::connect::{Access, connect};
use crate::{StoreError, schema};

/// The state of a batch as far as it was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchState {
    /// It is about to be submitted; whether the provider has it is unknown.
    Prepared,
    /// The provider has it.
    Submitted,
    /// It has ended, and its results were read.
    Ended,
}

impl BatchState {
    const ALL: [Self; 3] = [Self::Prepared, Self::Submitted, Self::Ended];

    /// Returns the name, `submitted`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prepared => "prepared",
            Self::Submitted => "submitted",
            Self::Ended => "ended",
        }
    }
}

/// A batch of requests at a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchRecord {
    /// llull's own name of it.
    pub name: String,
    /// The judge's name in the study.
    pub judge: String,
    /// Its state.
    pub state: BatchState,
    /// The provider's identifier, once it is known.
    pub remote: Option<String>,
    /// The identifiers of its requests.
    pub requests: Vec<String>,
    /// The time, in milliseconds since 1970.
    pub at_ms: i64,
}

/// Records batches, beside the attempts of a ledger. Nothing is changed: the latest record of a batch counts.
pub trait BatchTable: Send + Sync {
    /// Returns the latest record of each batch, in the order of their first.
    ///
    /// # Errors
    /// Returns an error if the table cannot be read or is damaged.
    fn batches(&self) -> Result<Vec<BatchRecord>, StoreError>;

    /// Records a batch. The record survives a crash once this has returned.
    ///
    /// # Errors
    /// Returns an error if the table cannot be written.
    fn record(&self, batch: &BatchRecord) -> Result<(), StoreError>;
}

fn latest(records: impl IntoIterator<Item = BatchRecord>) -> Vec<BatchRecord> {
    let mut batches: Vec<BatchRecord> = Vec::new();
    for record in records {
        match batches.iter_mut().find(|batch| batch.name == record.name) {
            Some(batch) => *batch = record,
            None => batches.push(record),
        }
    }
    batches
}

/// Batches in memory, for tests.
#[derive(Debug, Default)]
pub struct MemoryBatches(Mutex<Vec<BatchRecord>>);

impl BatchTable for MemoryBatches {
    fn batches(&self) -> Result<Vec<BatchRecord>, StoreError> {
        Ok(latest(self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned()))
    }

    fn record(&self, batch: &BatchRecord) -> Result<(), StoreError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(batch.clone());
        Ok(())
    }
}

/// The batches of a ledger's file, which exists. Each use opens it anew, so that a run can write attempts meanwhile.
#[derive(Debug)]
pub struct SqliteBatches {
    path: PathBuf,
}

/// The columns that a checksum covers.
const COLUMNS: &str = "name, judge, state, remote, requests, at_ms";

impl SqliteBatches {
    /// Returns the batches of the ledger in this file, which is opened for writing before anything is recorded.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    fn failed(&self, doing: &'static str) -> impl Fn(rusqlite::Error) -> StoreError {
        move |error| StoreError::sqlite(&self.path, doing, error)
    }
}

impl BatchTable for SqliteBatches {
    fn batches(&self) -> Result<Vec<BatchRecord>, StoreError> {
        let connection = connect(&self.path, Access::Read)?;
        if schema::version(&self.path, &connection)? < schema::BATCHES {
            return Ok(Vec::new());
        }
        let failed = self.failed("read its batches");
        let query = format!("SELECT {COLUMNS}, checksum, id FROM batches ORDER BY id");
        let mut statement = connection.prepare(&query).map_err(&failed)?;
        let mut rows = statement.query([]).map_err(&failed)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(&failed)? {
            found.push(record(row).map_err(&failed)?.map_err(|problem| {
                let number: i64 = row.get(7).unwrap_or(0);
                StoreError::Damaged {
                    path: self.path.clone(),
                    detail: format!("batch number {number}: {problem}"),
                }
            })?);
        }
        Ok(latest(found))
    }

    fn record(&self, batch: &BatchRecord) -> Result<(), StoreError> {
        let text = |text: &str| Value::Text(text.to_owned());
        let mut values = vec![
            text(&batch.name),
            text(&batch.judge),
            text(batch.state.name()),
            batch.remote.as_deref().map_or(Value::Null, text),
            text(&batch.requests.join("\n")),
            Value::Integer(batch.at_ms),
        ];
        let mut encoded = Encoded::default();
        values.iter().for_each(|value| encoded.push(value.into()));
        values.push(Value::Blob(encoded.checksum().to_vec()));
        let insert = format!("INSERT INTO batches ({COLUMNS}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)");
        let connection = connect(&self.path, Access::Write)?;
        // As the ledger's own connection: a commit is on disk when it returns.
        connection.pragma_update(None, "synchronous", "full").map_err(self.failed("record a batch in it"))?;
        connection.execute(&insert, params_from_iter(values)).map_err(self.failed("record a batch in it"))?;
        Ok(())
    }
}

/// Reads a row; `Err` inside says what is wrong with it.
fn record(row: &rusqlite::Row<'_>) -> rusqlite::Result<Result<BatchRecord, String>> {
    let mut encoded = Encoded::default();
    for column in 0..6 {
        encoded.push(row.get_ref(column)?);
    }
    let checksum: Vec<u8> = row.get(6)?;
    if checksum != encoded.checksum() {
        return Ok(Err("it is not what was written: its checksum differs".to_owned()));
    }
    let (state, requests): (String, String) = (row.get(2)?, row.get(4)?);
    let Some(state) = BatchState::ALL.into_iter().find(|known| known.name() == state) else {
        return Ok(Err(format!("its state {state:?} is unknown")));
    };
    Ok(Ok(BatchRecord {
        name: row.get(0)?,
        judge: row.get(1)?,
        state,
        remote: row.get(3)?,
        requests: requests.lines().map(str::to_owned).collect(),
        at_ms: row.get(5)?,
    }))
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::SqliteLedger;

    fn batch(name: &str, state: BatchState) -> BatchRecord {
        let remote = (state != BatchState::Prepared).then(|| "batch_1".to_owned());
        let requests = ["a-0", "b-1"].map(str::to_owned).to_vec();
        BatchRecord { name: name.into(), judge: "j".into(), state, remote, requests, at_ms: 7 }
    }

    #[test]
    fn the_latest_record_of_a_batch_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.sqlite");
        let ledger = SqliteLedger::open(&path).unwrap();
        let tables: [Box<dyn BatchTable>; 2] =
            [Box::new(SqliteBatches::new(&path)), Box::<MemoryBatches>::default()];
        for table in tables {
            for (name, state) in [
                ("one", BatchState::Prepared),
                ("two", BatchState::Prepared),
                ("one", BatchState::Submitted),
                ("one", BatchState::Ended),
            ] {
                table.record(&batch(name, state)).unwrap();
            }
            let expected = [batch("one", BatchState::Ended), batch("two", BatchState::Prepared)];
            assert_eq!(table.batches().unwrap(), expected);
        }
        drop(ledger);
        assert_eq!(SqliteBatches::new(&path).batches().unwrap().len(), 2);
    }

    #[test]
    fn a_damaged_record_is_no_batch() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.sqlite");
        drop(SqliteLedger::open(&path).unwrap());
        let table = SqliteBatches::new(&path);
        table.record(&batch("one", BatchState::Submitted)).unwrap();
        let connection = Connection::open(&path).unwrap();
        connection.execute("UPDATE batches SET remote = 'other'", []).unwrap_err();
        connection.execute("DROP TRIGGER batches_are_not_changed", []).unwrap();
        connection.execute("UPDATE batches SET remote = 'other'", []).unwrap();
        let error = table.batches().unwrap_err();
        assert!(error.to_string().contains("its checksum differs"), "{error}");
    }
}
