//! The identity and the version of a ledger file.
//!
//! Both are checked on opening, and migrations update the version.

use std::{path::Path, sync::OnceLock};

use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;

/// SQLite's `application_id` of a ledger: "Llul" in ASCII.
const APPLICATION_ID: i64 = 0x4c6c_756c;

/// One script per version, applied in order. The file's `user_version` is the number of applied scripts.
const MIGRATIONS: &[&str] = &[
    include_str!("../schema/0001.sql"),
    include_str!("../schema/0002.sql"),
    include_str!("../schema/0003.sql"),
    include_str!("../schema/0004.sql"),
    include_str!("../schema/0005.sql"),
];

/// The first version that records comparisons.
pub(crate) const COMPARISONS: i64 = 2;

/// The first version that records checksums, adjusted requests and the version of the reader.
pub(crate) const CHECKSUMS: i64 = 3;

/// The first version that records batches.
pub(crate) const BATCHES: i64 = 4;

/// The first version that records cached and reasoning tokens, and the provider's identifier of a request.
pub(crate) const REQUESTS: i64 = 5;

/// The version that this llull writes.
const VERSION: i64 = MIGRATIONS.len() as i64;

/// Checks that the file is a ledger of a version that can be read. Returns its version, or 0 for an empty file.
pub(crate) fn check(path: &Path, connection: &Connection) -> Result<i64, StoreError> {
    let failed = |error| StoreError::sqlite(path, "read its version", error);
    // In one statement, so that they are of one moment: another process may be making the ledger.
    let query = "SELECT (SELECT application_id FROM pragma_application_id), \
         (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let (application, version, tables): (i64, i64, i64) =
        connection.query_row(query, [], read).map_err(failed)?;
    match (application, version) {
        (0, 0) if tables == 0 && !is_fragment(path) => Ok(0),
        (APPLICATION_ID, version) if version > VERSION => {
            Err(StoreError::Newer { path: path.to_owned(), found: version, supported: VERSION })
        }
        (APPLICATION_ID, version) if version > 0 => {
            refuse_foreign(path, connection)?;
            Ok(version)
        }
        _ => Err(StoreError::NotALedger { path: path.to_owned() }),
    }
}

/// Returns the version of a ledger that was checked when it was opened; another process may have migrated it since.
pub(crate) fn version(path: &Path, connection: &Connection) -> Result<i64, StoreError> {
    connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(|error| StoreError::sqlite(path, "read its version", error))
}

/// Refuses parts that act on their own and are not llull's: triggers, views and virtual tables. A ledger from a
/// stranger may have one that changes records.
fn refuse_foreign(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    /// The acting parts of a ledger that llull has just made: the same for every ledger of a process.
    static OURS: OnceLock<Vec<(String, String, String)>> = OnceLock::new();

    let failed = |error| StoreError::sqlite(path, "read its schema", error);
    let ours = match OURS.get() {
        Some(ours) => ours,
        None => {
            let fresh = Connection::open_in_memory().map_err(failed)?;
            for script in MIGRATIONS {
                fresh.execute_batch(script).map_err(failed)?;
            }
            let found = acting(&fresh).map_err(failed)?;
            OURS.get_or_init(|| found)
        }
    };
    match acting(connection).map_err(failed)?.into_iter().find(|object| !ours.contains(object)) {
        None => Ok(()),
        Some((kind, name, _)) => Err(StoreError::Foreign { path: path.to_owned(), kind, name }),
    }
}

/// Kind, name and text of everything in a schema that acts on its own.
fn acting(connection: &Connection) -> rusqlite::Result<Vec<(String, String, String)>> {
    let mut statement = connection.prepare(
        "SELECT type, name, coalesce(sql, '') FROM sqlite_schema \
         WHERE type NOT IN ('table', 'index') OR sql LIKE 'create virtual%'",
    )?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}

/// Returns whether the file is shorter than SQLite's smallest page, but not empty. SQLite would treat it as empty and
/// overwrite it.
fn is_fragment(path: &Path) -> bool {
    fs_err::metadata(path).is_ok_and(|file| (1..512).contains(&file.len()))
}

/// Migrates the file to the current version, in one transaction.
pub(crate) fn migrate(path: &Path, connection: &mut Connection) -> Result<(), StoreError> {
    if check(path, connection)? == VERSION {
        return Ok(());
    }
    let failed = |error| StoreError::sqlite(path, "set it up", error);
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    // Checked again now that no other process can write: one may have migrated the file in between.
    let from = usize::try_from(check(path, &transaction)?).unwrap_or(0);
    for script in MIGRATIONS.iter().skip(from) {
        transaction.execute_batch(script).map_err(failed)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
    transaction.pragma_update(None, "user_version", VERSION).map_err(failed)?;
    transaction.commit().map_err(failed)?;
    // Afterwards the identity of the ledger is in its own file, even if the write-ahead log is lost. A reader that is
    // in the way is no error.
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).map_err(failed)
}
