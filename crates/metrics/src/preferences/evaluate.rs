//! Measures a run with preferences.

use llull_core::{JudgmentGroup, Preferences, Run};
use serde::Serialize;

use super::error::PreferenceError;
use super::group::Group;
use super::measure::{Counted, PreferenceMeasure};
use super::pair_shares::PairShares;
use super::places::Places;
use super::rnonrel;
use super::scope::Scope;
use super::tally::{Counts, Tally};
use crate::aggregation::Aggregation;
use crate::evaluation::{Grain, LabelledQueries, RankedQuery, Scores, TopicFigures};

/// The figures of one query, in the order of [`Scores::measures`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PreferenceTopic {
    /// The query.
    pub topic: String,
    /// Whether the run returned any document for it; if not, it fulfils nothing.
    pub answered: bool,
    /// How many judgment groups it has.
    pub groups: u32,
    /// How many documents they judge.
    pub judged: u32,
    /// How many of these are retrieved.
    pub retrieved: u32,
    /// How many preferences the groups have, each counted once a group. If it is 0, shares are 0.
    pub possible: u64,
    /// One figure a measure.
    pub values: Vec<f64>,
}

impl TopicFigures for PreferenceTopic {
    type Measure = PreferenceMeasure;

    fn topic(&self) -> &str {
        &self.topic
    }

    fn answered(&self) -> bool {
        self.answered
    }

    fn value(&self, measure: usize) -> f64 {
        self.values[measure]
    }

    fn aggregation(measure: &PreferenceMeasure) -> Aggregation {
        measure.aggregation()
    }
}

/// One run measured with preferences.
pub type PreferenceScores = Scores<PreferenceTopic>;

/// Measures one run: every query of `preferences` in their order, by every measure in the order given. On all cores;
/// the result does not depend on the number of cores. The run must be complete: one that was cut at a depth has lost
/// documents of the last score in the wrong order.
///
/// ```
/// use llull_core::{Preferences, Ranking, Run};
/// use llull_metrics::{PreferenceMeasure, evaluate_preferences};
///
/// let mut preferences = Preferences::default();
/// preferences.insert_tiers("q1", "llull", "0", &[vec!["d3"], vec!["d1"], vec!["d2", "d4"]]);
/// let mut run = Run::new("bm25");
/// run.insert("q1", Ranking::from_scored([("d1", 3.0), ("d3", 2.0), ("d2", 1.0)]));
///
/// let measures = [PreferenceMeasure::Possible, PreferenceMeasure::Simp, PreferenceMeasure::SimpRet];
/// let scores = evaluate_preferences(&measures, &preferences, &run)?;
/// // of d3 > d1, d3 > d2, d3 > d4, d1 > d2 and d1 > d4 all but the first hold; d4 is not retrieved
/// assert_eq!(scores.topics[0].values, [5.0, 4.0 / 5.0, 2.0 / 3.0]);
/// # Ok::<(), llull_metrics::PreferenceError>(())
/// ```
///
/// # Errors
/// Returns an error if a judgment group contradicts itself, or if a level is not a number from 0 up. The error is that
/// of the first such query.
pub fn evaluate_preferences(
    measures: &[PreferenceMeasure],
    preferences: &Preferences,
    run: &Run,
) -> Result<PreferenceScores, PreferenceError> {
    let queries = preferences.iter().map(|(query, groups)| {
        (query, groups.iter().map(|(name, group)| (name.as_str(), group)).collect::<Vec<Judged<'_>>>())
    });
    let queries = LabelledQueries::new(queries.collect());
    queries.measure(measures, run, Grain(1), |_: &mut (), query| score(measures, query))
}

/// A judgment group and its name.
type Judged<'a> = (&'a str, &'a JudgmentGroup);

fn score(
    measures: &[PreferenceMeasure],
    query: &RankedQuery<'_, Vec<Judged<'_>>>,
) -> Result<PreferenceTopic, PreferenceError> {
    let places = Places::new(query.labels.iter().map(|(_, group)| *group), query.ranking);
    let groups = query.labels.iter().map(|(name, group)| Group::new(query.query, name, group, &places));
    let groups: Vec<Group> = groups.collect::<Result<_, _>>()?;
    let retrieved = places.retrieved;
    let counts = groups.iter().map(|group| Counts::new(group, retrieved)).collect();
    let needs_pairs = measures.iter().any(|measure| measure.counted() == Counted::PairShare);
    let pairs = needs_pairs.then(|| PairShares::new(&groups, retrieved));
    let counted = CountedQuery { groups, counts, pairs, retrieved };
    Ok(PreferenceTopic {
        topic: query.query.to_owned(),
        answered: query.is_answered(),
        groups: query.labels.len() as u32,
        judged: places.len() as u32,
        retrieved,
        possible: counted.total(Scope::All).possible,
        values: measures.iter().map(|measure| counted.value(*measure)).collect(),
    })
}

/// The preferences of a query, counted.
struct CountedQuery {
    groups: Vec<Group>,
    counts: Vec<Counts>,
    /// Only if a measure needs them.
    pairs: Option<PairShares>,
    retrieved: u32,
}

impl CountedQuery {
    fn total(&self, scope: Scope) -> Tally {
        self.counts.iter().map(|counts| counts.of(scope)).fold(Tally::default(), |a, b| a + b)
    }

    fn value(&self, measure: PreferenceMeasure) -> f64 {
        let scope = measure.scope();
        match measure.counted() {
            Counted::Possible => self.total(scope).possible as f64,
            Counted::Fulfilled => self.total(scope).fulfilled as f64,
            Counted::Share => self.total(scope).share().unwrap_or(0.0),
            Counted::PairShare => self.pairs.as_ref().map_or(0.0, |pairs| pairs.mean(scope)),
            Counted::GroupShare => {
                self.mean(self.counts.iter().map(|counts| counts.of(scope).share().unwrap_or(0.0)))
            }
            Counted::RnonrelShare => {
                let groups = self.groups.iter().zip(&self.counts);
                let shares = groups
                    .map(|(group, counts)| rnonrel::tally(group, counts, self.retrieved, scope).share());
                // a group in which nothing can be fulfilled makes trec_eval's sum NaN, for which it prints 0
                shares.collect::<Option<Vec<f64>>>().map_or(0.0, |shares| self.mean(shares.into_iter()))
            }
        }
    }

    /// The mean over groups.
    fn mean(&self, shares: impl Iterator<Item = f64>) -> f64 {
        if self.groups.is_empty() { 0.0 } else { shares.sum::<f64>() / self.groups.len() as f64 }
    }
}
