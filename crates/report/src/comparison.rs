//! Systems against a baseline, one measure at a time.

use llull_metrics::Scores;
use llull_stats::{BootstrapOptions, Decision as Decided, PairedDifference, StatsError, paired_bootstrap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::comparable::{check_comparable, name_of};
use crate::error::ReportError;
use crate::json_number::finite;
use crate::text::{confidence, count, counted, difference, difference_interval};

/// One system against the baseline on one measure, paired over queries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BaselineComparison {
    /// The system.
    pub system: String,
    /// The system that it is compared with.
    pub baseline: String,
    /// The measure.
    pub measure: String,
    /// Mean over queries of system minus baseline; null if there is no query.
    pub mean_difference: Option<f64>,
    /// The lower end of the difference's interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The interval's confidence, such as 0.95.
    pub confidence: f64,
    /// How many bootstrap resamples the interval rests on.
    pub resamples: usize,
    /// How many queries.
    pub n: usize,
    /// Queries where the system is better.
    pub wins: usize,
    /// Queries where both are equal.
    pub ties: usize,
    /// Queries where it is worse.
    pub losses: usize,
    /// The two-sided p of no difference, from the same bootstrap; null with fewer than two queries.
    pub p: Option<f64>,
    /// What follows.
    pub decision: ComparisonFinding,
    /// Why no figures on these queries could have decided; null if some could.
    pub undecidable: Option<String>,
    /// The same in one sentence.
    pub sentence: String,
}

/// What a comparison amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ComparisonFinding {
    /// The whole interval lies above 0, on enough queries.
    Better,
    /// The whole interval lies below 0, on enough queries.
    Worse,
    /// These queries cannot tell the two apart, which does not mean that they are equally good.
    Inconclusive,
}

/// Compares every other system with `baseline` on one measure (its number in [`Scores::measures`]), in the order of
/// `scores`. All must be measured under the same labels. Without queries every comparison is inconclusive.
///
/// ```
/// # use llull_core::{Qrels, Ranking, Run, Seed};
/// # use llull_metrics::{Measure, evaluate_all};
/// # use llull_report::{ComparisonFinding, compare};
/// # use llull_stats::BootstrapOptions;
/// # let mut qrels = Qrels::default();
/// # let (mut good, mut bad) = (Run::new("good"), Run::new("bad"));
/// # for n in 0..8 {
/// #     let topic = format!("q{n}");
/// #     qrels.insert(&topic, "d1", 1);
/// #     good.insert(topic.clone(), Ranking::from_ordered([("d1", 2.0), ("d2", 1.0)]));
/// #     bad.insert(topic, Ranking::from_ordered([("d2", 2.0), ("d1", 1.0)]));
/// # }
/// let measures: Vec<Measure> = vec!["RR".parse()?];
/// let scores = evaluate_all(&measures, &qrels, &[good, bad]);
/// let comparisons = compare(&scores, 0, "good", &BootstrapOptions::new(Seed(1)))?;
/// assert_eq!(comparisons[0].decision, ComparisonFinding::Worse);
/// assert_eq!(
///     comparisons[0].sentence,
///     "bad is worse than good: RR -0.5000 [-0.5000, -0.5000] (95% paired bootstrap, 8 queries: 0 better, 0 equal, \
///      8 worse)."
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if no system is called `baseline`, if there is no such measure, if two systems were measured
/// over different queries, or if the options of the bootstrap are invalid.
pub fn compare(
    scores: &[Scores],
    measure: usize,
    baseline: &str,
    options: &BootstrapOptions,
) -> Result<Vec<BaselineComparison>, ReportError> {
    let (baseline, others) = split(scores, baseline)?;
    if let Some(measure) = baseline.measures.get(measure) {
        check_comparable(measure)?;
    }
    others.map(|system| comparison(system, baseline, measure, options)).collect()
}

pub(crate) fn split<'a>(
    scores: &'a [Scores],
    baseline: &str,
) -> Result<(&'a Scores, impl Iterator<Item = &'a Scores>), ReportError> {
    let unknown = || ReportError::UnknownSystem {
        name: baseline.to_owned(),
        known: scores.iter().map(|scores| scores.run.clone()).collect(),
    };
    let at = scores.iter().position(|scores| scores.run == baseline).ok_or_else(unknown)?;
    let others = scores.iter().enumerate().filter(move |(index, _)| *index != at).map(|(_, scores)| scores);
    Ok((&scores[at], others))
}

/// The paired difference on one measure; `None` without queries.
pub(crate) fn paired(
    system: &Scores,
    baseline: &Scores,
    measure: usize,
    options: &BootstrapOptions,
) -> Result<Option<PairedDifference>, ReportError> {
    if !system.topics.iter().map(|topic| &topic.topic).eq(baseline.topics.iter().map(|topic| &topic.topic)) {
        return Err(ReportError::DifferentTopics { a: system.run.clone(), b: baseline.run.clone() });
    }
    let values = |scores: &Scores| -> Result<Vec<f64>, ReportError> {
        name_of(scores, measure)?;
        Ok(scores.values(measure).collect())
    };
    match paired_bootstrap(&values(baseline)?, &values(system)?, options) {
        Ok(difference) => Ok(Some(difference)),
        Err(StatsError::Empty) => Ok(None),
        Err(source) => Err(ReportError::Stats { system: system.run.clone(), source }),
    }
}

fn comparison(
    system: &Scores,
    baseline: &Scores,
    measure: usize,
    options: &BootstrapOptions,
) -> Result<BaselineComparison, ReportError> {
    let paired = paired(system, baseline, measure, options)?;
    let mut comparison = BaselineComparison {
        system: system.run.clone(),
        baseline: baseline.run.clone(),
        measure: name_of(baseline, measure)?,
        mean_difference: paired.and_then(|paired| finite(paired.mean)),
        low: paired.and_then(|paired| finite(paired.low)),
        high: paired.and_then(|paired| finite(paired.high)),
        confidence: options.confidence,
        resamples: options.resamples,
        n: paired.map_or(0, |paired| paired.n),
        wins: paired.map_or(0, |paired| paired.wins),
        ties: paired.map_or(0, |paired| paired.ties),
        losses: paired.map_or(0, |paired| paired.losses),
        p: paired.and_then(|paired| paired.p),
        decision: match paired.map(|paired| paired.decision) {
            Some(Decided::Better) => ComparisonFinding::Better,
            Some(Decided::Worse) => ComparisonFinding::Worse,
            Some(Decided::Inconclusive) | None => ComparisonFinding::Inconclusive,
        },
        undecidable: match paired {
            Some(paired) => paired.undecidable.map(|why| why.to_string()),
            None => Some("there are no queries".to_owned()),
        },
        sentence: String::new(),
    };
    comparison.sentence = describe(&comparison);
    Ok(comparison)
}

fn describe(comparison: &BaselineComparison) -> String {
    let BaselineComparison { system, baseline, measure, .. } = comparison;
    let finding = match comparison.decision {
        ComparisonFinding::Better => format!("{system} is better than {baseline}"),
        ComparisonFinding::Worse => format!("{system} is worse than {baseline}"),
        ComparisonFinding::Inconclusive => {
            format!("{system} and {baseline} cannot be told apart at this number of queries")
        }
    };
    format!(
        "{finding}: {measure} {} {} ({} paired bootstrap, {}: {} better, {} equal, {} worse){}.",
        difference(comparison.mean_difference),
        difference_interval(comparison.low, comparison.high),
        confidence(comparison.confidence),
        counted(comparison.n, "query"),
        count(comparison.wins),
        count(comparison.ties),
        count(comparison.losses),
        comparison.undecidable.as_ref().map_or_else(String::new, |why| format!("; {why}")),
    )
}
