//! The charts of the measure that decides.

use serde::Serialize;

use super::limits::Limits;
use crate::charts::{Whisker, whiskers};
use crate::comparison::BaselineComparison;
use crate::corrected_figure::EstimateInterval;
use crate::study_verdict::DecisionSection;
use crate::systems::{Figure, MeasuredSystem};
use crate::text::{ABSENT, brief_difference, brief_figure, brief_interval};

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
        let of_difference = |name: String, value: Option<f64>, low, high| {
            let text = value.map_or_else(|| ABSENT.to_owned(), brief_difference);
            Whisker { name, figure: beside(text, low, high, brief_interval), value, low, high }
        };
        let alone = |who: &str, found: &EstimateInterval| {
            of_difference(who.to_owned(), Some(found.value), found.low, found.high)
        };
        let of_system = |system: &MeasuredSystem| {
            let found = system.figures.get(primary)?;
            let Figure { mean, low, high, .. } = *found;
            let ends = |low: f64, high: f64| format!("{} to {}", brief_figure(low), brief_figure(high));
            let figure = beside(brief_figure(mean), low, high, ends);
            Some(Whisker { name: system.system.clone(), figure, value: mean, low, high })
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
fn beside(
    value: String,
    low: Option<f64>,
    high: Option<f64>,
    interval: impl Fn(f64, f64) -> String,
) -> String {
    match low.zip(high) {
        Some((low, high)) => format!("{value} ({})", interval(low, high)),
        None => value,
    }
}
