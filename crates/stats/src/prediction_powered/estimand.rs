//! What a corrected figure estimates.

use serde::Serialize;

/// What a corrected figure estimates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Estimand {
    /// What complete labels of this pool by people would say. Labelling all of it leaves no uncertainty.
    TheseQueries,
    /// The mean over all queries of which these are a sample. Decisions are about this one.
    QueriesLikeThese,
}
