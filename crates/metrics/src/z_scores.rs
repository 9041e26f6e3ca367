//! Z-scores of a query's figures among those of other systems.

use llull_core::Standardization;
use serde::Serialize;

use crate::aggregation::Aggregation;
use crate::evaluation::Scores;
use crate::measure::Measure;
use crate::parameters::Relevant;

/// A figure of a query among those of other systems.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "is", content = "value")]
pub enum ZScore {
    /// (figure - mean) / deviation; 0 if all other systems have the same figure and this one has it, too.
    Value(f64),
    /// There is no mean for this measure and query, or the measure has no figure for a query.
    NoReference,
    /// All other systems have the same figure, and this one has another, so that there is no unit of difference.
    NoSpread,
}

impl ZScore {
    /// The number, if there is one.
    pub fn value(self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(value),
            Self::NoReference | Self::NoSpread => None,
        }
    }
}

/// The z-scores of one query, in the order of [`ZScores::measures`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ZTopic {
    /// The query.
    pub topic: String,
    /// Whether the run returned any document for it; if not, its z-scores are those of 0.
    pub answered: bool,
    /// One z-score a measure.
    pub cells: Vec<ZScore>,
}

/// A run's figures among those of other systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ZScores {
    /// The run's name.
    pub run: String,
    /// The measures.
    pub measures: Vec<Measure>,
    /// Every query of the labels, in their order.
    pub topics: Vec<ZTopic>,
}

/// A run's z-score by one measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ZFigure {
    /// The mean over the queries that have one; of counts the sum, as in trec_eval.
    pub value: f64,
    /// How many queries have one.
    pub topics: usize,
    /// How many have none, and are left out. (trec_eval uses -1,000,000 for each of them.)
    pub missing: usize,
}

impl ZScores {
    /// The figure of the run over all queries of the labels; `None` if no query has a z-score.
    pub fn mean(&self, measure: usize) -> Option<ZFigure> {
        self.over(measure, self.topics.iter())
    }

    /// The same over only the queries that the run answers, as in trec_eval without `-c`.
    pub fn mean_of_answered(&self, measure: usize) -> Option<ZFigure> {
        self.over(measure, self.topics.iter().filter(|topic| topic.answered))
    }

    fn over<'a>(&self, measure: usize, topics: impl Iterator<Item = &'a ZTopic>) -> Option<ZFigure> {
        let cells: Vec<ZScore> = topics.map(|topic| topic.cells[measure]).collect();
        let values: Vec<f64> = cells.iter().filter_map(|cell| cell.value()).collect();
        let (topics, missing) = (values.len(), cells.len() - values.len());
        let aggregation = match self.measures[measure].aggregation() {
            Aggregation::Sum => Aggregation::Sum,
            // z-scores can be negative, and have no geometric mean
            Aggregation::Mean | Aggregation::GeometricMean => Aggregation::Mean,
        };
        Some(ZFigure { value: aggregation.of(values.into_iter())?, topics, missing })
    }
}

/// The z-scores of a run's figures (trec_eval's `-Z`; Webber, Moffat and Zobel, Score standardization for
/// inter-collection comparison of retrieval systems, SIGIR 2008).
///
/// A measure is looked up by trec_eval's name for it at `level`, then by its own. A query has no z-score if the
/// reference does not have it or the measure, nor if its standard deviation is 0 and the figure is not its mean.
///
/// ```
/// use llull_core::{Factors, Qrels, Ranking, Run, Standardization};
/// use llull_metrics::{Relevant, ZScore, evaluate, standardize};
///
/// let mut qrels = Qrels::default();
/// qrels.insert("q1", "d1", 1);
/// let mut run = Run::new("bm25");
/// run.insert("q1", Ranking::from_scored([("d1", 1.0)]));
/// let mut others = Standardization::default();
/// others.insert("q1", "map", Factors { mean: 0.6, deviation: 0.2 });
///
/// let scores = evaluate(&["AP".parse()?, "RR".parse()?], &qrels, &run);
/// let z = standardize(&scores, Relevant::default(), &others);
/// assert!(z.topics[0].cells[0].value().is_some_and(|value| (value - 2.0).abs() < 1e-12));
/// assert_eq!(z.topics[0].cells[1], ZScore::NoReference);
/// assert_eq!(z.mean(1), None);
/// # Ok::<(), llull_metrics::MeasureError>(())
/// ```
pub fn standardize(scores: &Scores, level: Relevant, reference: &Standardization) -> ZScores {
    let names: Vec<[Option<String>; 2]> = scores
        .measures
        .iter()
        .map(|measure| {
            let has = measure.has_topic_figures();
            [measure.trec_eval_name(level), Some(measure.to_string())].map(|name| name.filter(|_| has))
        })
        .collect();
    let topics = scores.topics.iter().map(|topic| {
        let cells = names.iter().zip(&topic.cells).map(|(names, cell)| {
            let factors = names.iter().flatten().find_map(|name| reference.get(&topic.topic, name));
            match factors {
                None => ZScore::NoReference,
                Some(factors) if factors.deviation > 0.0 => {
                    ZScore::Value((cell.value - factors.mean) / factors.deviation)
                }
                Some(factors) if cell.value == factors.mean => ZScore::Value(0.0),
                Some(_) => ZScore::NoSpread,
            }
        });
        ZTopic { topic: topic.topic.clone(), answered: topic.answered, cells: cells.collect() }
    });
    ZScores { run: scores.run.clone(), measures: scores.measures.clone(), topics: topics.collect() }
}
