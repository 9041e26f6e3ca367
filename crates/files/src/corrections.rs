//! Figures of compared systems, corrected by human labels.

use std::collections::BTreeMap;

use llull_metrics::Measure;
use llull_people::human_labels::Corrector;
use llull_report::CorrectedFigure;

/// A corrected figure, or the reason for its absence.
pub type Correction = Result<CorrectedFigure, String>;

/// Each system's figures and differences from the baseline, corrected by human labels, in the order of the measures;
/// empty without such labels.
#[derive(Debug, Default)]
pub struct Corrections {
    by_system: BTreeMap<String, OfSystem>,
}

#[derive(Debug)]
struct OfSystem {
    figures: Vec<Correction>,
    differences: Vec<Correction>,
}

impl Corrections {
    /// Corrects the figures of systems, each given by its name and its position among the corrector's runs.
    pub fn of<'a>(
        corrector: &Corrector<'_>,
        measures: &[Measure],
        baseline: usize,
        systems: impl IntoIterator<Item = (&'a str, usize)>,
    ) -> Self {
        let of_system = |(name, place): (&'a str, usize)| {
            let figure = |measure| corrector.figure(measure, place).map_err(|error| error.to_string());
            let difference =
                |measure| corrector.difference(measure, baseline, place).map_err(|error| error.to_string());
            let all = OfSystem {
                figures: measures.iter().map(figure).collect(),
                differences: measures.iter().map(difference).collect(),
            };
            (name.to_owned(), all)
        };
        let others = systems.into_iter().filter(|(_, place)| *place != baseline);
        Self { by_system: others.map(of_system).collect() }
    }

    /// Whether there are no human labels.
    pub fn is_empty(&self) -> bool {
        self.by_system.is_empty()
    }

    /// Returns a system's figure by the measure at this position; `None` without human labels.
    pub fn figure(&self, system: &str, measure: usize) -> Option<&Correction> {
        self.by_system.get(system)?.figures.get(measure)
    }

    /// Returns its difference from the baseline.
    pub fn difference(&self, system: &str, measure: usize) -> Option<&Correction> {
        self.by_system.get(system)?.differences.get(measure)
    }
}
