//! The quantity that a corrected figure estimates.

use serde::Serialize;

/// The quantity that a corrected figure estimates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Estimand {
    /// The figure of complete human labels of this pool. Labelling all of it leaves no uncertainty.
    TheseQueries,
    /// The mean over all queries of which these are a sample. Decisions are about this one.
    QueriesLikeThese,
}
