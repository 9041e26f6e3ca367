//! One connection to a PostgreSQL server, for one query at a time.

use std::time::{Duration, Instant};

use llull_postgres::{PostgresAddress, message};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row, Statement};

use super::error::PostgresError;
use super::query::PostgresQuery;

/// How much longer than the server itself llull waits for it.
const GRACE: Duration = Duration::from_secs(5);

/// A query's values, in the order of its parameters.
pub(super) struct Parameters<'a> {
    pub(super) text: &'a str,
    pub(super) depth: i64,
    pub(super) vector: Option<String>,
}

/// One connection, with its prepared statement.
pub(super) struct Connection {
    runtime: Runtime,
    client: Client,
    statement: Statement,
    /// How long a query may take.
    limit: Duration,
}

impl Connection {
    /// Connects and prepares the statement.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached, or does not take the statement.
    pub(super) fn open(
        address: &PostgresAddress,
        query: &PostgresQuery,
        limit: Duration,
    ) -> Result<Self, PostgresError> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(PostgresError::Runtime)?;
        let unreachable =
            |why: String| PostgresError::Problem(format!("PostgreSQL at {address} cannot be reached: {why}"));
        let (client, statement) = runtime.block_on(async {
            let connecting = timeout(limit + GRACE, address.connect()).await;
            let connected = connecting.map_err(|_| unreachable("it does not answer".into()))?;
            let (client, connection) = connected.map_err(unreachable)?;
            // The task ends with the client; the client's calls return its errors.
            tokio::spawn(connection);
            let preparing = timeout(limit + GRACE, prepare(&client, address, query)).await;
            let statement = preparing.map_err(|_| unreachable("it does not answer".into()))??;
            Ok((client, statement))
        })?;
        Ok(Self { runtime, client, statement, limit })
    }

    /// Runs a query in its own read-only transaction. Returns the rows, and how long they took.
    ///
    /// # Errors
    /// Returns the reason for a query without an answer.
    pub(super) fn ask(&mut self, parameters: &Parameters<'_>) -> Result<(Vec<Row>, Duration), String> {
        let Self { runtime, client, statement, limit } = self;
        runtime.block_on(async {
            let begin =
                format!("BEGIN READ ONLY; SET LOCAL statement_timeout = {}", limit.as_millis().max(1));
            let asking = async {
                client.batch_execute(&begin).await?;
                let mut values: Vec<&(dyn ToSql + Sync)> = vec![&parameters.text, &parameters.depth];
                if let Some(vector) = &parameters.vector {
                    values.push(vector);
                }
                let started = Instant::now();
                let rows = client.query(&*statement, &values).await;
                let took = started.elapsed();
                let ended = client.batch_execute("ROLLBACK").await;
                // The error of the query explains more than that of the transaction's end.
                let rows = rows?;
                ended?;
                Ok((rows, took))
            };
            match timeout(*limit + GRACE, asking).await {
                Ok(answer) => answer.map_err(|error: tokio_postgres::Error| message(&error)),
                Err(_) => Err(format!("no answer within {} s", (*limit + GRACE).as_secs_f64())),
            }
        })
    }

    /// Whether the connection is of no more use.
    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }
}

async fn prepare(
    client: &Client,
    address: &PostgresAddress,
    query: &PostgresQuery,
) -> Result<Statement, PostgresError> {
    let refused = |error: &tokio_postgres::Error| {
        PostgresError::Problem(format!(
            "PostgreSQL at {address} does not take the query: {why}. The query is:\n{sql}",
            why = message(error),
            sql = query.sql()
        ))
    };
    let mut types = vec![Type::TEXT, Type::INT8];
    if query.needs_vector() {
        types.push(Type::TEXT);
    }
    let shown = client.prepare_typed(&query.empty(), &types).await.map_err(|error| refused(&error))?;
    let columns: Vec<String> = shown.columns().iter().map(|column| column.name().to_owned()).collect();
    if !columns.iter().any(|column| column == "id") {
        return Err(PostgresError::Problem(format!(
            "the query has no column called id: it has {}. Name them `AS id`, `AS score`, and perhaps `AS title` and \
             `AS text`",
            if columns.is_empty() { "none".to_owned() } else { columns.join(", ") }
        )));
    }
    client.prepare_typed(&query.wrapped(&columns), &types).await.map_err(|error| refused(&error))
}
