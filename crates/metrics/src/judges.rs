//! Figures under several judges: for each topic the mean over those who judged it.

use std::collections::BTreeMap;

use llull_core::{Qrels, Run};
use serde::Serialize;

use crate::aggregation::Aggregation;
use crate::evaluate::evaluate;
use crate::measure::Measure;
use crate::scores::{Cell, Scores, TopicFigures, unjudged};

/// The figures of one topic, in the order of [`Scores::measures`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgesTopic {
    /// The topic.
    pub topic: String,
    /// Whether the run returned any document for it; if not, its figures are 0.
    pub answered: bool,
    /// How many judges judged it: what its figures are means over.
    pub judges: u32,
    /// The mean over these judges of the figure that each measure has under their labels; the documents are counted once for each of them.
    pub cells: Vec<Cell>,
}

impl TopicFigures for JudgesTopic {
    type Measure = Measure;

    fn topic(&self) -> &str {
        &self.topic
    }

    fn answered(&self) -> bool {
        self.answered
    }

    fn value(&self, measure: usize) -> f64 {
        self.cells[measure].value
    }

    fn aggregation(measure: &Measure) -> Aggregation {
        measure.aggregation()
    }
}

/// One run measured under the labels of several judges. A topic counts once, however many judged it. The topics are those that a judge
/// judged, in the order in which they come, judge by judge.
pub type JudgesScores = Scores<JudgesTopic>;

impl JudgesScores {
    /// Documents that one measure looked at over all topics and judges, and how many of them have no label of the judge.
    pub fn unjudged(&self, measure: usize) -> (u64, u64) {
        unjudged(self.topics.iter().map(|topic| topic.cells[measure]))
    }
}

/// Measures one run under each judge's labels and takes, topic by topic, the mean over those who judged it. trec_eval has that for three measures
/// (`-R qrels_jg`: `map_avgjg`, `P_avgjg_5`, `Rprec_mult_avgjg_0.20`); here it is for all.
///
/// A judge who found nothing relevant has 0 on the topic and counts; one who has no label for it does not.
///
/// ```
/// use llull_core::{Qrels, Ranking, Run};
/// use llull_metrics::{Measure, evaluate_judges};
///
/// let (mut ann, mut bob) = (Qrels::default(), Qrels::default());
/// ann.insert("q1", "d1", 1);
/// bob.insert("q1", "d2", 1);
/// bob.insert("q2", "d3", 1);
/// let mut run = Run::new("bm25");
/// run.insert("q1", Ranking::from_scored([("d1", 2.0), ("d2", 1.0)]));
/// run.insert("q2", Ranking::from_scored([("d3", 1.0)]));
///
/// let scores = evaluate_judges(&["RR".parse()?], [&ann, &bob], &run);
/// assert_eq!(scores.topics[0].cells[0].value, (1.0 + 1.0 / 2.0) / 2.0);
/// assert_eq!((scores.topics[0].judges, scores.topics[1].judges), (2, 1));
/// assert_eq!(scores.mean(0), Some((0.75 + 1.0) / 2.0));
/// # Ok::<(), llull_metrics::MeasureError>(())
/// ```
pub fn evaluate_judges<'a>(
    measures: &[Measure],
    judges: impl IntoIterator<Item = &'a Qrels>,
    run: &Run,
) -> JudgesScores {
    let judges: Vec<Scores> = judges.into_iter().map(|qrels| evaluate(measures, qrels, run)).collect();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut topics: Vec<JudgesTopic> = Vec::new();
    for scored in judges.iter().flat_map(|scores| &scores.topics) {
        let place = *places.entry(&scored.topic).or_insert(topics.len());
        if place == topics.len() {
            let cells = vec![Cell { value: 0.0, seen: 0, unjudged: 0 }; measures.len()];
            topics.push(JudgesTopic {
                topic: scored.topic.clone(),
                answered: scored.answered,
                judges: 0,
                cells,
            });
        }
        let topic = &mut topics[place];
        topic.judges += 1;
        for (sum, cell) in topic.cells.iter_mut().zip(&scored.cells) {
            sum.value += cell.value;
            sum.seen += cell.seen;
            sum.unjudged += cell.unjudged;
        }
    }
    for topic in &mut topics {
        topic.cells.iter_mut().for_each(|cell| cell.value /= f64::from(topic.judges));
    }
    Scores::new(run, measures, topics, |topic| places.contains_key(topic))
}
