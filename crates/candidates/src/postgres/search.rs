//! Sends all queries to a PostgreSQL server and writes the results.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use llull_core::Topic;
use llull_postgres::PostgresAddress;
use tokio_postgres::Row;

use super::connection::{Connection, Parameters};
use super::error::PostgresError;
use super::query::PostgresQuery;
use crate::found::{FoundText, QueryAnswer, write_line};

/// After so many failed connections in a row the server counts as gone.
const GONE: usize = 3;

/// A search on a PostgreSQL server.
#[derive(Debug, Clone, Copy)]
pub struct PostgresSearch<'a> {
    /// The server.
    pub address: &'a PostgresAddress,
    /// The SQL statement.
    pub query: &'a PostgresQuery,
    /// How long one query may take.
    pub timeout: Duration,
    /// The number of queries at once, each by its own connection.
    pub connections: NonZeroUsize,
}

/// A query to a PostgreSQL server.
#[derive(Debug, Clone, Copy)]
pub struct QueryToPostgres<'a> {
    /// Its identifier and its text.
    pub topic: &'a Topic,
    /// Its vector, if the search is by vectors.
    pub vector: Option<&'a [f32]>,
}

/// The results of one query, and how many milliseconds they took.
type Timed = (QueryAnswer, Option<f64>);

impl PostgresSearch<'_> {
    /// Finds the best `depth` documents for each query, and writes a line of JSON for each into `output`, in the order
    /// of the queries: `{"query_id", "results": [{"doc_id", "score", "title", "text"}], "ms"}`, or `{"query_id",
    /// "error"}`. Each query is a read-only transaction. A query that fails has only its own line as an error.
    /// `answered` is called with the number of queries done.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached or refuses the statement, or `output` cannot be written.
    pub fn run(
        &self,
        queries: &[QueryToPostgres<'_>],
        depth: usize,
        output: &mut dyn Write,
        answered: &mut dyn FnMut(usize),
    ) -> Result<(), PostgresError> {
        if self.query.needs_vector()
            && let Some(query) = queries.iter().find(|query| query.vector.is_none())
        {
            return Err(PostgresError::NoVector(query.topic.id.clone()));
        }
        let first = Connection::open(self.address, self.query, self.timeout)?;
        let next = AtomicUsize::new(0);
        let workers = self.connections.get().min(queries.len()).max(1);
        let (send, receive) = channel();
        std::thread::scope(|scope| {
            let mut first = Some(first);
            for _ in 0..workers {
                let (send, connection, next) = (send.clone(), first.take(), &next);
                scope.spawn(move || self.work(connection, (queries, depth), next, &send));
            }
            drop(send);
            let mut waiting = BTreeMap::new();
            let mut written = 0;
            for (place, answer) in receive {
                waiting.insert(place, answer);
                while let Some(answer) = waiting.remove(&written) {
                    let (answer, ms) = answer;
                    let Some(query) = queries.get(written) else { break };
                    if let Err(error) = write_line(query.topic, &answer, ms, output) {
                        // The queries that remain need no answer any more.
                        next.store(queries.len(), Ordering::Relaxed);
                        return Err(PostgresError::Write(error));
                    }
                    written += 1;
                    answered(written);
                }
            }
            Ok(())
        })?;
        output.flush().map_err(PostgresError::Write)
    }

    /// Answers queries until there are none left.
    fn work(
        &self,
        mut connection: Option<Connection>,
        (queries, depth): (&[QueryToPostgres<'_>], usize),
        next: &AtomicUsize,
        send: &Sender<(usize, Timed)>,
    ) {
        let (mut failures, mut gone) = (0, String::new());
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(query) = queries.get(place) else { return };
            if connection.is_none() && failures < GONE {
                match Connection::open(self.address, self.query, self.timeout) {
                    Ok(opened) => (connection, failures) = (Some(opened), 0),
                    Err(error) => (failures, gone) = (failures + 1, error.to_string()),
                }
            }
            let answer = match &mut connection {
                Some(connection) => ask(connection, query, depth),
                None => Err(gone.clone()),
            };
            if connection.as_ref().is_some_and(Connection::is_closed) {
                connection = None;
            }
            if send.send((place, timed(answer))).is_err() {
                return;
            }
        }
    }
}

fn ask(
    connection: &mut Connection,
    query: &QueryToPostgres<'_>,
    depth: usize,
) -> Result<(Vec<FoundText>, Duration), String> {
    let parameters = Parameters {
        text: &query.topic.text.replace('\0', " "),
        depth: i64::try_from(depth).unwrap_or(i64::MAX),
        vector: query.vector.map(as_pgvector),
    };
    let (rows, took) = connection.ask(&parameters)?;
    let found: Vec<FoundText> = rows.iter().enumerate().map(found).collect::<Result<_, _>>()?;
    let scored = found.iter().filter(|row| row.score.is_some()).count();
    if scored != 0 && scored != found.len() {
        return Err(format!("{scored} of {} rows have a score: all need one, or none", found.len()));
    }
    Ok((found, took))
}

fn found((place, row): (usize, &Row)) -> Result<FoundText, String> {
    let number = place + 1;
    let read = |error: tokio_postgres::Error| format!("row {number} cannot be read: {error}");
    let text = |column: usize| row.try_get::<_, Option<String>>(column).map_err(read);
    let doc_id = text(0)?.filter(|id| !id.is_empty()).ok_or(format!("row {number} has no id"))?;
    let score: Option<f64> = row.try_get(1).map_err(read)?;
    if let Some(score) = score.filter(|score| !score.is_finite()) {
        return Err(format!(
            "row {number}, document {doc_id:?}, has score = {score}, which is no number to rank by"
        ));
    }
    Ok(FoundText { doc_id, score, title: text(2)?, text: text(3)? })
}

fn timed(answer: Result<(Vec<FoundText>, Duration), String>) -> Timed {
    match answer {
        Ok((found, took)) => (Ok(found), Some((took.as_secs_f64() * 1e6).round() / 1e3)),
        Err(error) => (Err(error), None),
    }
}

/// Returns a vector as pgvector reads it.
fn as_pgvector(vector: &[f32]) -> String {
    let numbers: Vec<String> = vector.iter().map(f32::to_string).collect();
    format!("[{}]", numbers.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_written_as_pgvector_reads_them() {
        assert_eq!(as_pgvector(&[0.5, -1e-7, 3.0]), "[0.5,-0.0000001,3]");
    }

    #[test]
    fn no_server() {
        let address = PostgresAddress::parse("postgresql://me:topsecret@127.0.0.1:1/x").unwrap();
        let query = PostgresQuery::of_sql("SELECT 1 AS id");
        let search = PostgresSearch {
            address: &address,
            query: &query,
            timeout: Duration::from_secs(60),
            connections: NonZeroUsize::MIN,
        };
        let topic = Topic { id: "q1".into(), text: "x".into() };
        let asked = [QueryToPostgres { topic: &topic, vector: None }];
        let error = search.run(&asked, 3, &mut Vec::new(), &mut |_| {}).unwrap_err().to_string();
        assert!(error.starts_with("PostgreSQL at 127.0.0.1:1, database x cannot be reached: "), "{error}");
        assert!(error.contains("refused") && !error.contains("topsecret"), "{error}");
        let by_vector = PostgresQuery::of_sql("SELECT 1 AS id, $3");
        let error =
            PostgresSearch { query: &by_vector, ..search }.run(&asked, 3, &mut Vec::new(), &mut |_| {});
        assert!(matches!(error, Err(PostgresError::NoVector(id)) if id == "q1"));
    }
}
