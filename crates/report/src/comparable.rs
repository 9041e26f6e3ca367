//! Finds the measures that can decide between systems.

use llull_metrics::{Aggregation, Measure, Scores};

use crate::error::ReportError;

/// Whether a difference of means shows that a system is better. It does not if the measure is a geometric mean or a
/// sum, or counts missing documents.
pub fn is_comparable(measure: &Measure) -> bool {
    measure.aggregation() == Aggregation::Mean && measure.ranks_systems()
}

/// Refuses a measure that is not [`is_comparable`].
///
/// # Errors
/// Returns [`ReportError::NotComparable`], with the reason, for such a measure.
pub fn check_comparable(measure: &Measure) -> Result<(), ReportError> {
    let reason = match measure.aggregation() {
        _ if is_comparable(measure) => return Ok(()),
        Aggregation::GeometricMean => {
            "it is a geometric mean over queries, and differences by query do not add up to one of those"
        }
        Aggregation::Sum => "it is a count over all queries and no mean over them",
        Aggregation::Mean => {
            "it measures what is missing from labels or lists, and more of that is not better"
        }
    };
    Err(ReportError::NotComparable { measure: measure.to_string(), reason })
}

/// The measure's name.
pub(crate) fn name_of(scores: &Scores, measure: usize) -> Result<String, ReportError> {
    let unknown = || ReportError::UnknownMeasure { system: scores.run.clone(), measure };
    scores.measures.get(measure).map(ToString::to_string).ok_or_else(unknown)
}
