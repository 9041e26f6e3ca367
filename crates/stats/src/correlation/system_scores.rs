//! The scores of systems under two label sets.

use crate::error::StatsError;

/// One system, measured under two label sets: a value for each query, over the same queries in the same order for every
/// system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SystemScores<'a> {
    /// The name of the system.
    pub name: &'a str,
    /// Its values under the truth.
    pub truth: &'a [f64],
    /// Its values under the other labels.
    pub other: &'a [f64],
}

/// Why rankings of systems cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SystemError {
    /// There are no queries.
    #[error("there is no query to average over")]
    NoQueries,
    /// A system has another number of values than the first.
    #[error("{system} has values for {truth} and {other} queries, not {expected} under both label sets")]
    Unaligned {
        /// The system.
        system: String,
        /// The number of its values under the truth.
        truth: usize,
        /// The number of its values under the other labels.
        other: usize,
        /// The number of values of the first system under the truth.
        expected: usize,
    },
    /// A value is NaN or infinite.
    #[error("{system} has the value {value} on query {query} (counted from 0), which is not a finite number")]
    NotFinite {
        /// The system.
        system: String,
        /// The position of the query.
        query: usize,
        /// The value.
        value: f64,
    },
    /// A persistence is not strictly between 0 and 1.
    #[error("the persistence {0} is not between 0 and 1: use 0.9, for instance")]
    Persistence(f64),
    /// The parameters of the intervals are invalid.
    #[error(transparent)]
    Bootstrap(#[from] StatsError),
}

/// Returns the number of queries, which is the same for all systems; 0 without systems.
pub(super) fn query_count(systems: &[SystemScores<'_>]) -> Result<usize, SystemError> {
    let Some(first) = systems.first() else { return Ok(0) };
    let expected = first.truth.len();
    if expected == 0 {
        return Err(SystemError::NoQueries);
    }
    for system in systems {
        let (truth, other) = (system.truth.len(), system.other.len());
        if truth != expected || other != expected {
            return Err(SystemError::Unaligned { system: system.name.to_owned(), truth, other, expected });
        }
        for values in [system.truth, system.other] {
            if let Some((query, value)) = values.iter().enumerate().find(|(_, value)| !value.is_finite()) {
                return Err(SystemError::NotFinite { system: system.name.to_owned(), query, value: *value });
            }
        }
    }
    Ok(expected)
}
