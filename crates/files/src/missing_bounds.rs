//! Bounds the effect of missing labels on compared figures.

use std::collections::BTreeMap;

use llull_core::{Qrels, Run};
use llull_metrics::{DifferenceBounds, KnownLabels, Measure, Unjudged};
use llull_report::{LettersWithheld, MissingLabels, ReportError, SignificanceTable};
use llull_stats::BootstrapOptions;

/// The bounds of each system's figures and differences from the baseline, and of the differences of all pairs; empty if
/// no label is missing.
#[derive(Debug, Default)]
pub struct MissingBounds {
    systems: BTreeMap<(String, usize), SystemBounds>,
    /// Of the first system less the second, of each pair once.
    pairs: BTreeMap<(String, String, usize), MissingLabels>,
}

#[derive(Debug)]
struct SystemBounds {
    difference: Vec<DifferenceBounds>,
    value: Vec<DifferenceBounds>,
}

impl MissingBounds {
    /// Bounds the effect of labels that are missing from `labels`. A measure that skips documents without a label has
    /// no bounds, because it was chosen for that.
    pub fn of_labels(labels: &Qrels, measures: &[Measure], baseline: &Run, systems: &[&Run]) -> Self {
        let known = KnownLabels::of_file(labels);
        Self::new(measures, baseline, systems, |measure, baseline, system| match measure.unjudged() {
            Unjudged::NotRelevant => known.bounds(measure, baseline, system),
            Unjudged::Excluded | Unjudged::Best => Vec::new(),
        })
    }

    /// Bounds the runs of files, one of which is the baseline, given by its position. Documents that the labels drop
    /// are removed.
    pub fn of_runs(labels: &Qrels, measures: &[Measure], runs: &[Run], baseline: usize) -> Self {
        let runs: Vec<Run> = runs.iter().map(|run| run.clone().without_dropped(labels)).collect();
        let Some(against) = runs.get(baseline) else { return Self::default() };
        let systems: Vec<&Run> = runs.iter().filter(|run| run.name != against.name).collect();
        Self::of_labels(labels, measures, against, &systems)
    }

    /// Bounds every system by every measure; `bounds` bounds the difference of a run from another, query by query.
    pub fn new(
        measures: &[Measure],
        baseline: &Run,
        systems: &[&Run],
        bounds: impl Fn(&Measure, &Run, &Run) -> Vec<DifferenceBounds>,
    ) -> Self {
        // A figure is its difference from a run that returns nothing.
        let nothing = Run::new("");
        let of = |system: &Run, measure: &Measure| SystemBounds {
            difference: bounds(measure, baseline, system),
            value: bounds(measure, &nothing, system),
        };
        let each = systems.iter().flat_map(|system| {
            let by_measure = measures.iter().enumerate();
            by_measure.map(move |(place, measure)| ((*system, place), measure))
        });
        let bounded =
            each.map(|((system, place), measure)| ((system.name.clone(), place), of(system, measure)));
        let mut pairs = BTreeMap::new();
        let others = systems.iter().copied().filter(|system| system.name != baseline.name);
        let all: Vec<&Run> = std::iter::once(baseline).chain(others).collect();
        for (at, first) in all.iter().enumerate() {
            for second in all.iter().skip(at + 1) {
                for (place, measure) in measures.iter().enumerate() {
                    if let Some(missing) = MissingLabels::of(&bounds(measure, second, first)) {
                        pairs.insert((first.name.clone(), second.name.clone(), place), missing);
                    }
                }
            }
        }
        Self { systems: bounded.collect(), pairs }
    }

    /// Whether the missing labels could make the better system of a pair the worse one, or its equal.
    fn could_reverse(&self, better: &str, worse: &str, measure: usize) -> bool {
        let pair = |one: &str, other: &str| self.pairs.get(&(one.to_owned(), other.to_owned(), measure));
        let lowest = pair(better, worse).map(|missing| missing.lowest);
        let highest = pair(worse, better).map(|missing| missing.highest.map(|highest| -highest));
        lowest.or(highest).is_some_and(|lowest| lowest.is_none_or(|lowest| lowest <= 0.0))
    }

    /// Makes comparisons incomplete that missing labels could change, and takes back the letters of pairs that they
    /// could reverse.
    ///
    /// # Errors
    /// Returns an error if the options of the bootstrap are invalid.
    pub fn bound(
        &self,
        table: &mut SignificanceTable,
        measure: usize,
        bootstrap: &BootstrapOptions,
    ) -> Result<(), ReportError> {
        for tested in &mut table.comparisons {
            if let Some(found) = self.systems.get(&(tested.comparison.system.clone(), measure)) {
                tested.comparison.bound(&found.difference, bootstrap)?;
            }
        }
        let could_reverse = |better: &str, worse: &str| self.could_reverse(better, worse, measure);
        table.withhold_letters(LettersWithheld::MissingLabels, could_reverse);
        Ok(())
    }

    /// The bounds of a system's difference from the baseline, query by query; empty if no label is missing.
    pub fn differences(&self, system: &str, measure: usize) -> &[DifferenceBounds] {
        self.systems.get(&(system.to_owned(), measure)).map_or(&[], |found| &found.difference)
    }

    /// The bounds of a system's difference from the baseline, or of its own figure, query by query.
    pub fn bounds(&self, system: &str, measure: usize, own: bool) -> &[DifferenceBounds] {
        let found = self.systems.get(&(system.to_owned(), measure));
        found.map_or(&[], |found| if own { &found.value } else { &found.difference })
    }
}
