//! The figures of systems as data: what `llull measure --json` prints.

use llull_metrics::Scores;
use llull_stats::BootstrapOptions;
use serde::Serialize;

use super::conventions::conventions;
use crate::error::ReportError;
use crate::slices::SliceSection;
use crate::study::QuerySelection;
use crate::systems::{MeasuredSystem, figures};
use crate::text::{TableColumn, confidence as in_percent, count, figure, interval};

/// The figures of systems, with the conventions behind them.
#[derive(Debug, Clone, Serialize)]
pub struct Measurement<'a> {
    /// The number of queries.
    pub topics: usize,
    /// Which queries were chosen; absent for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<&'a QuerySelection>,
    /// The conventions on which tools differ.
    pub conventions: Vec<String>,
    /// Whether queries that a run does not answer are left out, instead of counting as 0.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub answered_only: bool,
    /// Every system, in the order of the scores.
    pub systems: Vec<MeasuredSystem>,
    /// The systems on slices of the queries.
    #[serde(skip_serializing_if = "<[SliceSection]>::is_empty")]
    pub slices: &'a [SliceSection],
    /// The figures of every query; absent if they are not wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_query: Option<&'a [Scores]>,
}

impl<'a> Measurement<'a> {
    /// Measures systems over all queries, or over those that each answers.
    ///
    /// # Errors
    /// Returns those of [`figures`].
    pub fn new(
        scores: &'a [Scores],
        answered_only: bool,
        options: &BootstrapOptions,
    ) -> Result<Self, ReportError> {
        Ok(Self {
            topics: scores.first().map_or(0, |scores| scores.topics.len()),
            queries: None,
            conventions: conventions(scores, options.confidence, answered_only, None),
            answered_only,
            systems: if answered_only { answered(scores, options)? } else { figures(scores, options)? },
            slices: &[],
            per_query: None,
        })
    }

    /// Returns one row for each system and measure: mean, interval and evidence.
    pub fn table(systems: &[MeasuredSystem], confidence: f64) -> (Vec<TableColumn>, Vec<Vec<String>>) {
        let of_confidence = format!("{} interval", in_percent(confidence));
        let has_best =
            systems.iter().flat_map(|system| &system.figures).any(|found| found.best_order.is_some());
        let rows = systems.iter().flat_map(|system| {
            system.figures.iter().map(|measured| {
                let best = has_best.then(|| figure(measured.best_order));
                let counts = [
                    count(measured.n),
                    count(measured.missing_topics),
                    format!("{} of {}", count(measured.unjudged), count(measured.seen)),
                ];
                let figures = [figure(measured.mean), interval(measured.low, measured.high)];
                let names = [system.system.clone(), measured.measure.clone()];
                names.into_iter().chain(figures).chain(best).chain(counts).collect()
            })
        });
        let columns = ["system", "measure", "mean", &of_confidence].into_iter();
        let columns =
            columns.chain(has_best.then_some("best order")).chain(["queries", "missing", "unjudged"]);
        (columns.map(TableColumn::from).collect(), rows.collect())
    }
}

/// The figures over the queries that each system answers.
fn answered(scores: &[Scores], options: &BootstrapOptions) -> Result<Vec<MeasuredSystem>, ReportError> {
    let mut answered = scores.to_vec();
    for scores in &mut answered {
        scores.topics.retain(|topic| topic.answered);
    }
    let mut systems = figures(&answered, options)?;
    for (system, scores) in systems.iter_mut().zip(scores) {
        system.figures.iter_mut().for_each(|figure| figure.missing_topics = scores.missing());
    }
    Ok(systems)
}
