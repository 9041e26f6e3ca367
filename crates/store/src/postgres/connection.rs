//! A connection to the database, for code that is not asynchronous.

use std::time::Duration;

use llull_postgres::{PostgresAddress, message};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;

use crate::StoreError;

/// The longest wait for the database.
const PATIENCE: Duration = Duration::from_secs(300);

/// Names the database and what llull was doing, for errors.
#[derive(Debug, Clone)]
pub(super) struct Doing {
    pub(super) at: String,
    pub(super) doing: &'static str,
}

impl Doing {
    pub(super) fn error(&self, why: impl Into<String>) -> StoreError {
        StoreError::Postgres { at: self.at.clone(), doing: self.doing, why: why.into() }
    }

    pub(super) fn failed(&self) -> impl Fn(tokio_postgres::Error) -> StoreError + '_ {
        |error| self.error(message(&error))
    }
}

/// A connection with a runtime of its own.
pub(super) struct Connection {
    address: PostgresAddress,
    runtime: Runtime,
    client: Client,
}

impl Connection {
    pub(super) fn open(address: &PostgresAddress) -> Result<Self, StoreError> {
        let doing = Doing { at: address.to_string(), doing: "connect" };
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| doing.error(error.to_string()))?;
        let client = wait(&runtime, async {
            let (client, connection) = address.connect().await.map_err(|why| doing.error(why))?;
            // The task ends with the client; the client's calls return its errors.
            tokio::spawn(connection);
            Ok::<_, StoreError>(client)
        });
        let client = client.map_err(|why| doing.error(why))??;
        Ok(Self { address: address.clone(), runtime, client })
    }

    pub(super) fn address(&self) -> &PostgresAddress {
        &self.address
    }

    fn run<T: Send>(
        &self,
        doing: &'static str,
        work: impl Future<Output = Result<T, tokio_postgres::Error>> + Send,
    ) -> Result<T, StoreError> {
        let doing = Doing { at: self.address.to_string(), doing };
        let done = wait(&self.runtime, work).map_err(|why| doing.error(why))?;
        done.map_err(doing.failed())
    }

    /// Runs statements without parameters or rows.
    pub(super) fn batch(&self, doing: &'static str, sql: &str) -> Result<(), StoreError> {
        self.run(doing, self.client.batch_execute(sql))
    }

    /// Runs a statement. Returns its rows.
    pub(super) fn rows(
        &self,
        doing: &'static str,
        sql: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<tokio_postgres::Row>, StoreError> {
        self.run(doing, self.client.query(sql, values))
    }

    /// Runs a statement that may refer to a row that is not there. Returns `false` if it does.
    pub(super) fn insert(
        &self,
        doing: &'static str,
        sql: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<bool, StoreError> {
        self.run(doing, async {
            match self.client.execute(sql, values).await {
                Ok(_) => Ok(true),
                Err(error) if error.code() == Some(&SqlState::FOREIGN_KEY_VIOLATION) => Ok(false),
                Err(error) => Err(error),
            }
        })
    }
}

/// Runs work to its end on a thread of its own: the caller may be on a thread of another runtime, where a second one
/// cannot run.
fn wait<T: Send>(runtime: &Runtime, work: impl Future<Output = T> + Send) -> Result<T, String> {
    let limited = async { tokio::time::timeout(PATIENCE, work).await };
    let done = std::thread::scope(|scope| scope.spawn(|| runtime.block_on(limited)).join());
    match done {
        Ok(done) => done.map_err(|_| format!("no answer within {} s", PATIENCE.as_secs())),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
