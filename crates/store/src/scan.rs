//! Reads the ledger in a SQLite file, and checks every row.
//!
//! A row is checked against its checksum. A row of an earlier version has none, and is checked like an import.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use llull_core::Attempt;
use rusqlite::{Row, types::ValueRef};

use crate::{
    BadRow, Detail, JudgeId, LedgerJudge, LedgerLoss, LedgerReader, SqliteLedger, StoreError,
    checksum::{self, Encoded},
    rows::{self, RowDefect},
    schema,
    sqlite::JUDGE_COLUMNS,
    validity,
};

/// The error of a row whose checksum differs.
const CHANGED: &str = "it is not what was written: its checksum differs";

/// A row, or its damage.
pub(crate) type Found<T> = Result<T, BadRow>;

impl SqliteLedger {
    /// Returns every judge, or the damage of its row.
    pub(crate) fn found_judges(&self) -> Result<Vec<Found<LedgerJudge>>, StoreError> {
        // A file of an earlier version that is open for reading only has no such column.
        let version = schema::version(self.path(), &self.connection)?;
        let without = JUDGE_COLUMNS.replace(", checksum", ", NULL");
        let columns = if version >= schema::CHECKSUMS { JUDGE_COLUMNS } else { &without };
        let failed = self.failed("read it");
        let query = format!("SELECT {columns} FROM judges ORDER BY id");
        let mut statement = self.connection.prepare_cached(&query).map_err(&failed)?;
        let mut rows = statement.query([]).map_err(&failed)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(&failed)? {
            found.push(judge(row).map_err(|problem| BadRow {
                table: "judges",
                row: row.get(0).unwrap_or_default(),
                judge: lossy(row, 2),
                query: String::new(),
                document: String::new(),
                problem,
            }));
        }
        Ok(found)
    }

    /// Calls `each` with every attempt of `judges` after row `last`, or with the damage of its row, oldest first.
    /// `last` becomes the number of the last row that was read. `each` returns whether it wants another.
    pub(crate) fn walk(
        &self,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        last: &mut i64,
        each: &mut dyn FnMut(Found<(JudgeId, Attempt)>) -> Result<ControlFlow<()>, StoreError>,
    ) -> Result<(), StoreError> {
        let version = schema::version(self.path(), &self.connection)?;
        let known = self.found_judges()?.into_iter().flatten().map(|judge| (judge.id, judge)).collect();
        let mut walk = Walk {
            wanted: judges,
            detail,
            judges: known,
            encoded: Encoded::default(),
            last: *last,
            checksums: false,
        };
        let failed = self.failed("read it");
        let query = rows::select(judges, detail, version);
        let mut statement = self.connection.prepare_cached(&query).map_err(&failed)?;
        let mut rows = statement.query([*last]).map_err(&failed)?;
        while let Some(row) = rows.next().map_err(&failed)? {
            let found = walk.row(row).map_err(|problem| walk.bad(row, problem)).transpose();
            walk.last = row.get(0).map_err(&failed)?;
            *last = walk.last;
            if found.map_or(Ok(ControlFlow::Continue(())), &mut *each)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn bad_row(&self, row: BadRow) -> StoreError {
        StoreError::BadRow { path: self.path().to_owned(), row: Box::new(row) }
    }
}

impl LedgerReader for SqliteLedger {
    fn loss(&self) -> Option<LedgerLoss> {
        self.loss
    }

    fn follow(
        &self,
        seen: u64,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<u64, StoreError> {
        self.judges()?;
        // Attempts are numbered from 1 without a gap.
        let mut last = i64::try_from(seen).unwrap_or(i64::MAX);
        self.walk(judges, detail, &mut last, &mut |found| {
            let (judge, attempt) = found.map_err(|bad| self.bad_row(bad))?;
            each(judge, attempt).map(ControlFlow::Continue)
        })?;
        Ok(u64::try_from(last).unwrap_or(0))
    }

    fn read_at(
        &self,
        places: &[u64],
        detail: Detail,
        each: &mut dyn FnMut(u64, JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.judges()?;
        places.iter().try_for_each(|place| {
            let Some(mut last) = place.checked_sub(1).and_then(|before| i64::try_from(before).ok()) else {
                return Ok(());
            };
            self.walk(None, detail, &mut last, &mut |found| {
                let (judge, attempt) = found.map_err(|bad| self.bad_row(bad))?;
                each(*place, judge, attempt).map(ControlFlow::Break)
            })
        })
    }

    fn judges(&self) -> Result<Vec<LedgerJudge>, StoreError> {
        self.found_judges()?.into_iter().map(|found| found.map_err(|bad| self.bad_row(bad))).collect()
    }

    fn scan(
        &self,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.judges()?;
        self.walk(judges, detail, &mut 0, &mut |found| {
            let (judge, attempt) = found.map_err(|bad| self.bad_row(bad))?;
            each(judge, attempt).map(ControlFlow::Continue)
        })
    }
}

fn judge(row: &Row<'_>) -> Result<LedgerJudge, RowDefect> {
    const SUM: usize = 8;
    let value = |column| row.get_ref(column).map_err(|error| error.to_string());
    match value(SUM)? {
        ValueRef::Null => {}
        ValueRef::Blob(sum) => {
            let mut encoded = Encoded::default();
            for column in 0..SUM {
                encoded.push(value(column)?);
            }
            if sum != encoded.checksum() {
                return Err(CHANGED.into());
            }
        }
        _ => return Err("its checksum is damaged".into()),
    }
    let json: String = rows::get(row, 7)?;
    let judge = LedgerJudge {
        id: JudgeId(rows::get(row, 0)?),
        name: rows::get(row, 2)?,
        spec: serde_json::from_str(&json)
            .map_err(|error| format!("its description cannot be read: {error}"))?,
    };
    match value(1)? {
        ValueRef::Blob(fingerprint) if fingerprint == judge.spec.fingerprint().0 => Ok(judge),
        _ => Err("its fingerprint is not that of its description".into()),
    }
}

/// Checks rows in their order.
struct Walk<'a> {
    wanted: Option<&'a [JudgeId]>,
    detail: Detail,
    judges: BTreeMap<JudgeId, LedgerJudge>,
    encoded: Encoded,
    /// The number of the row before.
    last: i64,
    /// Whether a row before had a checksum: then the rest have one, too.
    checksums: bool,
}

impl Walk<'_> {
    /// Returns the attempt in a row if it is of a wanted judge.
    fn row(&mut self, row: &Row<'_>) -> Result<Option<(JudgeId, Attempt)>, RowDefect> {
        let judge = JudgeId(rows::get(row, 1)?);
        let wanted = self.wanted.is_none_or(|judges| judges.contains(&judge));
        let intact = self.checksum(row, wanted)?;
        if intact && !wanted {
            return Ok(None);
        }
        let spec = self.judges.get(&judge).map(|judge| &judge.spec);
        let spec = spec.ok_or_else(|| format!("judge number {} is damaged or not registered", judge.0))?;
        if !wanted {
            // Not read whole: a comparison lacks its order.
            return Ok(None);
        }
        let (judge, attempt) = rows::attempt(row)?;
        validity::check(spec, &attempt)?;
        Ok(Some((judge, attempt)))
    }

    /// Checks a row against its checksum. Returns whether it has one.
    fn checksum(&mut self, row: &Row<'_>, wanted: bool) -> Result<bool, RowDefect> {
        let value = |column| row.get_ref(column).map_err(|error| error.to_string());
        let (own, words) = match value(rows::CHECKSUM)? {
            ValueRef::Null if self.checksums => return Err("its checksum is missing".into()),
            ValueRef::Null => return Ok(false),
            ValueRef::Blob(sum) if matches!(sum.len(), 8 | 24) => sum.split_at(8),
            _ => return Err("its checksum is damaged".into()),
        };
        self.checksums = true;
        self.encoded.clear();
        rows::encode(row, &mut self.encoded).map_err(|error| error.to_string())?;
        self.encoded.push(ValueRef::Blob(words));
        if own != self.encoded.checksum() {
            return Err(CHANGED.into());
        }
        let before: i64 = rows::get::<i64>(row, 0)? - 1;
        if before != self.last {
            return Err(format!("the rows before it are missing, from {} to {before}", self.last + 1));
        }
        let graded = value(4)? != ValueRef::Null || value(3)? != ValueRef::Text(b"judged");
        let read = match self.detail {
            _ if !wanted => [false, false],
            Detail::Facts => [false, !graded],
            Detail::Verdicts => [false, true],
            Detail::Replies => [true, true],
        };
        let mut sums = words.chunks_exact(8);
        for (column, read) in [rows::REPLY, rows::VERDICT].into_iter().zip(read) {
            let sum = sums.next();
            let value = value(column)?;
            let same = sum.map_or(value == ValueRef::Null, |sum| sum == checksum::of_value(value));
            if read && !same {
                return Err("its reply or its verdict is not what was written: its checksum differs".into());
            }
        }
        Ok(true)
    }

    fn bad(&self, row: &Row<'_>, problem: String) -> BadRow {
        let judge = row.get(1).map_or_else(
            |_| "?".to_owned(),
            |id: i64| {
                self.judges.get(&JudgeId(id)).map_or_else(|| id.to_string(), |judge| judge.name.clone())
            },
        );
        BadRow {
            table: "attempts",
            row: row.get(0).unwrap_or_default(),
            judge,
            query: lossy(row, 8),
            document: lossy(row, 9),
            problem,
        }
    }
}

fn lossy(row: &Row<'_>, column: usize) -> String {
    match row.get_ref(column) {
        Ok(ValueRef::Text(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        _ => "?".to_owned(),
    }
}
