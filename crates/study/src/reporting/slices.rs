//! The systems on slices of the queries.

use llull_metrics::{DifferenceBounds, Scores};
use llull_report::{DecisionSection, SliceLabels, SliceSection, StudyVerdict, slice_sections};
use llull_stats::BootstrapOptions;

use crate::error::StudyError;
use crate::evidence::MissingPairs;
use crate::inputs::Inputs;

/// The comparison that slices repeat.
pub(super) struct SlicedComparison<'a> {
    /// The number of its measure among those of the scores.
    pub(super) measure: usize,
    /// The system that the others are compared with; `None` for figures alone.
    pub(super) baseline: Option<&'a str>,
    /// Why no comparison has a verdict, as a clause.
    pub(super) withdrawn: Option<String>,
    /// Whether human labels correct figures of all queries.
    pub(super) has_human_labels: bool,
}

/// Returns the systems on the slices of the study's fields. Human labels of a sample correct no slice.
///
/// # Errors
/// Returns an error if intervals cannot be computed, or no system has the baseline's name.
pub(super) fn slices(
    inputs: &Inputs,
    scores: &[Scores],
    missing: &MissingPairs,
    compared: SlicedComparison<'_>,
    options: &BootstrapOptions,
) -> Result<Vec<SliceSection>, StudyError> {
    let SlicedComparison { measure, baseline, withdrawn, has_human_labels } = compared;
    let run = |name: &str| inputs.runs.iter().find(|run| run.name == name);
    let against = baseline.and_then(run).filter(|_| !missing.is_empty());
    let measured = scores.first().and_then(|scores| scores.measures.get(measure));
    let bounds = |system: &str| -> Vec<DifferenceBounds> {
        let runs = against.zip(run(system));
        runs.zip(measured)
            .map_or_else(Vec::new, |((against, run), measure)| missing.bounds(measure, against, run))
    };
    let labels = SliceLabels { bounds: against.is_some().then_some(&bounds), withdrawn, has_human_labels };
    Ok(slice_sections(&inputs.sliced, scores, measure, baseline, &labels, options)?)
}

/// Returns why no comparison of a report has a verdict by the judges' labels, as a clause; `None` if they have one.
pub(super) fn withdrawn(decision: &DecisionSection) -> Option<String> {
    match &decision.verdict {
        StudyVerdict::OneGrade { .. } => Some("all labels have one grade".to_owned()),
        _ if decision.checks_ignored || decision.unreliable_judges.is_empty() => None,
        _ => Some(format!("{} failed a check", decision.unreliable_judges.join(", "))),
    }
}
