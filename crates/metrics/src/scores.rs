//! What an evaluation yields: every figure with what it rests on.

use llull_core::Run;
use serde::Serialize;

use crate::aggregation::Aggregation;
use crate::measure::Measure;

/// One figure of one topic.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cell {
    /// The measure's value.
    pub value: f64,
    /// How many documents the measure looked at: down to its [depth](Measure::depth), or all retrieved.
    pub seen: u32,
    /// How many of them have no label. They count as not relevant. P, RR and Success can only rise when they are judged;
    /// nDCG, AP, R and Compat can fall too, since a relevant document found raises what they divide by.
    pub unjudged: u32,
}

/// The figures of one topic, in the order of [`Scores::measures`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TopicScores {
    /// The topic.
    pub topic: String,
    /// Whether the run returned any document for it; if not, its figures are 0.
    pub answered: bool,
    /// How many documents the labels call relevant at grade 1 or more.
    pub relevant: u32,
    /// One figure a measure.
    pub cells: Vec<Cell>,
}

/// A topic's figures, whatever labels they rest on: what [`Scores`] are made of.
pub trait TopicFigures {
    /// What they are figures by.
    type Measure;

    /// The topic.
    fn topic(&self) -> &str;

    /// Whether the run returned any document for it.
    fn answered(&self) -> bool;

    /// The figure by one measure, a number in [`Scores::measures`].
    ///
    /// # Panics
    /// When there are not so many measures.
    fn value(&self, measure: usize) -> f64;

    /// How figures by a measure become that of the run.
    fn aggregation(measure: &Self::Measure) -> Aggregation;
}

/// One run measured; under one set of labels, unless said otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound = "T: Serialize, T::Measure: Serialize")]
pub struct Scores<T: TopicFigures = TopicScores> {
    /// The run's name.
    pub run: String,
    /// What was measured.
    pub measures: Vec<T::Measure>,
    /// Every topic of the labels, in their order.
    pub topics: Vec<T>,
    /// Topics of the run that the labels do not know; they are left out of every figure.
    pub unlabelled: Vec<String>,
}

impl<T: TopicFigures> Scores<T> {
    /// What a run has; `labelled` says of a topic whether the labels know it.
    pub(crate) fn new(
        run: &Run,
        measures: &[T::Measure],
        topics: Vec<T>,
        labelled: impl Fn(&str) -> bool,
    ) -> Self
    where
        T::Measure: Clone,
    {
        let unlabelled = run.iter().map(|(topic, _)| topic).filter(|topic| !labelled(topic));
        Self {
            run: run.name.clone(),
            measures: measures.to_vec(),
            unlabelled: unlabelled.map(str::to_owned).collect(),
            topics,
        }
    }

    /// Topics that the run does not answer; they count as 0 in every mean.
    pub fn missing(&self) -> usize {
        self.topics.iter().filter(|topic| !topic.answered()).count()
    }

    /// The values of one measure, a topic each, in the order of the topics.
    ///
    /// # Panics
    /// When there are not so many measures; so do the functions below.
    pub fn values(&self, measure: usize) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.topics.iter().map(move |topic| topic.value(measure))
    }

    /// The figure of the run by one measure, over all topics of the labels: their mean, except where the measure's
    /// [aggregation](TopicFigures::aggregation) is a geometric mean or a sum. `None` when there are no topics. A topic that the run does
    /// not answer counts, as with `-c` of trec_eval and of ndeval.
    pub fn mean(&self, measure: usize) -> Option<f64> {
        T::aggregation(&self.measures[measure]).of(self.values(measure))
    }

    /// The same over the topics that the run answers alone, as they have it without `-c`; `None` when it answers none. A
    /// run that leaves its hard topics out has a better figure so.
    pub fn mean_of_answered(&self, measure: usize) -> Option<f64> {
        let answered = self.topics.iter().filter(|topic| topic.answered());
        let values: Vec<f64> = answered.map(|topic| topic.value(measure)).collect();
        T::aggregation(&self.measures[measure]).of(values.into_iter())
    }
}

impl TopicFigures for TopicScores {
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

impl Scores {
    /// The place of a measure among [`measures`](Self::measures), by which other functions take it.
    pub fn position(&self, measure: &Measure) -> Option<usize> {
        self.measures.iter().position(|other| other == measure)
    }

    /// Documents that one measure looked at over all topics, and how many of them have no label.
    pub fn unjudged(&self, measure: usize) -> (u64, u64) {
        unjudged(self.topics.iter().map(|topic| topic.cells[measure]))
    }
}

/// Documents that were looked at, and how many of them have no label.
pub(crate) fn unjudged(cells: impl Iterator<Item = Cell>) -> (u64, u64) {
    cells.fold((0, 0), |(seen, unjudged), cell| {
        (seen + u64::from(cell.seen), unjudged + u64::from(cell.unjudged))
    })
}
