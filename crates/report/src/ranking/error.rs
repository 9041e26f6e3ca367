//! The error of a ranking.

use std::fmt;

/// Why comparisons have no ranking.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct RankingError {
    query: Option<String>,
    message: String,
}

impl RankingError {
    pub(super) fn new(query: Option<&str>, message: String) -> Self {
        Self { query: query.map(str::to_owned), message }
    }
}

impl fmt::Display for RankingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.query {
            Some(query) => write!(f, "query {query}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}
