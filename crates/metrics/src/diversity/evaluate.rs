//! Measuring a run under labels of subtopics.

use std::collections::BTreeMap;

use llull_core::{Qrels, Ranking, Run, TopicQrels};
use rayon::prelude::*;
use serde::Serialize;

use super::DiversityMeasure;
use super::novelty::{Covered, Reader};
use crate::aggregation::Aggregation;
use crate::parameter::{Alpha, Cutoff, Relevant};
use crate::scores::{Cell, Scores, TopicFigures, unjudged};

/// The figures of one topic, in the order of [`Scores::measures`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiversityTopic {
    /// The topic.
    pub topic: String,
    /// Whether the run returned any document for it; if not, its figures are 0.
    pub answered: bool,
    /// How many of its subtopics have a document that is relevant at grade 1 or more. Where there is none, figures are 0.
    pub subtopics: u32,
    /// How many documents are relevant to a subtopic at grade 1 or more.
    pub relevant: u32,
    /// One figure a measure. A document that has a label for some subtopic of the topic is not unjudged.
    pub cells: Vec<Cell>,
}

impl TopicFigures for DiversityTopic {
    type Measure = DiversityMeasure;

    fn topic(&self) -> &str {
        &self.topic
    }

    fn answered(&self) -> bool {
        self.answered
    }

    fn value(&self, measure: usize) -> f64 {
        self.cells[measure].value
    }

    fn aggregation(_measure: &DiversityMeasure) -> Aggregation {
        Aggregation::Mean
    }
}

/// One run measured under labels of subtopics. The topics are in the order in which they come, subtopic by subtopic.
pub type DiversityScores = Scores<DiversityTopic>;

impl DiversityScores {
    /// Documents that one measure looked at over all topics, and how many of them have no label for any subtopic.
    pub fn unjudged(&self, measure: usize) -> (u64, u64) {
        unjudged(self.topics.iter().map(|topic| topic.cells[measure]))
    }
}

/// Measures one run: every topic that a subtopic has labels for, by every measure in the order given. `subtopics` holds one set of qrels a subtopic; subtopics of
/// different topics share a set where they share a name. On all cores; the result depends neither on how many there are nor on the order of the subtopics, but for
/// that of the topics.
///
/// ```
/// use llull_core::{Qrels, Ranking, Run};
/// use llull_metrics::evaluate_diversity;
///
/// let (mut bird, mut aircraft) = (Qrels::default(), Qrels::default());
/// bird.insert("kite", "d1", 1);
/// bird.insert("kite", "d2", 1);
/// aircraft.insert("kite", "d3", 1);
/// let mut run = Run::new("bm25");
/// run.insert("kite", Ranking::from_scored([("d1", 3.0), ("d2", 2.0), ("d3", 1.0)]));
///
/// let scores = evaluate_diversity(&["alpha_nDCG@2".parse()?, "StRecall@2".parse()?], [&bird, &aircraft], &run);
/// // a second bird is worth half; the best list has a bird and an aircraft
/// let discount = 1.0 / 3f64.log2();
/// assert_eq!(scores.mean(0), Some((1.0 + 0.5 * discount) / (1.0 + discount)));
/// assert_eq!(scores.mean(1), Some(0.5));
/// # Ok::<(), llull_metrics::DiversityMeasureError>(())
/// ```
pub fn evaluate_diversity<'a>(
    measures: &[DiversityMeasure],
    subtopics: impl IntoIterator<Item = &'a Qrels>,
    run: &Run,
) -> DiversityScores {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut topics: Vec<(&str, Vec<&TopicQrels>)> = Vec::new();
    for (topic, labels) in subtopics.into_iter().flat_map(Qrels::iter) {
        let place = *places.entry(topic).or_insert(topics.len());
        match topics.get_mut(place) {
            Some((_, subtopics)) => subtopics.push(labels),
            None => topics.push((topic, vec![labels])),
        }
    }
    let topics = topics
        .par_iter()
        .map(|(topic, labels)| score_topic(measures, topic, labels, run.ranking(topic)))
        .collect();
    Scores::new(run, measures, topics, |topic| places.contains_key(topic))
}

fn score_topic(
    measures: &[DiversityMeasure],
    topic: &str,
    labels: &[&TopicQrels],
    ranking: Option<&Ranking>,
) -> DiversityTopic {
    let covered = Covered::new(labels, Relevant::default());
    let documents: Vec<&str> = ranking.into_iter().flat_map(Ranking::iter).map(|hit| hit.document).collect();
    let judged = |document: &&str| labels.iter().any(|labels| labels.contains_key(*document));
    let cell = |measure: &DiversityMeasure| {
        let seen = documents.get(..depth(measure.cutoff())).unwrap_or(&documents);
        let value = if measure.rel() == Relevant::default() {
            value(measure, &covered, seen)
        } else {
            value(measure, &Covered::new(labels, measure.rel()), seen)
        };
        let unjudged = seen.iter().filter(|document| !judged(document)).count() as u32;
        Cell { value, seen: seen.len() as u32, unjudged }
    };
    DiversityTopic {
        topic: topic.to_owned(),
        answered: !documents.is_empty(),
        subtopics: covered.subtopics as u32,
        relevant: covered.relevant() as u32,
        cells: measures.iter().map(cell).collect(),
    }
}

fn depth(cutoff: Option<Cutoff>) -> usize {
    cutoff.map_or(usize::MAX, |cutoff| cutoff.rank() as usize)
}

/// 0 when no document is relevant to any subtopic.
fn value(measure: &DiversityMeasure, covered: &Covered<'_>, list: &[&str]) -> f64 {
    if covered.subtopics == 0 {
        return 0.0;
    }
    let gains = |alpha| {
        let mut reader = Reader::new(covered.subtopics, alpha);
        list.iter().map(move |document| reader.read(covered.of(document)))
    };
    match *measure {
        DiversityMeasure::AlphaNdcg { alpha, cutoff, .. } => {
            let discount = |rank: f64| 1.0 / (rank + 1.0).log2();
            sum(gains(alpha), discount) / sum(covered.ideal(alpha).take(depth(cutoff)), discount)
        }
        DiversityMeasure::ErrIa { cutoff, .. } => {
            let discount = |rank: f64| 1.0 / rank;
            let alpha = Alpha::default();
            let every = std::iter::successors(Some(1.0), |worth| Some(worth * (1.0 - alpha.get())));
            // it ends where halving has come to 0, however deep the cutoff
            let best = sum(every.take(depth(Some(cutoff))).take_while(|worth| *worth > 0.0), discount);
            sum(gains(alpha), discount) / (best * covered.subtopics as f64)
        }
        DiversityMeasure::StRecall { .. } => {
            let mut seen = vec![false; covered.subtopics];
            for subtopic in list.iter().flat_map(|document| covered.of(document)) {
                seen[*subtopic] = true;
            }
            seen.iter().filter(|seen| **seen).count() as f64 / covered.subtopics as f64
        }
    }
}

/// Gains, discounted by their ranks.
fn sum(gains: impl Iterator<Item = f64>, discount: impl Fn(f64) -> f64) -> f64 {
    gains.enumerate().fold(0.0, |sum, (index, gain)| sum + gain * discount((index + 1) as f64))
}
