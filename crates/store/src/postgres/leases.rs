//! Leases in the database.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use llull_core::TaskKey;
use llull_postgres::PostgresAddress;
use tokio::sync::Mutex;
use tokio_postgres::{Client, Row};

use super::connection::Doing;
use super::ledger::{get, number, read_attempt, select};
use crate::leases::OthersAttempts;
use crate::{Detail, JudgeId, Leases, StoreError};

/// How long a run counts as alive that says nothing, in seconds: so long others leave its questions alone.
const ALIVE: f64 = 30.0;

/// How often it says that it is alive.
const BEAT: Duration = Duration::from_secs(5);

/// Says that the run `$1` is alive for `$2` seconds more.
const SAY_ALIVE: &str = "INSERT INTO llull_runs VALUES ($1, now() + make_interval(secs => $2)) \
    ON CONFLICT (run) DO UPDATE SET alive_until = excluded.alive_until";

/// The leases of one run.
pub(super) struct PostgresLeases {
    address: PostgresAddress,
    run: String,
    /// The connection, which is made on the runtime that asks first, and again if it is lost.
    client: Mutex<Option<Arc<Client>>>,
}

impl PostgresLeases {
    pub(super) fn new(address: PostgresAddress, run: String) -> Self {
        Self { address, run, client: Mutex::new(None) }
    }

    fn doing(&self, doing: &'static str) -> Doing {
        Doing { at: self.address.to_string(), doing }
    }

    async fn client(&self) -> Result<Arc<Client>, StoreError> {
        let mut held = self.client.lock().await;
        if let Some(client) = held.as_ref().filter(|client| !client.is_closed()) {
            return Ok(Arc::clone(client));
        }
        let doing = self.doing("connect");
        let (client, connection) = self.address.connect().await.map_err(|why| doing.error(why))?;
        tokio::spawn(connection);
        let client = Arc::new(client);
        client.execute(SAY_ALIVE, &[&self.run, &ALIVE]).await.map_err(doing.failed())?;
        // It beats while these leases are in use.
        let (beating, run) = (Arc::downgrade(&client), self.run.clone());
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(BEAT).await;
                let Some(client) = beating.upgrade() else { break };
                // A connection that is lost is an error of the next lease, which makes a new one.
                let _ = client.execute(SAY_ALIVE, &[&run, &ALIVE]).await;
            }
        });
        Ok(Arc::clone(held.insert(client)))
    }

    /// Ends work that waits for the database longer than a run counts as alive.
    async fn timely<T>(
        &self,
        doing: &'static str,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let limit = Duration::from_secs_f64(ALIVE);
        let done = tokio::time::timeout(limit, work).await;
        done.unwrap_or_else(|_| Err(self.doing(doing).error(format!("no answer within {ALIVE} s"))))
    }

    async fn take(&self, judge: JudgeId, key: TaskKey, seen: u64) -> Result<bool, StoreError> {
        let client = self.client().await?;
        let doing = self.doing("take a lease");
        let (judge, key) = (judge.0, &key.0[..]);
        let take = "INSERT INTO llull_leases AS lease VALUES ($1, $2, $3) \
            ON CONFLICT (judge, key) DO UPDATE SET run = excluded.run WHERE lease.run = excluded.run \
                OR NOT EXISTS (SELECT FROM llull_runs WHERE run = lease.run AND alive_until > now())";
        if client.execute(take, &[&judge, &key, &self.run]).await.map_err(doing.failed())? == 0 {
            return Ok(false);
        }
        // A run that had the lease until now has recorded its attempt before, and in one transaction: a statement that
        // begins now finds it.
        let answered =
            "SELECT FROM llull_attempts WHERE judge = $1 AND key = $2 AND id > $3 AND run <> $4 LIMIT 1";
        let values = [&judge as &(dyn tokio_postgres::types::ToSql + Sync), &key, &number(seen), &self.run];
        let answered = client.query_opt(answered, &values).await.map_err(doing.failed())?.is_some();
        if answered {
            let give_back = "DELETE FROM llull_leases WHERE judge = $1 AND key = $2 AND run = $3";
            client.execute(give_back, &[&judge, &key, &self.run]).await.map_err(doing.failed())?;
        }
        Ok(!answered)
    }

    async fn recorded_by_others(&self, seen: u64) -> Result<OthersAttempts, StoreError> {
        let client = self.client().await?;
        let doing = self.doing("read it");
        // Reading what this run itself has recorded would cost as much as all that others have.
        let others =
            format!("{} WHERE id > $1 AND id <= $2 AND run <> $3 ORDER BY id", select(Detail::Verdicts));
        let last = "SELECT coalesce(max(id), 0) FROM llull_attempts";
        let last = client.query_one(last, &[]).await.map_err(doing.failed())?;
        let end = get::<i64>(&last, 0).map_err(|why| doing.error(why))?;
        let rows = client.query(&others, &[&number(seen), &end, &self.run]).await;
        let rows = rows.map_err(doing.failed())?;
        if rows.is_empty() {
            return Ok((Vec::new(), u64::try_from(end).unwrap_or(seen)));
        }
        let specs =
            client.query("SELECT id, spec::text FROM llull_judges", &[]).await.map_err(doing.failed())?;
        let spec = |row: &Row| {
            let spec = serde_json::from_str(get(row, 1)?).map_err(|error| error.to_string())?;
            Ok((JudgeId(get(row, 0)?), spec))
        };
        let known =
            specs.iter().map(spec).collect::<Result<_, _>>().map_err(|why: String| doing.error(why))?;
        let read = |row| read_attempt(row, &known, Detail::Verdicts);
        let found = rows.iter().map(read).collect::<Result<_, _>>();
        Ok((found.map_err(|why| doing.error(why))?, u64::try_from(end).unwrap_or(seen)))
    }
}

impl Leases for PostgresLeases {
    fn take(&self, judge: JudgeId, key: TaskKey, seen: u64) -> BoxFuture<'_, Result<bool, StoreError>> {
        self.timely("take a lease", self.take(judge, key, seen)).boxed()
    }

    fn recorded_by_others(&self, seen: u64) -> BoxFuture<'_, Result<OthersAttempts, StoreError>> {
        self.timely("read it", self.recorded_by_others(seen)).boxed()
    }
}
