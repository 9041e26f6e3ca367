//! The scores of a run: every figure with its evidence.

use serde::Serialize;

use crate::aggregation::Aggregation;
use crate::measure::Measure;

/// One figure of one query.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cell {
    /// The measure's value.
    pub value: f64,
    /// The number of documents that the measure read: down to its [depth](Measure::depth), or all retrieved.
    pub seen: u32,
    /// How many of them have no label. They count as not relevant. P, RR and Success can only rise if they are judged;
    /// nDCG, AP, R and Compat can fall too, since another relevant document raises their divisor.
    pub unjudged: u32,
    /// Whether no labelled document is worth anything to the measure, so that every run has 0.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub nothing_relevant: bool,
}

/// The figures of one query, in the order of [`Scores::measures`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TopicScores {
    /// The query.
    pub topic: String,
    /// Whether the run returned any document for it; if not, its figures are 0.
    pub answered: bool,
    /// How many documents the labels call relevant at grade 1 or more.
    pub relevant: u32,
    /// One figure a measure.
    pub cells: Vec<Cell>,
}

/// The figures of a query, for any kind of labels. [`Scores`] consist of them.
pub trait TopicFigures {
    /// The measures of the figures.
    type Measure;

    /// The query.
    fn topic(&self) -> &str;

    /// Whether the run returned any document for it.
    fn answered(&self) -> bool;

    /// The figure by one measure, given by its place in [`Scores::measures`].
    ///
    /// # Panics
    /// Panics if there are not so many measures.
    fn value(&self, measure: usize) -> f64;

    /// How figures by a measure become that of the run.
    fn aggregation(measure: &Self::Measure) -> Aggregation;
}

/// The figures of a query that count the documents without a label.
pub trait TopicCells: TopicFigures {
    /// One figure a measure.
    fn cells(&self) -> &[Cell];
}

/// Implements [`TopicFigures`] and [`TopicCells`] for figures of a query that are its `cells`.
macro_rules! figures_are_cells {
    ($topic:ty, $measure:ty, $aggregation:expr) => {
        impl $crate::evaluation::TopicFigures for $topic {
            type Measure = $measure;

            fn topic(&self) -> &str {
                &self.topic
            }

            fn answered(&self) -> bool {
                self.answered
            }

            fn value(&self, measure: usize) -> f64 {
                self.cells[measure].value
            }

            fn aggregation(measure: &$measure) -> $crate::aggregation::Aggregation {
                $aggregation(measure)
            }
        }

        impl $crate::evaluation::TopicCells for $topic {
            fn cells(&self) -> &[$crate::evaluation::Cell] {
                &self.cells
            }
        }
    };
}

pub(crate) use figures_are_cells;

/// One run measured; with one set of labels unless stated otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound = "T: Serialize, T::Measure: Serialize")]
pub struct Scores<T: TopicFigures = TopicScores> {
    /// The run's name.
    pub run: String,
    /// The measures.
    pub measures: Vec<T::Measure>,
    /// Every query of the labels, in their order.
    pub topics: Vec<T>,
    /// Queries of the run that have no labels; they are left out of every figure.
    pub unlabelled: Vec<String>,
}

impl<T: TopicFigures> Scores<T> {
    /// How many queries the run does not answer; they count as 0 in every mean.
    pub fn missing(&self) -> usize {
        self.topics.iter().filter(|topic| !topic.answered()).count()
    }

    /// The values of one measure, one for each query, in the order of the queries.
    ///
    /// # Panics
    /// Panics if there are not so many measures; so do the functions below.
    pub fn values(&self, measure: usize) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.topics.iter().map(move |topic| topic.value(measure))
    }

    /// The figure of the run by one measure, over all queries of the labels: their mean, unless the measure's
    /// [aggregation](TopicFigures::aggregation) is a geometric mean or a sum. `None` if there are no queries. A query
    /// that the run does not answer counts, as with `-c` of trec_eval and of ndeval.
    pub fn mean(&self, measure: usize) -> Option<f64> {
        T::aggregation(&self.measures[measure]).of(self.values(measure))
    }

    /// The same over only the queries that the run answers, as with trec_eval and ndeval without `-c`; `None` if it
    /// answers none. A run that leaves out its hard queries has a better figure this way.
    pub fn mean_of_answered(&self, measure: usize) -> Option<f64> {
        let answered = self.topics.iter().filter(|topic| topic.answered());
        let values: Vec<f64> = answered.map(|topic| topic.value(measure)).collect();
        T::aggregation(&self.measures[measure]).of(values.into_iter())
    }
}

impl<T: TopicCells> Scores<T> {
    /// How many queries have no document in the labels that is worth anything to one measure. Every run has 0 there.
    pub fn nothing_relevant(&self, measure: usize) -> usize {
        self.topics.iter().filter(|topic| topic.cells()[measure].nothing_relevant).count()
    }

    /// How many documents one measure looked at over all queries, and how many of them have no label. With several
    /// judges a document counts once a judge; with subtopics it has no label if it has none for any subtopic.
    pub fn unjudged(&self, measure: usize) -> (u64, u64) {
        let cells = self.topics.iter().map(|topic| topic.cells()[measure]);
        cells.fold((0, 0), |(seen, unjudged), cell| {
            (seen + u64::from(cell.seen), unjudged + u64::from(cell.unjudged))
        })
    }
}

impl Scores {
    /// The place of a measure among [`measures`](Self::measures), which other functions take.
    pub fn position(&self, measure: &Measure) -> Option<usize> {
        self.measures.iter().position(|other| other == measure)
    }
}

figures_are_cells!(TopicScores, Measure, Measure::aggregation);
