//! Finds the damage in a ledger, and reads the rest of it.

use std::cell::Cell;
use std::ops::ControlFlow;

use llull_core::Attempt;
use serde::Serialize;

use crate::batches::{BatchTable as _, SqliteBatches};
use crate::{BadRow, Detail, JudgeId, LedgerJudge, LedgerLoss, LedgerReader, SqliteLedger, StoreError};

/// How many rows in a row may be unreadable before the rest is given up: the number of the last row may be damaged.
const UNREADABLE: u64 = 10_000;

/// The result of a whole reading of a ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LedgerCheck {
    /// The number of attempts that are intact.
    pub intact: u64,
    /// Every row that is damaged.
    pub bad: Vec<BadRow>,
    /// Attempts that were recorded and are missing, if any are known.
    pub lost: Option<LedgerLoss>,
    /// The findings of SQLite's own check of the file; empty without any.
    pub sqlite: Vec<String>,
}

impl LedgerCheck {
    /// Reads everything in a ledger.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read at all. Damage is no error: it is in the result.
    pub fn read(ledger: &SqliteLedger) -> Result<Self, StoreError> {
        let mut check = Self { sqlite: ledger.integrity(), lost: ledger.loss(), ..Self::default() };
        for found in ledger.found_judges()? {
            check.bad.extend(found.err());
        }
        let Self { intact, bad, .. } = &mut check;
        walk_on(ledger, None, Detail::Replies, &mut |found| {
            match found {
                Ok(_) => *intact += 1,
                Err(row) => bad.push(row),
            }
            Ok(())
        })?;
        // A ledger that cannot be read beside its log has been read above.
        if let Err(damaged @ StoreError::Damaged { .. }) = SqliteBatches::new(ledger.path()).batches() {
            check.sqlite.push(damaged.to_string());
        }
        Ok(check)
    }

    /// Returns whether nothing is damaged or lost.
    pub fn is_intact(&self) -> bool {
        self.bad.is_empty() && self.sqlite.is_empty() && self.lost.is_none()
    }
}

/// The undamaged rows of a ledger. Reading passes over the others and counts them.
#[derive(Debug)]
pub struct Undamaged {
    ledger: SqliteLedger,
    skipped: Cell<u64>,
}

impl Undamaged {
    /// Reads from this ledger.
    pub fn of(ledger: SqliteLedger) -> Self {
        Self { ledger, skipped: Cell::new(0) }
    }

    /// Returns the number of damaged attempts that the last [scan](LedgerReader::scan) skipped.
    pub fn skipped(&self) -> u64 {
        self.skipped.get()
    }
}

impl LedgerReader for Undamaged {
    fn loss(&self) -> Option<LedgerLoss> {
        self.ledger.loss()
    }

    fn judges(&self) -> Result<Vec<LedgerJudge>, StoreError> {
        Ok(self.ledger.found_judges()?.into_iter().flatten().collect())
    }

    fn scan(
        &self,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.skipped.set(0);
        walk_on(&self.ledger, judges, detail, &mut |found| match found {
            Ok((judge, attempt)) => each(judge, attempt),
            Err(_) => {
                self.skipped.set(self.skipped.get() + 1);
                Ok(())
            }
        })
    }
}

/// Walks over all attempts, and goes on behind those that SQLite cannot read.
fn walk_on(
    ledger: &SqliteLedger,
    judges: Option<&[JudgeId]>,
    detail: Detail,
    each: &mut dyn FnMut(Result<(JudgeId, Attempt), BadRow>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let (mut last, mut unreadable) = (0, 0);
    loop {
        let before = last;
        let walked =
            ledger.walk(judges, detail, &mut last, &mut |found| each(found).map(ControlFlow::Continue));
        let error = match walked {
            Err(StoreError::Damaged { detail, .. }) => detail,
            other => return other,
        };
        unreadable = if last == before { unreadable + 1 } else { 1 };
        if unreadable > UNREADABLE || ledger.last_attempt().is_none_or(|end| last >= end) {
            return Ok(());
        }
        last += 1;
        let unknown = || "?".to_owned();
        each(Err(BadRow {
            table: "attempts",
            row: last,
            judge: unknown(),
            query: unknown(),
            document: unknown(),
            problem: format!("SQLite cannot read it: {error}"),
        }))?;
    }
}
