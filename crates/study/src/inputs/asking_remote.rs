//! Searches by an HTTP server.

use llull_candidates::remote::NamedKey;
use llull_config::RemoteSettings;
use llull_core::{Topic, Topics};
use llull_data::Output;

use super::live_requests::LiveRequests;
use crate::error::StudyError;
use crate::inputs::remote_server::{remote_address, remote_key};
use crate::inputs::retrieval_error::RetrievalError;

/// Sends all queries to a server, and writes the results. Vectors of queries are computed first, so that they do not
/// count as the time of a query.
pub(super) fn ask_remote(
    (system, settings): (&str, &RemoteSettings),
    (topics, depth): (&Topics, usize),
    requests: LiveRequests<'_>,
    output: &mut Output,
) -> Result<(), StudyError> {
    let asked = remote_address((system, settings), requests.environment)?;
    let key = remote_key((system, settings), requests.environment)?;
    let key = settings.key.as_deref().zip(key.as_deref()).map(|(variable, key)| NamedKey { variable, key });
    let retrieval = settings.requests(system, asked, key);
    let retrieval = retrieval.map_err(RetrievalError::from)?;
    let topics: Vec<&Topic> = topics.iter().collect();
    let vectors = match &settings.encoder {
        None => None,
        Some(encoder) => {
            let texts: Vec<&str> = topics.iter().map(|topic| topic.text.as_str()).collect();
            Some((requests.vectors)(encoder, &texts)?)
        }
    };
    let asked = retrieval.ask(&topics, vectors.as_deref(), depth, output, &mut |_| {});
    Ok(asked.map_err(RetrievalError::from)?)
}
