//! What an evaluation yields: every figure with what it rests on.

use serde::Serialize;

use crate::Measure;

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

/// One run measured under one set of labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scores {
    /// The run's name.
    pub run: String,
    /// What was measured.
    pub measures: Vec<Measure>,
    /// Every topic of the labels, in their order.
    pub topics: Vec<TopicScores>,
    /// Topics of the run that the labels do not know; they are left out of every figure.
    pub unlabelled: Vec<String>,
}

impl Scores {
    /// Topics that the run does not answer; they count as 0 in every mean.
    pub fn missing(&self) -> usize {
        self.topics.iter().filter(|topic| !topic.answered).count()
    }

    /// The place of a measure among [`measures`](Self::measures), by which the functions below take it.
    pub fn position(&self, measure: &Measure) -> Option<usize> {
        self.measures.iter().position(|other| other == measure)
    }

    /// The values of one measure, a topic each, in the order of the topics.
    ///
    /// # Panics
    /// When there are not so many measures; so do the functions below.
    pub fn values(&self, measure: usize) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.topics.iter().map(move |topic| topic.cells[measure].value)
    }

    /// The figure of the run by one measure, over all topics of the labels: their mean, except where the measure's
    /// [aggregation](Measure::aggregation) is a geometric mean or a sum. `None` when there are no topics. A topic that the run does
    /// not answer counts, as with `trec_eval -c`.
    pub fn mean(&self, measure: usize) -> Option<f64> {
        self.measures[measure].aggregation().of(self.values(measure))
    }

    /// The same over the topics that the run answers alone, as trec_eval has it without `-c`; `None` when it answers none. A
    /// run that leaves its hard topics out has a better figure so.
    pub fn mean_of_answered(&self, measure: usize) -> Option<f64> {
        let answered = self.topics.iter().filter(|topic| topic.answered);
        let values: Vec<f64> = answered.map(|topic| topic.cells[measure].value).collect();
        let aggregation = self.measures[measure].aggregation();
        if values.is_empty() { None } else { aggregation.of(values.into_iter()) }
    }

    /// Documents that one measure looked at over all topics, and how many of them have no label.
    pub fn unjudged(&self, measure: usize) -> (u64, u64) {
        self.topics.iter().map(|topic| topic.cells[measure]).fold((0, 0), |(seen, unjudged), cell| {
            (seen + u64::from(cell.seen), unjudged + u64::from(cell.unjudged))
        })
    }
}
