//! Every system's figures, each with the numbers behind it.

use llull_metrics::{Aggregation, Measure, Scores, ValueRange};
use llull_stats::{
    BootstrapOptions, Interval, StatsError, exact_interval, least_topics, mean_interval, mean_intervals,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::comparable::name_of;
use crate::corrected_figure::CorrectedFigure;
use crate::cost::RetrievalFigures;
use crate::error::ReportError;
use crate::json_number::finite;
use crate::text;

/// One system's figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredSystem {
    /// The system.
    pub system: String,
    /// One figure a measure, in the same order for every system.
    pub figures: Vec<Figure>,
    /// Queries of its run that the labels do not know; they are in no figure.
    pub unlabelled_topics: usize,
    /// Its times and costs; absent if its results have none, as run files do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retrieval: Option<RetrievalFigures>,
}

/// The mean of one measure, and the numbers behind it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figure {
    /// The measure, such as `nDCG@10`.
    pub measure: String,
    /// The mean over all queries of the labels; null if there are none.
    pub mean: Option<f64>,
    /// The lower end of the mean's interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The interval's confidence, such as 0.95.
    pub confidence: f64,
    /// How many queries the mean is over.
    pub n: usize,
    /// How many of them the run does not answer; they count as 0.
    pub missing_topics: usize,
    /// How many of them have no document that the labels call relevant to the measure; every run has 0 there. Absent
    /// if all have one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub topics_without_relevant: usize,
    /// How many documents the measure looked at, over all queries.
    pub seen: u64,
    /// How many of them have no label; they count as not relevant.
    pub unjudged: u64,
    /// `unjudged / seen`, from 0 to 1; null if the measure saw nothing.
    pub unjudged_share: Option<f64>,
    /// The mean if the system's own results, down to the depth that is judged, stood in the best order: the most that
    /// a reranker could reach. Documents without a label count as in `mean`. Absent if it was not computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_order: Option<f64>,
    /// The same corrected by human labels of a random sample; absent without a sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ppi: Option<CorrectedFigure>,
    /// Why it is not corrected though there is a sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ppi_refused: Option<String>,
}

/// The figure of the only system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoneFigure {
    /// The mean over queries; null if there are none.
    pub mean: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The interval's confidence, such as 0.95.
    pub confidence: f64,
    /// How many queries.
    pub n: usize,
}

impl From<&Figure> for LoneFigure {
    fn from(figure: &Figure) -> Self {
        let Figure { mean, low, high, confidence, n, .. } = *figure;
        Self { mean, low, high, confidence, n }
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Returns how many queries have no relevant document in the labels, a sentence for each such number and the measures
/// that it is so for.
pub fn without_relevant(scores: &Scores) -> Vec<String> {
    let mut by_count: Vec<(usize, Vec<String>)> = Vec::new();
    for (at, measure) in scores.measures.iter().enumerate() {
        let queries = scores.nothing_relevant(at);
        match by_count.iter_mut().find(|(count, _)| *count == queries) {
            _ if queries == 0 => {}
            Some((_, measures)) => measures.push(measure.to_string()),
            None => by_count.push((queries, vec![measure.to_string()])),
        }
    }
    let of = scores.topics.len();
    let sentence = |(queries, measures): (usize, Vec<String>)| {
        format!(
            "{} of {} {} no relevant document in the labels by {} and {} as 0 for every run",
            text::count(queries),
            text::counted(of, "query"),
            if queries == 1 { "has" } else { "have" },
            measures.join(", "),
            if queries == 1 { "counts" } else { "count" },
        )
    };
    by_count.into_iter().map(sentence).collect()
}

/// Why figures over so few queries have no interval of this confidence; `None` if they have one.
pub fn without_interval(queries: usize, confidence: f64) -> Option<String> {
    let least = least_topics(confidence);
    let share = text::confidence(confidence);
    (queries < least).then(|| format!("An interval of {share} takes at least {least} queries."))
}

/// Every system's figures, in the order of `scores`.
///
/// # Errors
/// Returns an error if the options of the bootstrap are invalid, or if a value is not a finite number.
pub fn figures(scores: &[Scores], options: &BootstrapOptions) -> Result<Vec<MeasuredSystem>, ReportError> {
    let wanted: Vec<(&Scores, usize)> = scores
        .iter()
        .flat_map(|scores| (0..scores.measures.len()).map(move |measure| (scores, measure)))
        .collect();
    let mut figures = figures_of(&wanted, options)?.into_iter();
    let system = |scores: &Scores| MeasuredSystem {
        system: scores.run.clone(),
        figures: figures.by_ref().take(scores.measures.len()).collect(),
        unlabelled_topics: scores.unlabelled.len(),
        retrieval: None,
    };
    Ok(scores.iter().map(system).collect())
}

/// The figure of each system by one measure, which is a number in [`Scores::measures`].
pub(crate) fn figures_of(
    wanted: &[(&Scores, usize)],
    options: &BootstrapOptions,
) -> Result<Vec<Figure>, ReportError> {
    let values: Vec<Vec<f64>> =
        wanted.iter().map(|(scores, measure)| scores.values(*measure).collect()).collect();
    let intervals = mean_intervals(&values, options);
    let figures = wanted.iter().zip(intervals).zip(&values).map(|(((scores, measure), interval), values)| {
        let interval = match interval {
            Ok(interval) => Some(with_exact_ends(scores.measures.get(*measure), values, interval, options)),
            Err(StatsError::Empty | StatsError::TooLarge) => None,
            Err(source) => return Err(ReportError::Stats { system: scores.run.clone(), source }),
        };
        figure(scores, *measure, interval, options)
    });
    figures.collect()
}

/// The mean of a measure's values with its interval: exact (Clopper and Pearson) if the measure is at most 1 and all
/// values are 0 or 1, such as those of Success. Resamples of equal values have no spread.
pub(crate) fn mean_with_interval(
    measure: Option<&Measure>,
    values: &[f64],
    options: &BootstrapOptions,
) -> Result<Interval, StatsError> {
    Ok(with_exact_ends(measure, values, mean_interval(values, options)?, options))
}

fn with_exact_ends(
    measure: Option<&Measure>,
    values: &[f64],
    interval: Interval,
    options: &BootstrapOptions,
) -> Interval {
    let is_share = measure.is_some_and(|measure| measure.definition().range() == ValueRange::Unit)
        && interval.n >= least_topics(options.confidence)
        && values.iter().all(|value| [0.0, 1.0].contains(value));
    let exact =
        is_share.then(|| exact_interval(values.iter().sum(), values.len() as f64, options.confidence));
    match exact {
        Some(Ok((low, high))) => Interval { low, high, ..interval },
        _ => interval,
    }
}

fn figure(
    scores: &Scores,
    measure: usize,
    interval: Option<Interval>,
    options: &BootstrapOptions,
) -> Result<Figure, ReportError> {
    // The interval is of the mean over queries, so a geometric mean or a sum has none.
    let is_mean =
        scores.measures.get(measure).is_some_and(|measure| measure.aggregation() == Aggregation::Mean);
    let mean = if is_mean { interval.map(|interval| interval.mean) } else { scores.mean(measure) };
    let interval = interval.filter(|_| is_mean);
    let (seen, unjudged) = scores.unjudged(measure);
    Ok(Figure {
        measure: name_of(scores, measure)?,
        mean: mean.and_then(finite),
        low: interval.and_then(|interval| finite(interval.low)),
        high: interval.and_then(|interval| finite(interval.high)),
        confidence: options.confidence,
        n: scores.topics.len(),
        missing_topics: scores.missing(),
        topics_without_relevant: scores.nothing_relevant(measure),
        seen,
        unjudged,
        unjudged_share: (seen > 0).then(|| unjudged as f64 / seen as f64),
        best_order: None,
        ppi: None,
        ppi_refused: None,
    })
}
