//! Limits of requests to servers and programs that retrieve, and the encoder of queries.

use std::num::NonZeroUsize;

/// The default and the highest time limit of one request to a server, in seconds.
pub(crate) const REQUEST_TIME: (f64, f64) = (30.0, 86_400.0);

/// The highest number of requests at once.
pub(crate) const MOST_REQUESTS: usize = 64;

/// The encoder that a study's system can have. It runs on this machine: a study may be a stranger's, and would send
/// texts to an encoder on a server.
const ENCODER: &str = "minilm";

/// Checks a time limit in seconds, by its default and the highest one.
pub(crate) fn time_limit(given: Option<f64>, (usual, most): (f64, f64)) -> Result<f64, String> {
    let timeout = given.unwrap_or(usual);
    match timeout > 0.0 && timeout <= most {
        true => Ok(timeout),
        false => Err(format!("timeout = {timeout} is not above 0 and at most {most} seconds")),
    }
}

/// Checks a number from 1, the default, to `most`.
pub(crate) fn within(name: &str, given: Option<usize>, most: usize) -> Result<NonZeroUsize, String> {
    let given = given.unwrap_or(1);
    NonZeroUsize::new(given)
        .filter(|given| given.get() <= most)
        .ok_or_else(|| format!("{name} = {given} is not from 1 to {most}"))
}

/// Checks the name of an encoder.
pub(crate) fn encoder(given: Option<&str>) -> Result<String, String> {
    match given.unwrap_or(ENCODER) {
        ENCODER => Ok(ENCODER.to_owned()),
        other => Err(format!(
            "encoder = {other:?} is not one that a study's system can have; there is \"{ENCODER}\""
        )),
    }
}

/// Checks the encoder of queries, which a search by vectors has, and no other; `without` is the end of that message.
pub(crate) fn query_encoder(
    by_vectors: bool,
    given: Option<&str>,
    without: &str,
) -> Result<Option<String>, String> {
    match (by_vectors, encoder(given)?) {
        (true, encoder) => Ok(Some(encoder)),
        (false, _) if given.is_none() => Ok(None),
        (false, _) => Err(format!("`encoder` makes the vector of a query, and this {without}")),
    }
}
