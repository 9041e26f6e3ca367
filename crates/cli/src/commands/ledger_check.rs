//! `llull ledger check`: names damaged data, and the remedy.

use anyhow::Result;
use llull::report::text::{count, counted};
use llull::store::{LedgerCheck, SqliteLedger, StoreError};

use super::Context;
use crate::exit::Exit;

/// How many damaged rows are printed one by one; `--json` has all.
const PRINTED: usize = 20;

/// Reads everything in a ledger. Damage and lost attempts end with 1.
pub(crate) fn check(context: &Context, ledger: &SqliteLedger) -> Result<Exit> {
    let found = LedgerCheck::read(ledger)?;
    let path = ledger.path().display();
    let shown = context.shows_json(&found)?;
    if found.is_intact() {
        if !shown {
            let attempts = counted(found.intact, "attempt");
            context.printer.result(format!("{path}: {attempts}, all as they were written"))?;
        }
        return Ok(Exit::Fine);
    }
    if !shown {
        context.printer.results(found.bad.iter().take(PRINTED))?;
        if let Some(more @ 1..) = found.bad.len().checked_sub(PRINTED) {
            context.printer.result(format!("and {} more rows; --json has all", count(more)))?;
        }
        for line in &found.sqlite {
            context.printer.result(format!("SQLite: {line}"))?;
        }
    }
    if let Some(loss) = found.lost {
        let lost = StoreError::Lost { path: ledger.path().to_owned(), loss };
        if found.bad.is_empty() && found.sqlite.is_empty() {
            return Err(lost.into());
        }
        context.printer.warn(lost);
    }
    anyhow::bail!(
        "{path}: {} damaged, {} intact; go on from a backup, or without the damaged rows, whose requests are then \
         repeated:\n  \
         llull ledger export --skip-damaged intact.jsonl.gz\n  mv {path} {path}.damaged\n  \
         llull ledger import intact.jsonl.gz",
        counted(found.bad.len(), "row"),
        counted(found.intact, "attempt")
    )
}
