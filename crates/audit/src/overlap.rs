//! How many of a query's words a document has.

use std::collections::BTreeSet;

/// Returns the share of the query's different words that the text has, from 0 to 1: `None` if the query has none.
///
/// Words are runs of letters and digits, in lower case; none is left out and none is stemmed, so that the figure needs
/// no language.
///
/// ```
/// assert_eq!(llull_audit::word_overlap("What is a lobster roll?", "Rolls: a LOBSTER roll is..."), Some(0.8));
/// assert_eq!(llull_audit::word_overlap("?", "anything"), None);
/// ```
pub fn word_overlap(query: &str, text: &str) -> Option<f64> {
    let wanted = words(query);
    if wanted.is_empty() {
        return None;
    }
    let found = words(text);
    Some(wanted.intersection(&found).count() as f64 / wanted.len() as f64)
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}
