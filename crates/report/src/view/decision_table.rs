//! The one table of a report's first screen: each system's figure, its difference from the baseline and the verdict.

use serde::Serialize;

use crate::comparison::{BaselineComparison, ComparisonFinding, decisive_figures};
use crate::study_verdict::DecisionSection;
use crate::systems::MeasuredSystem;
use crate::text::{brief_difference, brief_interval, table_figure};

/// One system. Where human labels correct a figure or a difference, it is the corrected one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct DecisionRow<'a> {
    pub(crate) system: &'a str,
    /// The system's figure by the measure that decides, as text.
    pub(crate) figure: String,
    /// The value and the interval of its difference from the baseline, as text: `-0.20`, `-0.28 to -0.14`. None for
    /// the baseline.
    pub(crate) difference: Option<(String, String)>,
    /// The verdict in words.
    pub(crate) verdict: &'static str,
    /// The verdict as a class of the pages.
    pub(crate) class: &'static str,
    /// Documents that the measure read and that have no label, and all that it read.
    pub(crate) unjudged: (u64, u64),
    /// The comparison with the baseline.
    #[serde(skip)]
    pub(crate) comparison: Option<&'a BaselineComparison>,
}

impl DecisionRow<'_> {
    /// Returns the difference with its interval: `-0.20  (-0.28 to -0.14)`; `None` without one.
    pub(crate) fn difference_text(&self) -> Option<String> {
        let (value, interval) = self.difference.as_ref()?;
        Some(if interval.is_empty() { value.clone() } else { format!("{value}  ({interval})") })
    }
}

/// Sorts by these values, the highest first; entries without a value come last.
pub(crate) fn best_first<T>(mut entries: Vec<T>, value: impl Fn(&T) -> Option<f64>) -> Vec<T> {
    entries.sort_by(|a, b| match (value(a), value(b)) {
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    entries
}

/// Returns the rows, the best system first, by the difference from the baseline. Figures order systems only where none
/// are compared: a corrected difference can rank systems otherwise than their figures do.
pub(crate) fn decision_rows<'a>(
    decision: &'a DecisionSection,
    systems: &'a [MeasuredSystem],
    primary: usize,
) -> Vec<DecisionRow<'a>> {
    let compared = decision.decisive().next().is_some();
    let row = |system: &'a MeasuredSystem| {
        let figure = system.figures.get(primary);
        let comparison = decision.decisive().find(|comparison| comparison.system == system.system);
        let corrected = figure.and_then(|figure| figure.ppi.as_ref());
        let value = corrected.map(|found| found.value).or(figure.and_then(|figure| figure.mean));
        let is_baseline = decision.baseline.as_deref() == Some(system.system.as_str());
        let (verdict, class) = match comparison {
            Some(comparison) => words(comparison),
            None if is_baseline => ("baseline", "baseline"),
            None => ("", ""),
        };
        let row = DecisionRow {
            system: &system.system,
            figure: table_figure(value),
            difference: comparison.and_then(difference_of),
            verdict,
            class,
            unjudged: figure.map_or((0, 0), |figure| (figure.unjudged, figure.seen)),
            comparison,
        };
        let place = match comparison {
            Some(comparison) => decisive_figures(comparison).0,
            None if compared => is_baseline.then_some(0.0),
            None => value,
        };
        (place, row)
    };
    let rows = best_first(systems.iter().map(row).collect(), |(place, _)| *place);
    rows.into_iter().map(|(_, row)| row).collect()
}

fn difference_of(comparison: &BaselineComparison) -> Option<(String, String)> {
    let (value, low, high) = decisive_figures(comparison);
    Some((
        brief_difference(value?),
        low.zip(high).map_or_else(String::new, |(low, high)| brief_interval(low, high)),
    ))
}

/// The verdict of a comparison: words, and a class of the pages.
pub(crate) fn words(comparison: &BaselineComparison) -> (&'static str, &'static str) {
    let class = match comparison.decision {
        // An interval of so few queries can exclude 0.
        ComparisonFinding::Inconclusive if comparison.undecidable.is_some() => {
            return ("too few queries", "unclear");
        }
        ComparisonFinding::Better => "better",
        ComparisonFinding::Worse => "worse",
        ComparisonFinding::Inconclusive | ComparisonFinding::Identical => "unclear",
        ComparisonFinding::Unmeasured
        | ComparisonFinding::NotTrusted
        | ComparisonFinding::Incomplete { .. } => "none",
    };
    (comparison.decision.words(), class)
}
