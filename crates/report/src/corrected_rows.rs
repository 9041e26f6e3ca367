//! Rows of figures with a correction by human labels, or without.

use serde::Serialize;

use crate::corrected_figure::CorrectedFigure;
use crate::decision::DecisionSection;
use crate::systems::MeasuredSystem;

/// A row: a figure, or a difference, corrected by human labels.
#[derive(Serialize)]
pub(crate) struct CorrectedRow<'a> {
    pub(crate) measure: &'a str,
    /// The system, or candidate and baseline.
    pub(crate) what: String,
    pub(crate) ppi: &'a CorrectedFigure,
}

/// Differences first, since they decide.
pub(crate) fn corrected_rows<'a>(
    decision: &'a DecisionSection,
    systems: &'a [MeasuredSystem],
) -> Vec<CorrectedRow<'a>> {
    let differences = decision.comparisons.iter().filter_map(|comparison| {
        let what = format!("{} - {}", comparison.system, comparison.baseline);
        Some(CorrectedRow { measure: &comparison.measure, what, ppi: comparison.ppi.as_ref()? })
    });
    let figures = systems.iter().flat_map(|system| {
        system.figures.iter().filter_map(|figure| {
            let what = system.system.clone();
            Some(CorrectedRow { measure: &figure.measure, what, ppi: figure.ppi.as_ref()? })
        })
    });
    differences.chain(figures).collect()
}

/// Why figures and differences are not corrected though there is a sample, each reason once.
pub(crate) fn uncorrected(decision: &DecisionSection, systems: &[MeasuredSystem]) -> Vec<String> {
    let of_systems = systems.iter().flat_map(|system| {
        system.figures.iter().filter_map(|figure| {
            let reason = figure.ppi_refused.as_ref()?;
            Some((format!("{} of {}", figure.measure, system.system), reason))
        })
    });
    let of_differences = decision.comparisons.iter().filter_map(|comparison| {
        let reason = comparison.ppi_refused.as_ref()?;
        Some((format!("{} of {} - {}", comparison.measure, comparison.system, comparison.baseline), reason))
    });
    let mut reasons: Vec<(Vec<String>, &String)> = Vec::new();
    for (what, reason) in of_differences.chain(of_systems) {
        match reasons.iter_mut().find(|(_, known)| *known == reason) {
            Some((whats, _)) => whats.push(what),
            None => reasons.push((vec![what], reason)),
        }
    }
    reasons.into_iter().map(|(whats, reason)| format!("{}: {reason}", whats.join(", "))).collect()
}
