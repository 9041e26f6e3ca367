//! The figures of agreement about the order of documents.

use serde::Serialize;

use crate::bootstrap::Ends;

/// The agreement of two label sets about the order of documents.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct OrderFigures {
    /// Kendall's tau-b over all pairs of query and document, whatever their query.
    pub tau: Option<f64>,
    /// Spearman's rank correlation over the same.
    pub spearman: Option<f64>,
    /// The mean over queries of tau-b of a query's documents.
    pub tau_by_query: Option<f64>,
    /// The number of queries with a tau-b: both sides have different values for some of their documents.
    pub tau_queries: usize,
    /// The interval of `tau_by_query`, if requested and there are queries enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tau_by_query_ci: Option<Ends>,
}
