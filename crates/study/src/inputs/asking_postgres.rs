//! Searches by a PostgreSQL server.

use llull_candidates::{PostgresAddress, PostgresError, PostgresSearch, QueryToPostgres};
use llull_config::PostgresSettings;
use llull_core::{Topic, Topics};
use llull_data::Output;

use super::live_requests::LiveRequests;
use crate::error::StudyError;
use crate::inputs::retrieval_error::RetrievalError;

/// Sends all queries to a PostgreSQL server, and writes the results. Vectors of queries are computed first, so that
/// they do not count as the time of a query.
pub(super) fn ask_postgres(
    (system, settings): (&str, &PostgresSettings),
    (topics, depth): (&Topics, usize),
    requests: LiveRequests<'_>,
    output: &mut Output,
) -> Result<(), StudyError> {
    let wrong = |source: PostgresError| {
        StudyError::from(RetrievalError::Postgres { system: system.to_owned(), source })
    };
    let address = (requests.environment)(&settings.address).filter(|address| !address.trim().is_empty());
    let address = address.ok_or_else(|| RetrievalError::NoDatabase {
        system: system.to_owned(),
        variable: settings.address.clone(),
    })?;
    let address = PostgresAddress::parse(&address).map_err(wrong)?.in_variable(&settings.address);
    let topics: Vec<&Topic> = topics.iter().collect();
    let vectors = match &settings.encoder {
        None => Vec::new(),
        Some(encoder) => {
            let texts: Vec<&str> = topics.iter().map(|topic| topic.text.as_str()).collect();
            (requests.vectors)(encoder, &texts)?
        }
    };
    let asked = topics
        .iter()
        .enumerate()
        .map(|(place, topic)| QueryToPostgres { topic, vector: vectors.get(place).map(Vec::as_slice) });
    let search = PostgresSearch {
        address: &address,
        query: &settings.query,
        timeout: settings.timeout(),
        connections: settings.connections,
    };
    search.run(&asked.collect::<Vec<_>>(), depth, output, &mut |_| {}).map_err(wrong)
}
