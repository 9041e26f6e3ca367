//! The queries on which two systems differ most.

use super::decision_table::best_first;
use super::decisive_figures;
use super::difference::Difference;
use super::limits::Limits;
use crate::comparison::BaselineComparison;
use crate::study_verdict::DecisionSection;
use crate::systems::MeasuredSystem;
use crate::text::shorten;
use crate::topics::TopicDetail;

/// The most comparisons that are explained.
const EXPLAINED: usize = 60;
/// How many gains, and how many losses, are listed.
const LISTED: usize = 5;
/// The most characters of a query's text.
const TEXT: usize = 120;

/// The queries with the largest gains and losses of a system, the largest first.
#[derive(Debug, Default)]
pub(crate) struct LargestDifferences {
    /// The places of the baseline and the system; `None` if one of them was not measured.
    systems: Option<[usize; 2]>,
    pub(crate) gains: Vec<DifferingQuery>,
    pub(crate) losses: Vec<DifferingQuery>,
}

/// A query with its difference.
#[derive(Debug)]
pub(crate) struct DifferingQuery {
    /// Its number in the report, from 1.
    pub(crate) number: usize,
    pub(crate) id: String,
    /// The beginning of its text; empty where texts are left out.
    pub(crate) text: String,
    /// The system's value less the baseline's.
    by: f64,
    pub(crate) difference: Difference,
}

impl DifferingQuery {
    /// Returns the size of the difference.
    pub(crate) fn size(&self) -> f64 {
        self.by.abs()
    }
}

/// The comparisons that are explained, the best system first, each with its place in the decision.
pub(crate) fn explained<'a>(
    decision: &'a DecisionSection,
    limits: &Limits,
) -> Vec<(usize, &'a BaselineComparison)> {
    let compared = decision.decisive().enumerate().collect();
    let mut compared =
        best_first(compared, |(_, found): &(usize, &BaselineComparison)| decisive_figures(found).0);
    compared.truncate(EXPLAINED.min(limits.rows));
    compared
}

impl LargestDifferences {
    /// Those of a comparison, without a query yet.
    pub(super) fn new(found: &BaselineComparison, systems: &[MeasuredSystem]) -> Self {
        let place = |name: &str| systems.iter().position(|system| system.system == name);
        let systems = place(&found.baseline).zip(place(&found.system)).map(<[usize; 2]>::from);
        Self { systems, ..Self::default() }
    }

    /// Returns the places of the baseline and the system; `None` if one of them was not measured.
    pub(super) fn systems(&self) -> Option<[usize; 2]> {
        self.systems
    }

    /// Adds a query, if its difference by the measure at a place is among the largest.
    pub(super) fn add(
        &mut self,
        topic: &TopicDetail,
        number: usize,
        measure: (&str, usize),
        limits: &Limits,
    ) {
        let value =
            |system: &usize| topic.systems.get(*system).and_then(|found| found.values.get(measure.1)?.value);
        let Some(systems) = self.systems else { return };
        let [Some(baseline), Some(system)] = systems.each_ref().map(value) else { return };
        let by = system - baseline;
        let list = if by > 0.0 { &mut self.gains } else { &mut self.losses };
        // Of equal differences the first query comes first.
        let at = list.partition_point(|other| other.by.abs() >= by.abs());
        if by == 0.0 || by.is_nan() || at >= LISTED {
            return;
        }
        let found = DifferingQuery {
            number,
            id: topic.id.clone(),
            text: shorten(&topic.text, TEXT),
            by,
            difference: Difference::of(topic, measure, systems, limits.ranks),
        };
        list.insert(at, found);
        list.truncate(LISTED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topics::{TopicSystem, TopicValue};

    #[test]
    fn the_largest_come_first_and_equal_ones_in_their_order() {
        let mut found = LargestDifferences { systems: Some([1, 0]), ..LargestDifferences::default() };
        let differences = [0.1, -0.2, 0.3, 0.3, 0.0, -0.5, 0.1, 0.2, 0.4, f64::NAN];
        for (at, difference) in differences.into_iter().enumerate() {
            let system = |value| TopicSystem {
                values: vec![TopicValue { value: Some(value), seen: 1, unjudged: 0 }],
                ..TopicSystem::default()
            };
            let topic =
                TopicDetail { systems: vec![system(difference), system(0.0)], ..TopicDetail::default() };
            found.add(&topic, at + 1, ("AP", 0), &Limits::default());
        }
        let numbers = |list: &[DifferingQuery]| list.iter().map(|query| query.number).collect::<Vec<_>>();
        assert_eq!(numbers(&found.gains), [9, 3, 4, 8, 1]);
        assert_eq!(numbers(&found.losses), [6, 2]);
    }
}
