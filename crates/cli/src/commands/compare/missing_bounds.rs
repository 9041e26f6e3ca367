//! Bounds the effect of missing labels on compared figures.

use std::collections::BTreeMap;

use llull::core::Run;
use llull::metrics::{DifferenceBounds, Measure};
use llull::report::MissingLabels;

/// The bounds of each system's figures and differences from the baseline; empty if no label is missing.
#[derive(Default)]
pub(super) struct MissingBounds {
    systems: BTreeMap<(String, usize), SystemBounds>,
}

struct SystemBounds {
    difference: Vec<DifferenceBounds>,
    value: Option<MissingLabels>,
}

impl MissingBounds {
    /// Bounds every system by every measure; `bounds` bounds the difference of a run from another, query by query.
    pub(super) fn new(
        measures: &[Measure],
        baseline: &Run,
        systems: &[&Run],
        bounds: impl Fn(&Measure, &Run, &Run) -> Vec<DifferenceBounds>,
    ) -> Self {
        // A figure is its difference from a run that returns nothing.
        let nothing = Run::new("");
        let of = |system: &Run, measure: &Measure| SystemBounds {
            difference: bounds(measure, baseline, system),
            value: MissingLabels::of(&bounds(measure, &nothing, system)),
        };
        let each = systems.iter().flat_map(|system| {
            let by_measure = measures.iter().enumerate();
            by_measure.map(move |(place, measure)| ((*system, place), measure))
        });
        let systems =
            each.map(|((system, place), measure)| ((system.name.clone(), place), of(system, measure)));
        Self { systems: systems.collect() }
    }

    /// The bounds of a system's difference from the baseline.
    pub(super) fn difference(&self, system: &str, measure: usize) -> Option<&[DifferenceBounds]> {
        Some(&self.systems.get(&(system.to_owned(), measure))?.difference)
    }

    /// The missing labels of a system's difference from the baseline, or of its own figure.
    pub(super) fn missing(&self, system: &str, measure: usize, own: bool) -> Option<MissingLabels> {
        let found = self.systems.get(&(system.to_owned(), measure))?;
        if own { found.value } else { MissingLabels::of(&found.difference) }
    }
}
