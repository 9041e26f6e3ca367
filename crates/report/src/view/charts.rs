//! The charts of the measure that decides.

use serde::Serialize;

use super::limits::Limits;
use crate::charts::{Whisker, whiskers};
use crate::comparison::BaselineComparison;
use crate::corrected_figure::EstimateInterval;
use crate::study_verdict::DecisionSection;
use crate::systems::MeasuredSystem;
use crate::text::{difference, figure, narrow_interval};

/// The charts of the measure that decides, each `None` without a row.
#[derive(Default, Serialize)]
pub(crate) struct Charts {
    /// The systems with their intervals.
    pub(crate) systems: Option<String>,
    /// The differences from the baseline.
    pub(crate) differences: Option<String>,
    /// The differences corrected by human labels, each with the figures of the sample and of the judge alone.
    pub(crate) corrected: Option<String>,
}

impl Charts {
    pub(super) fn of(
        decision: &DecisionSection,
        systems: &[MeasuredSystem],
        primary: usize,
        limits: &Limits,
    ) -> Self {
        let most = limits.rows.min(60);
        let whisker = |name: String, figure: String, value, low, high| Whisker {
            name,
            figure: beside(figure, low, high),
            value,
            low,
            high,
        };
        let of_difference =
            |name: String, value: Option<f64>, low, high| whisker(name, difference(value), value, low, high);
        let alone = |who: &str, found: &EstimateInterval| {
            of_difference(who.to_owned(), Some(found.value), found.low, found.high)
        };
        let of_system = |system: &MeasuredSystem| {
            let found = system.figures.get(primary)?;
            Some(whisker(system.system.clone(), figure(found.mean), found.mean, found.low, found.high))
        };
        let of_comparison = |found: &BaselineComparison| {
            of_difference(found.system.clone(), found.mean_difference, found.low, found.high)
        };
        let of_corrected = |found: &BaselineComparison| {
            let (name, ppi) = (format!("{}, corrected", found.system), found.ppi.as_ref()?);
            Some([
                of_difference(name, Some(ppi.value), Some(ppi.low), Some(ppi.high)),
                alone("by human labels alone", &ppi.human_only),
                alone("by the judge alone", &ppi.judge_only),
            ])
        };
        let systems = (!systems.is_empty()).then(|| {
            let rows: Vec<Whisker> = systems.iter().take(most).filter_map(of_system).collect();
            whiskers("Systems with their intervals", &rows, false)
        });
        let chart =
            |title: &str, rows: Vec<Whisker>| (!rows.is_empty()).then(|| whiskers(title, &rows, true));
        let differences = decision.decisive().take(most).map(of_comparison).collect();
        let corrected = decision.decisive().filter_map(of_corrected).take(limits.rows.min(20));
        Self {
            systems,
            differences: chart("Differences from the baseline with their intervals", differences),
            corrected: chart("Differences corrected by human labels", corrected.flatten().collect()),
        }
    }
}

/// A value and its interval in the space next to a name.
fn beside(value: String, low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("{value} {}", narrow_interval(low, high)),
        _ => value,
    }
}
