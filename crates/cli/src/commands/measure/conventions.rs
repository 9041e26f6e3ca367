//! What figures take for granted where tools differ.

use llull::metrics::Measure;

/// What happens to a query that a run does not answer.
pub(super) fn topics_note(answered_only: bool) -> &'static str {
    if answered_only {
        "A query that a run does not answer is left out of its figures (--answered-only)."
    } else {
        "A query that a run does not answer counts as an empty list: 0 by every measure of merit."
    }
}

/// The conventions of each measure where tools differ.
pub(super) fn own_conventions(measures: &[Measure]) -> impl Iterator<Item = String> {
    measures.iter().filter_map(|measure| Some(format!("{measure}: {}.", measure.convention()?)))
}
