//! Figures under several judges: for each topic the mean over those who judged it.

use std::collections::BTreeMap;

use llull_core::{Qrels, Run};
use serde::Serialize;

use crate::evaluate::evaluate;
use crate::measure::Measure;
use crate::scores::Scores;

/// The figures of one topic, in the order of [`JudgesScores::measures`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgesTopic {
    /// The topic.
    pub topic: String,
    /// Whether the run returned any document for it; if not, its figures are 0.
    pub answered: bool,
    /// How many judges judged it: what its figures are means over.
    pub judges: u32,
    /// The mean over these judges of the figure that each measure has under their labels.
    pub values: Vec<f64>,
}

/// One run measured under the labels of several judges.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgesScores {
    /// The run's name.
    pub run: String,
    /// What was measured.
    pub measures: Vec<Measure>,
    /// The judges, and what the run has under the labels of each, in the order in which they were given.
    pub judges: Vec<(String, Scores)>,
    /// Every topic that a judge judged, in the order in which they come, judge by judge.
    pub topics: Vec<JudgesTopic>,
    /// Topics of the run that no judge judged; they are left out of every figure.
    pub unlabelled: Vec<String>,
}

impl JudgesScores {
    /// Topics that the run does not answer; they count as 0 in every mean.
    pub fn missing(&self) -> usize {
        self.topics.iter().filter(|topic| !topic.answered).count()
    }

    /// The values of one measure, a topic each, in the order of the topics.
    ///
    /// # Panics
    /// When there are not so many measures; so do the functions below.
    pub fn values(&self, measure: usize) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.topics.iter().map(move |topic| topic.values[measure])
    }

    /// The figure of the run over all topics: by the measure's [aggregation](Measure::aggregation) of the topics' means, as `trec_eval -c` has it. A
    /// topic counts once, however many judged it. `None` without topics.
    pub fn mean(&self, measure: usize) -> Option<f64> {
        self.measures[measure].aggregation().of(self.values(measure))
    }

    /// The same over the topics that the run answers alone, as trec_eval has it without `-c`; `None` when it answers none.
    pub fn mean_of_answered(&self, measure: usize) -> Option<f64> {
        let answered = self.topics.iter().filter(|topic| topic.answered);
        let values: Vec<f64> = answered.map(|topic| topic.values[measure]).collect();
        self.measures[measure].aggregation().of(values.into_iter())
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
/// let scores = evaluate_judges(&["RR".parse()?], [("ann", &ann), ("bob", &bob)], &run);
/// assert_eq!(scores.topics[0].values, [(1.0 + 1.0 / 2.0) / 2.0]);
/// assert_eq!((scores.topics[0].judges, scores.topics[1].judges), (2, 1));
/// assert_eq!(scores.mean(0), Some((0.75 + 1.0) / 2.0));
/// # Ok::<(), llull_metrics::MeasureError>(())
/// ```
pub fn evaluate_judges<'a>(
    measures: &[Measure],
    judges: impl IntoIterator<Item = (&'a str, &'a Qrels)>,
    run: &Run,
) -> JudgesScores {
    let judges: Vec<(String, Scores)> =
        judges.into_iter().map(|(judge, qrels)| (judge.to_owned(), evaluate(measures, qrels, run))).collect();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut topics: Vec<JudgesTopic> = Vec::new();
    for scored in judges.iter().flat_map(|(_, scores)| &scores.topics) {
        let place = *places.entry(&scored.topic).or_insert(topics.len());
        if place == topics.len() {
            let values = vec![0.0; measures.len()];
            topics.push(JudgesTopic {
                topic: scored.topic.clone(),
                answered: scored.answered,
                judges: 0,
                values,
            });
        }
        let topic = &mut topics[place];
        topic.judges += 1;
        topic.values.iter_mut().zip(&scored.cells).for_each(|(value, cell)| *value += cell.value);
    }
    for topic in &mut topics {
        topic.values.iter_mut().for_each(|value| *value /= f64::from(topic.judges));
    }
    let unlabelled = run.iter().map(|(topic, _)| topic).filter(|topic| !places.contains_key(topic));
    let unlabelled = unlabelled.map(str::to_owned).collect();
    JudgesScores { run: run.name.clone(), measures: measures.to_vec(), judges, topics, unlabelled }
}
