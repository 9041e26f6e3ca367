//! Describes the conventions of figures on which tools differ.

use llull_metrics::{Measure, Relevant, Scores};

use crate::systems::without_interval;

/// The conventions of every figure on which tools differ.
const CONVENTIONS: &str = "Unless stated otherwise, ties in score are broken by document id, descending, and a \
    document without a label counts as not relevant.";

/// The conventions where tools differ: of each measure, of intervals, of queries, of documents. `own` are those of a
/// caller; they go before those that all figures have.
pub fn conventions(
    scores: &[Scores],
    confidence: f64,
    answered_only: bool,
    own: impl IntoIterator<Item = String>,
) -> Vec<String> {
    let measures = scores.first().map_or(&[][..], |scores| &scores.measures);
    let queries = scores.first().map_or(0, |scores| scores.topics.len());
    own_conventions(measures)
        .chain(without_interval(queries, confidence))
        .chain(own)
        .chain([topics_note(answered_only).to_owned(), CONVENTIONS.to_owned()])
        .collect()
}

/// Describes the treatment of a query that a run does not answer.
pub fn topics_note(answered_only: bool) -> &'static str {
    if answered_only {
        "A query that a run does not answer is left out of its figures (--answered-only)."
    } else {
        "A query that a run does not answer counts as an empty list: 0 by every measure of merit."
    }
}

/// The conventions of each measure on which tools differ, and the lowest relevant grade if no name contains it.
pub fn own_conventions(measures: &[Measure]) -> impl Iterator<Item = String> {
    let own = measures.iter().filter_map(|measure| Some(format!("{measure}: {}.", measure.convention()?)));
    own.chain(level_note(measures))
}

/// From which grade on a document is relevant, for measures whose printed names leave that out.
pub fn level_note(measures: &[Measure]) -> Option<String> {
    let unsaid = |measure: &&Measure| {
        measure.relevant() == Some(Relevant::default()) && !measure.to_string().contains("rel=")
    };
    measures.iter().find(unsaid).map(|measure| {
        format!(
            "Where a name has no rel of its own, as in {measure}, a document is relevant from grade 1 on (rel=1)."
        )
    })
}
