//! Warnings for a reader who relies on a figure about systems.

use super::systems::SystemsUnderBoth;
use crate::text::{count, counted};

/// The warnings about the agreement of systems, a sentence each.
pub(super) fn notes(other: &str, systems: &SystemsUnderBoth) -> Vec<String> {
    let mut notes = Vec::new();
    let (only_truth, only_other) = (systems.queries_only_truth, systems.queries_only_other);
    if only_truth + only_other > 0 {
        notes.push(format!(
            "{other}: systems are compared over the {} that it shares with the truth; {} of the truth and {} of \
             its own are left out",
            counted(systems.agreement.queries, "query"),
            count(only_truth),
            count(only_other)
        ));
    }
    if systems.unanswered > 0 {
        notes.push(format!(
            "{} of {} answers of a system to a query are missing; they count as 0 under both label sets",
            count(systems.unanswered),
            count(systems.agreement.n * systems.agreement.queries)
        ));
    }
    let sides = [
        ("the truth", systems.measure, systems.without_relevant.truth),
        (other, systems.other_measure, systems.without_relevant.other),
    ];
    for (labels, measure, queries) in sides {
        if queries > 0 {
            notes.push(format!(
                "{labels}: {} of {} have no relevant document by {measure} and count as 0 for every system",
                count(queries),
                counted(systems.agreement.queries, "query"),
            ));
        }
    }
    if systems.agreement.n < 3 {
        notes.push("two systems can only be \"alike\" or \"reversed\": correlations need three".to_owned());
    }
    notes
}
