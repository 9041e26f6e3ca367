//! Measures a run with preferences.

use llull_core::{JudgmentGroup, Preferences, Run};
use serde::Serialize;

use super::error::PreferenceError;
use super::group::{Group, Relation};
use super::measure::{Counted, PreferenceMeasure, Scope};
use super::places::Places;
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
                let shares =
                    groups.map(|(group, counts)| rnonrel_tally(group, counts, self.retrieved, scope).share());
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

/// The mean over pairs of documents of the share of the preferences between the two that is fulfilled: of pairs of
/// which both documents are retrieved, one is, or none.
pub(super) struct PairShares {
    both: Shares,
    one: Shares,
    none: Shares,
}

#[derive(Default, Clone, Copy)]
struct Shares {
    sum: f64,
    pairs: u64,
}

impl PairShares {
    /// The shares of all pairs in these groups; documents are retrieved whose places are below `retrieved`.
    pub(super) fn new(groups: &[Group], retrieved: u32) -> Self {
        let mut shares = Self { both: Shares::default(), one: Shares::default(), none: Shares::default() };
        match groups {
            // a group has no pair twice, and there may be too many to hold
            [only] => only.each(|better, worse| {
                let agree = if better < worse { 1.0 } else { 0.0 };
                shares.add(better.min(worse), better.max(worse), agree, retrieved);
            }),
            _ => shares.add_all(groups, retrieved),
        }
        shares
    }

    fn add_all(&mut self, groups: &[Group], retrieved: u32) {
        // a preference in 64 bits: the upper document, the lower one, and whether the upper one is the better one
        let mut preferences: Vec<u64> = Vec::new();
        for group in groups {
            group.each(|better, worse| {
                let (up, down) = (u64::from(better.min(worse)), u64::from(better.max(worse)));
                preferences.push(up << 32 | down << 1 | u64::from(better < worse));
            });
        }
        preferences.sort_unstable();
        for pair in preferences.chunk_by(|a, b| a >> 1 == b >> 1) {
            let (up, down) = ((pair[0] >> 32) as u32, ((pair[0] & 0xFFFF_FFFF) >> 1) as u32);
            let agree =
                pair.iter().filter(|preference| *preference & 1 == 1).count() as f64 / pair.len() as f64;
            self.add(up, down, agree, retrieved);
        }
    }

    fn add(&mut self, up: u32, down: u32, agree: f64, retrieved: u32) {
        let (shares, agree) = match u8::from(up < retrieved) + u8::from(down < retrieved) {
            2 => (&mut self.both, agree),
            1 => (&mut self.one, agree),
            _ => (&mut self.none, 0.0),
        };
        shares.sum += agree;
        shares.pairs += 1;
    }

    /// The mean over the pairs that count; 0 if there are none.
    pub(super) fn mean(&self, scope: Scope) -> f64 {
        let parts: &[Shares] = match scope {
            Scope::BothRetrieved => &[self.both],
            Scope::OneRetrieved => &[self.both, self.one],
            Scope::All => &[self.both, self.one, self.none],
        };
        let (sum, pairs) =
            parts.iter().fold((0.0, 0), |(sum, pairs), part| (sum + part.sum, pairs + part.pairs));
        if pairs == 0 { 0.0 } else { sum / pairs as f64 }
    }
}

/// The tally of a group for [`AvgJgRnonrel`](super::PreferenceMeasure::AvgJgRnonrel) and, if both documents must be
/// retrieved, for [`AvgJgRnonrelRet`](super::PreferenceMeasure::AvgJgRnonrelRet).
fn rnonrel_tally(group: &Group, counts: &Counts, retrieved: u32, scope: Scope) -> Tally {
    let found = |places: &[u32]| places.partition_point(|place| *place < retrieved);
    let relevant_found = found(&group.relevant);
    let (relevant, nonrelevant) = match scope {
        Scope::BothRetrieved => (relevant_found, found(&group.nonrelevant)),
        Scope::All | Scope::OneRetrieved => (group.relevant.len(), group.nonrelevant.len()),
    };
    match relevant.checked_sub(nonrelevant) {
        Some(lacking) => {
            let added = Tally {
                fulfilled: (relevant_found * lacking) as u64,
                possible: (group.relevant.len() * lacking) as u64,
            };
            counts.of(scope) + added
        }
        None => cut(group, relevant, retrieved, scope),
    }
}

/// The tally without the documents of level 0 behind the first `relevant` ones.
fn cut(group: &Group, relevant: usize, retrieved: u32, scope: Scope) -> Tally {
    // in a group of several subgroups trec_eval keeps as many as all relevant documents, even if only retrieved
    // ones count
    let keep = if let Relation::Closure { .. } = group.relation { group.relevant.len() } else { relevant };
    let kept = group.nonrelevant.get(..keep).unwrap_or(&group.nonrelevant);
    let dropped = &group.nonrelevant[kept.len()..];
    let counts = |place: u32| scope != Scope::BothRetrieved || place < retrieved;
    let mut tally = Tally::default();
    let mut compare = |better: u32, worse: u32| {
        if counts(better) && counts(worse) {
            tally.add(better < worse && better < retrieved);
        }
    };
    let first_dropped = dropped.first().copied().unwrap_or(u32::MAX);
    let is_dropped = |place: u32| place >= first_dropped && dropped.binary_search(&place).is_ok();
    group.each(|better, worse| {
        if !is_dropped(better) && !is_dropped(worse) {
            compare(better, worse);
        }
    });
    if let Relation::Classes(_) = group.relation {
        // trec_eval's second loop runs over the class of level 0, too
        for first in &group.nonrelevant {
            kept.iter().for_each(|second| compare(*first, *second));
        }
    }
    tally
}
