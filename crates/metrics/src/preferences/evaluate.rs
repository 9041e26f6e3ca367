//! Measuring a run under preferences.

use llull_core::{JudgmentGroup, Preferences, Ranking, Run};
use rayon::prelude::*;
use serde::Serialize;

use super::count::{Counts, Pairs, Scope};
use super::group::{Group, Places};
use super::{PreferenceError, PreferenceMeasure, rnonrel};
use crate::aggregation::Aggregation;
use crate::scores::{Scores, TopicFigures};

/// The figures of one topic, in the order of [`Scores::measures`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PreferenceTopic {
    /// The topic.
    pub topic: String,
    /// Whether the run returned any document for it; if not, it fulfils nothing.
    pub answered: bool,
    /// How many judgment groups it has.
    pub groups: u32,
    /// How many documents they judge.
    pub judged: u32,
    /// How many of these are retrieved.
    pub retrieved: u32,
    /// How many preferences the groups have, each counted once a group. Where it is 0, shares are 0.
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

/// One run measured under preferences.
pub type PreferenceScores = Scores<PreferenceTopic>;

/// Measures one run: every topic of `preferences` in their order, by every measure in the order given. On all cores; the result does not depend
/// on how many there are. The run is needed in full: one that was cut at a depth has lost documents of the last score in the wrong order.
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
/// When a judgment group contradicts itself, or a level is not a number from 0 up. The error is that of the first such topic.
pub fn evaluate_preferences(
    measures: &[PreferenceMeasure],
    preferences: &Preferences,
    run: &Run,
) -> Result<PreferenceScores, PreferenceError> {
    let topics: Vec<_> = preferences.iter().collect();
    let scored: Vec<_> = topics
        .into_par_iter()
        .map(|(topic, groups)| {
            let groups: Vec<_> = groups.iter().map(|(name, group)| (name.as_str(), group)).collect();
            score_topic(measures, topic, &groups, run.ranking(topic))
        })
        .collect();
    let topics = scored.into_iter().collect::<Result<_, _>>()?;
    Ok(Scores::new(run, measures, topics, |topic| preferences.get(topic).is_some()))
}

fn score_topic(
    measures: &[PreferenceMeasure],
    topic: &str,
    judged: &[(&str, &JudgmentGroup)],
    ranking: Option<&Ranking>,
) -> Result<PreferenceTopic, PreferenceError> {
    let places = Places::new(judged.iter().map(|(_, group)| *group), ranking);
    let groups: Vec<Group> = judged
        .iter()
        .map(|(name, group)| Group::new(topic, name, group, &places))
        .collect::<Result<_, _>>()?;
    let retrieved = places.retrieved;
    let counts = groups.iter().map(|group| Counts::new(group, retrieved)).collect();
    let pairs = measures.iter().any(|measure| matches!(parts(*measure).0, Share::Pair));
    let pairs = pairs.then(|| Pairs::new(&groups, retrieved));
    let topic_counts = TopicCounts { groups, counts, pairs, retrieved };
    Ok(PreferenceTopic {
        topic: topic.to_owned(),
        answered: ranking.is_some_and(|ranking| !ranking.is_empty()),
        groups: judged.len() as u32,
        judged: places.len() as u32,
        retrieved,
        possible: topic_counts.total(Scope::All).possible,
        values: measures.iter().map(|measure| topic_counts.value(*measure)).collect(),
    })
}

/// How shares are formed, for all but counts.
enum Share {
    Possible,
    Fulfilled,
    Simp,
    Pair,
    AvgJg,
    Rnonrel,
}

fn parts(measure: PreferenceMeasure) -> (Share, Scope) {
    use PreferenceMeasure as M;
    match measure {
        M::Possible => (Share::Possible, Scope::All),
        M::Fulfilled => (Share::Fulfilled, Scope::All),
        M::FulfilledRet => (Share::Fulfilled, Scope::Ret),
        M::Simp => (Share::Simp, Scope::All),
        M::SimpRet => (Share::Simp, Scope::Ret),
        M::SimpImp => (Share::Simp, Scope::Imp),
        M::Pair => (Share::Pair, Scope::All),
        M::PairRet => (Share::Pair, Scope::Ret),
        M::PairImp => (Share::Pair, Scope::Imp),
        M::AvgJg => (Share::AvgJg, Scope::All),
        M::AvgJgRet => (Share::AvgJg, Scope::Ret),
        M::AvgJgImp => (Share::AvgJg, Scope::Imp),
        M::AvgJgRnonrel => (Share::Rnonrel, Scope::All),
        M::AvgJgRnonrelRet => (Share::Rnonrel, Scope::Ret),
    }
}

struct TopicCounts {
    groups: Vec<Group>,
    counts: Vec<Counts>,
    /// Only where a measure asks for it.
    pairs: Option<Pairs>,
    retrieved: u32,
}

impl TopicCounts {
    fn total(&self, scope: Scope) -> super::count::Tally {
        self.counts.iter().map(|counts| counts.of(scope)).fold(Default::default(), |a, b| a + b)
    }

    fn value(&self, measure: PreferenceMeasure) -> f64 {
        let (share, scope) = parts(measure);
        match share {
            Share::Possible => self.total(scope).possible as f64,
            Share::Fulfilled => self.total(scope).fulfilled as f64,
            Share::Simp => self.total(scope).share().unwrap_or(0.0),
            Share::Pair => self.pairs.as_ref().map_or(0.0, |pairs| pairs.mean(scope)),
            Share::AvgJg => {
                self.mean(self.counts.iter().map(|counts| counts.of(scope).share().unwrap_or(0.0)))
            }
            Share::Rnonrel => {
                let shares = self
                    .groups
                    .iter()
                    .zip(&self.counts)
                    .map(|(group, counts)| rnonrel::tally(group, counts, self.retrieved, scope).share());
                // one group in which nothing can be fulfilled makes trec_eval's sum no number, and what it then prints 0
                shares.collect::<Option<Vec<f64>>>().map_or(0.0, |shares| self.mean(shares.into_iter()))
            }
        }
    }

    fn mean(&self, shares: impl Iterator<Item = f64>) -> f64 {
        if self.groups.is_empty() { 0.0 } else { shares.sum::<f64>() / self.groups.len() as f64 }
    }
}
