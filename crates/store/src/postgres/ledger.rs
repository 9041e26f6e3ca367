//! The ledger's tables, and the ledger that reads and writes them.

use std::sync::Arc;

use llull_core::{Attempt, JudgeSpec};
use llull_postgres::PostgresAddress;
use rustc_hash::FxHashMap;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::connection::{Connection, Doing};
use super::leases::PostgresLeases;
use crate::{Detail, JudgeId, Leases, LedgerJudge, LedgerReader, LedgerWriter, StoreError, validity};

/// The version of the tables. 2 has cached and reasoning tokens and request identifiers in its attempts, which an older
/// llull would leave out of what it exports.
const VERSION: i64 = 2;

/// The number of attempts that are read at once, and so are in memory at once.
const PAGE: i64 = 2000;

/// Makes the tables where they are missing. Two runs may do so at once.
const TABLES: &str = "
    BEGIN;
    SELECT pg_advisory_xact_lock(7308324465);
    CREATE TABLE IF NOT EXISTS llull_ledger (version bigint NOT NULL, study text);
    INSERT INTO llull_ledger SELECT 2, NULL WHERE NOT EXISTS (SELECT FROM llull_ledger);
    CREATE TABLE IF NOT EXISTS llull_judges (
        id bigint PRIMARY KEY, fingerprint bytea NOT NULL UNIQUE, name text NOT NULL, spec json NOT NULL
    );
    CREATE TABLE IF NOT EXISTS llull_attempts (
        id bigint PRIMARY KEY, judge bigint NOT NULL REFERENCES llull_judges, key bytea NOT NULL,
        run text NOT NULL, attempt json NOT NULL, reply json
    );
    CREATE INDEX IF NOT EXISTS llull_attempts_key ON llull_attempts (judge, key);
    CREATE TABLE IF NOT EXISTS llull_runs (run text PRIMARY KEY, alive_until timestamptz NOT NULL);
    CREATE TABLE IF NOT EXISTS llull_leases (
        judge bigint NOT NULL, key bytea NOT NULL, run text NOT NULL, PRIMARY KEY (judge, key)
    );
    COMMIT;
";

/// A ledger in the tables `llull_...` of a PostgreSQL database. Several runs may write to it at once, from several
/// machines; [`Leases`] keep them from paying twice. A study has a database, or a schema of one, of its own.
pub struct PostgresLedger {
    connection: Connection,
    /// The version of the tables when they were opened.
    version: i64,
    /// A random name for this process's use of the ledger.
    run: String,
    /// Whether a transaction is open.
    in_transaction: bool,
}

impl std::fmt::Debug for PostgresLedger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PostgresLedger").field(self.connection.address()).finish()
    }
}

impl PostgresLedger {
    /// Opens the ledger in a database for reading and writing, or creates its tables.
    ///
    /// # Errors
    /// Returns an error if the database cannot be reached, refuses to create tables, or has a newer ledger.
    pub fn open(address: &PostgresAddress) -> Result<Self, StoreError> {
        let connection = Connection::open(address)?;
        connection.batch("set itself up", "SET synchronous_commit = on")?;
        if !has_tables(&connection)? {
            connection.batch("create its tables", TABLES)?;
        }
        Self::of(connection)
    }

    /// Opens the ledger in a database for reading only; `None` if it has no tables yet.
    ///
    /// # Errors
    /// Returns an error if the database cannot be reached, or has a newer ledger.
    pub fn open_if_begun(address: &PostgresAddress) -> Result<Option<Self>, StoreError> {
        let connection = Connection::open(address)?;
        connection.batch("set itself up", "SET default_transaction_read_only = on")?;
        has_tables(&connection)?.then(|| Self::of(connection)).transpose()
    }

    fn of(connection: Connection) -> Result<Self, StoreError> {
        let sql = "SELECT max(version), gen_random_uuid()::text FROM llull_ledger";
        let rows = connection.rows("read its version", sql, &[])?;
        let doing = Doing { at: connection.address().to_string(), doing: "open the ledger" };
        let row = rows.first().ok_or_else(|| doing.error("its version is missing"))?;
        let version = match get::<Option<i64>>(row, 0).map_err(|why| doing.error(why))? {
            Some(version @ 1..=VERSION) => version,
            Some(newer) if newer > VERSION => {
                let why = format!(
                    "it has version {newer}, and this llull reads up to {VERSION}; use a newer llull"
                );
                return Err(doing.error(why));
            }
            _ => return Err(doing.error("its version is missing")),
        };
        let run = get(row, 1).map_err(|why| doing.error(why))?;
        Ok(Self { connection, version, run, in_transaction: false })
    }

    /// Keeps the ledger for the study of this name, and refuses that of another one: their costs and answers would mix.
    /// Tables of an older version are raised to this one.
    ///
    /// # Errors
    /// Returns an error if it is another study's, or the database cannot be reached.
    pub fn of_study(self, name: &str) -> Result<Self, StoreError> {
        let doing = Doing { at: self.connection.address().to_string(), doing: "use it" };
        let rows = self.connection.rows(doing.doing, "SELECT study FROM llull_ledger", &[])?;
        let found = rows.first().map_or(Ok(None), |row| get::<Option<String>>(row, 0));
        match found.map_err(|why| doing.error(why))? {
            None => {
                let sql = "UPDATE llull_ledger SET study = $1 WHERE study IS NULL";
                self.connection.rows(doing.doing, sql, &[&name])?;
            }
            Some(found) if found == name => {}
            Some(found) => return Err(doing.error(format!(
                "it is the ledger of study {found:?}, and this one is {name:?}; give each study a database of its own, \
                 or a schema by ?options=-csearch_path%3DNAME, or set `name` back"
            ))),
        }
        if self.version < VERSION {
            let sql = format!("UPDATE llull_ledger SET version = {VERSION} WHERE version < {VERSION}");
            self.connection.batch("raise its version", &sql)?;
        }
        Ok(self)
    }

    /// Returns whether the connection still works: a server may end an idle one.
    pub fn is_reachable(&self) -> bool {
        self.connection.rows("reach it", "SELECT", &[]).is_ok()
    }

    /// Returns whether a run is at work on this ledger.
    ///
    /// # Errors
    /// Returns an error if the database cannot be reached.
    pub fn is_in_use(&self) -> Result<bool, StoreError> {
        let sql = "SELECT FROM llull_runs WHERE alive_until > now() LIMIT 1";
        Ok(!self.connection.rows("look for runs", sql, &[])?.is_empty())
    }

    fn reading(&self) -> Doing {
        Doing { at: self.connection.address().to_string(), doing: "read it" }
    }

    /// Calls `each` with the attempts after `seen` and up to `end`.
    fn pages(
        &self,
        (seen, end): (u64, u64),
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(u64, JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let known: FxHashMap<JudgeId, JudgeSpec> =
            self.judges()?.into_iter().map(|judge| (judge.id, judge.spec)).collect();
        let wanted: Option<Vec<i64>> = judges.map(|judges| judges.iter().map(|judge| judge.0).collect());
        let select = select(detail);
        let sql = format!(
            "{select} WHERE id > $1 AND id <= $2 AND ($3::bigint[] IS NULL OR judge = ANY($3)) ORDER BY id LIMIT {PAGE}"
        );
        let (mut last, end) = (number(seen), number(end));
        loop {
            let rows = self.connection.rows("read it", &sql, &[&last, &end, &wanted])?;
            for row in &rows {
                let (id, judge, attempt) = self.attempt(row, &known, detail)?;
                last = number(id);
                each(id, judge, attempt)?;
            }
            if rows.len() < PAGE as usize {
                return Ok(());
            }
        }
    }

    /// Reads the row of an attempt.
    fn attempt(
        &self,
        row: &Row,
        known: &FxHashMap<JudgeId, JudgeSpec>,
        detail: Detail,
    ) -> Result<(u64, JudgeId, Attempt), StoreError> {
        let id: i64 = get(row, 0).map_err(|why| self.reading().error(why))?;
        match read_attempt(row, known, detail) {
            Ok((judge, attempt)) => Ok((u64::try_from(id).unwrap_or_default(), judge, attempt)),
            Err(why) => Err(self.reading().error(format!("row {id} of llull_attempts: {why}"))),
        }
    }
}

/// Returns the beginning of a query for attempts, whose rows [`read_attempt`] reads.
pub(super) fn select(detail: Detail) -> String {
    let reply = if detail >= Detail::Replies { "reply::text" } else { "NULL" };
    format!("SELECT id, judge, attempt::text, {reply} FROM llull_attempts")
}

/// Reads an attempt from the row of a [`select`], and checks it as every attempt is checked.
pub(super) fn read_attempt(
    row: &Row,
    known: &FxHashMap<JudgeId, JudgeSpec>,
    detail: Detail,
) -> Result<(JudgeId, Attempt), String> {
    let json: &str = get(row, 2)?;
    let mut attempt: Attempt = serde_json::from_str(json).map_err(|error| error.to_string())?;
    if let Some(reply) = get::<Option<&str>>(row, 3)? {
        attempt.answer.reply = serde_json::from_str(reply).map_err(|error| error.to_string())?;
    }
    let judge = JudgeId(get(row, 1)?);
    let spec = known.get(&judge).ok_or_else(|| format!("judge {} is not registered", judge.0))?;
    validity::check(spec, &attempt)?;
    Ok((judge, detail.part_of(attempt)))
}

pub(super) fn get<'a, T: tokio_postgres::types::FromSql<'a>>(row: &'a Row, at: usize) -> Result<T, String> {
    row.try_get(at).map_err(|error| format!("a value cannot be read: {error}"))
}

/// Converts a number of attempts for PostgreSQL, which has no unsigned numbers.
pub(super) fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn has_tables(connection: &Connection) -> Result<bool, StoreError> {
    let rows = connection.rows("read it", "SELECT to_regclass('llull_leases') IS NOT NULL", &[])?;
    Ok(rows.first().is_some_and(|row| get(row, 0) == Ok(true)))
}

fn json(value: &impl serde::Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}

impl LedgerReader for PostgresLedger {
    fn judges(&self) -> Result<Vec<LedgerJudge>, StoreError> {
        let sql = "SELECT id, name, spec::text FROM llull_judges ORDER BY id";
        let rows = self.connection.rows("read it", sql, &[])?;
        let judge = |row: &Row| {
            let spec = serde_json::from_str(get(row, 2)?).map_err(|error| error.to_string())?;
            Ok(LedgerJudge { id: JudgeId(get(row, 0)?), name: get(row, 1)?, spec })
        };
        let judges: Result<_, String> = rows.iter().map(judge).collect();
        judges.map_err(|why| self.reading().error(format!("llull_judges: {why}")))
    }

    fn scan(
        &self,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.follow(0, judges, detail, each).map(drop)
    }

    fn follow(
        &self,
        seen: u64,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<u64, StoreError> {
        let end = self.recorded()?;
        self.pages((seen, end), judges, detail, &mut |_, judge, attempt| each(judge, attempt))?;
        Ok(end)
    }

    fn recorded(&self) -> Result<u64, StoreError> {
        let sql = "SELECT coalesce(max(id), 0) FROM llull_attempts";
        let rows = self.connection.rows("read it", sql, &[])?;
        let last = rows.first().map_or(Ok(0), |row| get::<i64>(row, 0));
        last.map(|last| u64::try_from(last).unwrap_or_default()).map_err(|why| self.reading().error(why))
    }

    fn read_at(
        &self,
        places: &[u64],
        detail: Detail,
        each: &mut dyn FnMut(u64, JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let known: FxHashMap<JudgeId, JudgeSpec> =
            self.judges()?.into_iter().map(|judge| (judge.id, judge.spec)).collect();
        let select = select(detail);
        for page in places.chunks(PAGE as usize) {
            let ids: Vec<i64> = page.iter().copied().map(number).collect();
            let sql = format!("{select} WHERE id = ANY($1) ORDER BY array_position($1, id)");
            for row in &self.connection.rows("read it", &sql, &[&ids])? {
                let (place, judge, attempt) = self.attempt(row, &known, detail)?;
                each(place, judge, attempt)?;
            }
        }
        Ok(())
    }
}

impl LedgerWriter for PostgresLedger {
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError> {
        let fingerprint = spec.fingerprint();
        let doing = Doing { at: self.connection.address().to_string(), doing: "register a judge" };
        let known = "SELECT id FROM llull_judges WHERE fingerprint = $1";
        let find = |ledger: &Self| -> Result<Option<JudgeId>, StoreError> {
            let rows = ledger.connection.rows(doing.doing, known, &[&&fingerprint.0[..]])?;
            rows.first().map(|row| get(row, 0).map(JudgeId).map_err(|why| doing.error(why))).transpose()
        };
        if let Some(id) = find(self)? {
            return Ok(id);
        }
        let spec = json(spec).map_err(|why| doing.error(why))?;
        let mut id = None;
        self.in_transaction(&mut |ledger| {
            let lock = "LOCK TABLE llull_judges IN SHARE ROW EXCLUSIVE MODE";
            ledger.connection.batch(doing.doing, lock)?;
            // Another run may have registered it meanwhile.
            let sql = "INSERT INTO llull_judges SELECT coalesce(max(id), 0) + 1, $1, $2, $3::text::json \
                       FROM llull_judges ON CONFLICT (fingerprint) DO NOTHING";
            ledger.connection.insert(doing.doing, sql, &[&&fingerprint.0[..], &name, &spec])?;
            id = find(ledger)?;
            Ok(())
        })?;
        id.ok_or_else(|| doing.error("it is not there afterwards"))
    }

    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError> {
        let doing = Doing { at: self.connection.address().to_string(), doing: "append to it" };
        let judges: Vec<i64> = attempts.iter().map(|(judge, _)| judge.0).collect();
        let keys: Vec<&[u8]> = attempts.iter().map(|(_, attempt)| &attempt.key.0[..]).collect();
        let (mut facts, mut replies) = (Vec::new(), Vec::new());
        for (_, attempt) in attempts {
            let reply =
                attempt.answer.reply.as_ref().map(json).transpose().map_err(|why| doing.error(why))?;
            replies.push(reply);
            let mut attempt = attempt.clone();
            attempt.answer.reply = None;
            facts.push(json(&attempt).map_err(|why| doing.error(why))?);
        }
        let run = self.run.clone();
        self.in_transaction(&mut |ledger| {
            // Against other runs alone: a lock of the table would wait for the database's own upkeep.
            let lock = "SELECT pg_advisory_xact_lock('llull_attempts'::regclass::oid::bigint)";
            ledger.connection.batch(doing.doing, lock)?;
            let sql = "INSERT INTO llull_attempts \
                SELECT (SELECT coalesce(max(id), 0) FROM llull_attempts) + place, judge, key, $1, fact::json, \
                    reply::json \
                FROM unnest($2::bigint[], $3::bytea[], $4::text[], $5::text[]) \
                    WITH ORDINALITY AS new (judge, key, fact, reply, place)";
            let values: [&(dyn ToSql + Sync); 5] = [&run, &judges, &keys, &facts, &replies];
            if !ledger.connection.insert(doing.doing, sql, &values)? {
                let known = ledger.rolled_back_judges()?;
                let stranger = attempts.iter().map(|(judge, _)| *judge).find(|judge| !known.contains(judge));
                return Err(StoreError::UnknownJudge(stranger.unwrap_or(JudgeId(0))));
            }
            let sql = "DELETE FROM llull_leases USING unnest($2::bigint[], $3::bytea[]) AS done (judge, key) \
                WHERE llull_leases.run = $1 AND llull_leases.judge = done.judge AND llull_leases.key = done.key";
            ledger.connection.rows(doing.doing, sql, &[&run, &judges, &keys]).map(drop)
        })
    }

    fn atomically(
        &mut self,
        work: &mut dyn FnMut(&mut dyn LedgerWriter) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.in_transaction(&mut |ledger| work(ledger))
    }

    fn leases(&self) -> Option<Arc<dyn Leases>> {
        Some(Arc::new(PostgresLeases::new(self.connection.address().clone(), self.run.clone())))
    }
}

impl PostgresLedger {
    /// Runs `work` in a transaction, the present one if there is one. An error undoes all of it.
    fn in_transaction(
        &mut self,
        work: &mut dyn FnMut(&mut Self) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if self.in_transaction {
            return work(self);
        }
        self.connection.batch("begin to write", "BEGIN")?;
        self.in_transaction = true;
        let done = work(self).and_then(|()| self.connection.batch("commit", "COMMIT"));
        self.in_transaction = false;
        if done.is_err() {
            // The first error is the one to return. Without a connection there is nothing to undo.
            let _ = self.connection.batch("undo it", "ROLLBACK");
        }
        done
    }

    /// Ends a transaction that has failed, and returns the registered judges.
    fn rolled_back_judges(&self) -> Result<Vec<JudgeId>, StoreError> {
        self.connection.batch("undo it", "ROLLBACK")?;
        Ok(self.judges()?.into_iter().map(|judge| judge.id).collect())
    }
}
