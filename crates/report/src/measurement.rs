//! Figures of systems with intervals, as `llull measure` and the Python package show them.

use llull_metrics::{Measure, Relevant, Scores, TopicFigures};
use llull_stats::BootstrapOptions;
use serde::Serialize;

use crate::error::ReportError;
use crate::slices::SliceSection;
use crate::study::QuerySelection;
use crate::systems::{MeasuredSystem, figures, without_interval};
use crate::text::{Table, confidence as in_percent, count, figure, interval, percent};

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

impl Measurement<'_> {
    /// Measures systems over all queries, or over those that each answers.
    ///
    /// # Errors
    /// Returns those of [`figures`].
    pub fn new(
        scores: &[Scores],
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
    pub fn table(systems: &[MeasuredSystem], confidence: f64) -> Table {
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
        Table::new(columns, rows)
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

/// The conventions of every figure on which tools differ.
const CONVENTIONS: &str = "Unless stated otherwise, ties in score are broken by document id, descending, and a \
    document without a label counts as not relevant.";

/// The conventions where tools differ: of each measure, of intervals, of queries, of documents. `own` are those of a
/// caller; they go before those that all figures have.
pub fn conventions(
    scores: &[Scores],
    confidence: f64,
    answered_only: bool,
    own: impl IntoIterator<Item = String>,
) -> Vec<String> {
    let measures = scores.first().map_or(&[][..], |scores| &scores.measures);
    let queries = scores.first().map_or(0, |scores| scores.topics.len());
    own_conventions(measures)
        .chain(without_interval(queries, confidence))
        .chain(own)
        .chain([topics_note(answered_only).to_owned(), CONVENTIONS.to_owned()])
        .collect()
}

/// Describes the treatment of a query that a run does not answer.
pub fn topics_note(answered_only: bool) -> &'static str {
    if answered_only {
        "A query that a run does not answer is left out of its figures (--answered-only)."
    } else {
        "A query that a run does not answer counts as an empty list: 0 by every measure of merit."
    }
}

/// The conventions of each measure on which tools differ, and the lowest relevant grade if no name contains it.
pub fn own_conventions(measures: &[Measure]) -> impl Iterator<Item = String> {
    let own = measures.iter().filter_map(|measure| Some(format!("{measure}: {}.", measure.convention()?)));
    own.chain(level_note(measures))
}

/// From which grade on a document is relevant, for measures whose printed names leave that out.
pub fn level_note(measures: &[Measure]) -> Option<String> {
    let unsaid = |measure: &&Measure| {
        measure.relevant() == Some(Relevant::default()) && !measure.to_string().contains("rel=")
    };
    measures.iter().find(unsaid).map(|measure| {
        format!(
            "Where a name has no rel of its own, as in {measure}, a document is relevant from grade 1 on (rel=1)."
        )
    })
}

/// Describes means over lists of which half or more has no label: the run with the largest share. `None` if there is no
/// such run.
pub fn warning_of_unjudged(runs: &[Scores]) -> Option<String> {
    let share = |scores: &Scores, at: usize| {
        let (seen, unjudged) = scores.unjudged(at);
        (unjudged > 0 && unjudged * 2 >= seen).then(|| unjudged as f64 / seen as f64)
    };
    let of_run = |scores: &Scores| {
        let merit = scores.measures.iter().enumerate().filter(|(_, measure)| measure.ranks_systems());
        let shares = merit.filter_map(|(at, measure)| Some((share(scores, at)?, *measure)));
        let (share, measure) = shares.max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((share, measure, scores.run.clone()))
    };
    let found: Vec<_> = runs.iter().filter_map(of_run).collect();
    let (share, measure, run) = found.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let of = match found.len() {
        1 => run.clone(),
        runs => format!("{} runs (the most: {run})", count(runs)),
    };
    Some(format!(
        "{of}: {} of the documents that {measure} looks at have no label and count as not relevant, so the mean is of \
         little use. Label more of them, or leave them out (judged_only=True)",
        percent(*share),
    ))
}

/// Describes queries without a label, which cannot be measured; `None` if there are none.
pub fn warning_of_unlabelled<T: TopicFigures>(runs: &[Scores<T>]) -> Option<String> {
    let found: Vec<&Scores<T>> = runs.iter().filter(|scores| !scores.unlabelled.is_empty()).collect();
    let Scores { run, unlabelled, .. } = found.first()?;
    let first = unlabelled.first().map_or("", String::as_str);
    Some(match found.len() {
        1 => format!(
            "{run}: {} no label, so nothing can be measured there (the first: {first})",
            match unlabelled.len() {
                1 => "1 of its queries has".to_owned(),
                n => format!("{} of its queries have", count(n)),
            }
        ),
        runs => format!(
            "{} runs answer queries that have no label, so nothing can be measured there (the first: {run}, {} of \
             them, query {first})",
            count(runs),
            count(unlabelled.len())
        ),
    })
}
