//! Describes the conventions of figures on which tools differ.

use llull::metrics::{Measure, Relevant};

/// Describes the treatment of a query that a run does not answer.
pub(super) fn topics_note(answered_only: bool) -> &'static str {
    if answered_only {
        "A query that a run does not answer is left out of its figures (--answered-only)."
    } else {
        "A query that a run does not answer counts as an empty list: 0 by every measure of merit."
    }
}

/// The conventions of each measure on which tools differ, and the lowest relevant grade if no name contains it.
pub(super) fn own_conventions(measures: &[Measure]) -> impl Iterator<Item = String> {
    let own = measures.iter().filter_map(|measure| Some(format!("{measure}: {}.", measure.convention()?)));
    own.chain(level_note(measures))
}

/// From which grade on a document is relevant, for measures whose printed names leave that out.
pub(crate) fn level_note(measures: &[Measure]) -> Option<String> {
    let unsaid = |measure: &&Measure| {
        measure.relevant() == Some(Relevant::default()) && !measure.to_string().contains("rel=")
    };
    measures.iter().find(unsaid).map(|measure| {
        format!(
            "Where a name has no rel of its own, as in {measure}, a document is relevant from grade 1 on (rel=1)."
        )
    })
}
