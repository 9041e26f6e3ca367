//! The results of a server for a query.

use serde::Serialize;

/// The results of a query, best first, or why there are none.
pub type QueryAnswer = Result<Vec<FoundText>, String>;

/// One result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoundText {
    /// The document.
    pub doc_id: String,
    /// How well it matches: higher is better. `None` where the order alone counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// One line of results, as `llull_data::read_results` reads it.
#[derive(Serialize)]
pub(super) struct ResultLine<'a> {
    pub(super) query_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) results: Option<&'a [FoundText]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ms: Option<f64>,
}
