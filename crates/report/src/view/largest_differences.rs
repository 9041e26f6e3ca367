//! The queries on which two systems differ most, and their documents.

use super::decision_table::best_first;
use super::decisive_figures;
use super::report_view::Limits;
use crate::comparison::BaselineComparison;
use crate::study_verdict::DecisionSection;
use crate::systems::MeasuredSystem;
use crate::text::{brief_difference, brief_figure, shorten};
use crate::topics::{DocumentDetail, NoSplit, TopicDetail, document_shares};

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

/// How many documents are listed. One more is listed rather than counted.
const LISTED_SHARES: usize = 6;

/// The difference of two systems on a query, and the documents that made it.
#[derive(Debug)]
pub(crate) struct Difference {
    /// The places of the baseline and the system in the report.
    pub(crate) systems: [usize; 2],
    /// Their values.
    pub(crate) values: [Option<f64>; 2],
    /// The documents with their shares.
    pub(crate) split: Result<Split, NoSplit>,
    /// The first documents of both systems, if there is no split.
    pub(crate) ranked: Vec<DocumentDetail>,
}

/// A difference split among documents.
#[derive(Debug, Default)]
pub(crate) struct Split {
    /// The documents with the largest shares, which come first.
    pub(crate) documents: Vec<(DocumentDetail, f64)>,
    /// How many more documents have a share, and their sum.
    pub(crate) more: (usize, f64),
}

impl Difference {
    /// The difference by a measure, which has this place among a system's values. Without a split it keeps the
    /// documents down to `ranks`.
    pub(crate) fn of(topic: &TopicDetail, measure: (&str, usize), systems: [usize; 2], ranks: u32) -> Self {
        let split = document_shares(topic, measure, systems).map(|shares| {
            let listed = if shares.len() == LISTED_SHARES + 1 {
                shares.len()
            } else {
                LISTED_SHARES.min(shares.len())
            };
            let (listed, rest) = shares.split_at(listed);
            let document = |at: usize| topic.documents.get(at).cloned();
            Split {
                documents: listed
                    .iter()
                    .filter_map(|one| Some((document(one.document)?, one.share)))
                    .collect(),
                more: (rest.len(), rest.iter().map(|one| one.share).sum()),
            }
        });
        let is_first = |document: &&DocumentDetail| {
            systems
                .iter()
                .any(|at| document.ranks.get(*at).copied().flatten().is_some_and(|rank| rank <= ranks))
        };
        let ranked = match split {
            Ok(_) => Vec::new(),
            Err(_) => topic.documents.iter().filter(is_first).cloned().collect(),
        };
        let value = |at: usize| topic.systems.get(at).and_then(|system| system.values.get(measure.1)?.value);
        Self { systems, values: systems.map(value), split, ranked }
    }

    /// Returns the system's value less the baseline's; `None` if one is unknown.
    pub(crate) fn by(&self) -> Option<f64> {
        Some(self.values[1]? - self.values[0]?)
    }

    /// Returns the difference and the two values: `+0.73 (0.07 to 0.80)`.
    pub(crate) fn summary(&self) -> String {
        let [baseline, system] = self.values.map(brief_figure);
        match self.by() {
            Some(by) => format!("{} ({baseline} to {system})", brief_difference(by)),
            None => format!("{baseline} to {system}"),
        }
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
