//! The results of a server for a query.

use std::io::{self, Write};

use llull_core::Topic;
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

/// Writes a query's results as a line, as `llull_data::read_results` reads it, with their time in milliseconds.
pub(crate) fn write_line(
    topic: &Topic,
    answer: &QueryAnswer,
    ms: Option<f64>,
    output: &mut dyn Write,
) -> io::Result<()> {
    #[derive(Serialize)]
    struct Line<'a> {
        query_id: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        results: Option<&'a [FoundText]>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        ms: Option<f64>,
    }
    let (results, error) = (answer.as_deref().ok(), answer.as_ref().err().map(String::as_str));
    serde_json::to_writer(&mut *output, &Line { query_id: &topic.id, results, error, ms })?;
    output.write_all(b"\n")
}
