//! Compares systems with a baseline, one measure at a time.

mod missing_labels;

use llull_metrics::Scores;
use llull_stats::{
    BootstrapOptions, Decision as Decided, PairedDifference, PowerOptions, StatsError, Undecidable,
    paired_bootstrap, plan_topics,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::by_judges::ComparisonByJudges;
use crate::comparable::{check_comparable, name_of};
use crate::corrected_figure::CorrectedFigure;
use crate::error::ReportError;
use crate::json_number::finite;
use crate::text::{
    ABSENT, brief_difference, brief_interval, confidence, count, counted, difference, difference_interval,
};
use crate::track_record::TrackRecord;

pub use missing_labels::{IncompleteReason, MissingLabels};

use missing_labels::incomplete;
pub(crate) use missing_labels::interval_of;

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
    /// The number of bootstrap resamples behind the interval.
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
    /// The finding.
    #[serde(flatten)]
    pub decision: ComparisonFinding,
    /// The missing labels, and how far they could change the difference; absent if none are missing or if they were
    /// not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<MissingLabels>,
    /// How many queries a test would need to find a difference of this size with a power of 80%, if they vary as these
    /// do (paired t test, two-sided, at 0.05). Absent unless there is no clear difference, for a difference of 0, and
    /// if fewer than five differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queries_needed: Option<usize>,
    /// Why no figures on these queries could have decided; null if some could.
    pub undecidable: Option<String>,
    /// The same in one sentence.
    pub sentence: String,
    /// The difference corrected by human labels of a random sample; absent without a sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ppi: Option<CorrectedFigure>,
    /// Why it is not corrected though there is a sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ppi_refused: Option<String>,
    /// How often human labels confirmed published verdicts as clear as this one; absent if it is no verdict on judges'
    /// labels alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub track_record: Option<TrackRecord>,
    /// What each judge of a panel decides alone; absent without a panel, and if human labels correct the difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_judges: Option<ComparisonByJudges>,
}

/// The decision between two systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum ComparisonFinding {
    /// The whole interval lies above 0, on enough queries.
    Better,
    /// The whole interval lies below 0, on enough queries.
    Worse,
    /// No clear difference on these queries, which does not mean that the two are equally good.
    Inconclusive,
    /// The two have the same value on every query.
    Identical,
    /// No comparison: no query has a label, or no document that either system returned has one.
    Unmeasured,
    /// A judge is unreliable, or all labels have one grade, so nothing follows from the figures.
    NotTrusted,
    /// Labels are missing that could change the decision.
    Incomplete {
        /// Why.
        incomplete_because: IncompleteReason,
    },
}

/// The difference that decides and the ends of its interval: corrected by human labels where it is.
pub(crate) fn decisive_figures(comparison: &BaselineComparison) -> (Option<f64>, Option<f64>, Option<f64>) {
    match &comparison.ppi {
        Some(found) => (Some(found.value), Some(found.low), Some(found.high)),
        None => (comparison.mean_difference, comparison.low, comparison.high),
    }
}

impl ComparisonFinding {
    /// Returns the finding in a word or two.
    pub fn words(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Inconclusive => "no clear difference",
            Self::Identical => "the same",
            Self::Unmeasured => "not compared",
            Self::NotTrusted => "no verdict",
            Self::Incomplete { .. } => "labels missing",
        }
    }

    /// Returns whether the labels decide, even if they find no clear difference.
    pub(crate) fn is_verdict(self) -> bool {
        matches!(self, Self::Better | Self::Worse | Self::Inconclusive | Self::Identical)
    }

    /// Returns whether labels are missing that could change the decision.
    pub fn is_incomplete(self) -> bool {
        matches!(self, Self::Incomplete { .. })
    }
}

/// Compares every other system with `baseline` on one measure (its number in [`Scores::measures`]), in the order of
/// `scores`. All must be measured under the same labels. Without queries there is nothing to compare.
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

/// Whether a system returned documents of which none has a label.
fn is_unlabelled(scores: &Scores, measure: usize) -> bool {
    let (seen, unjudged) = scores.unjudged(measure);
    seen > 0 && seen == unjudged
}

/// Whether any document that the measure used has a label. If not, its values are 0 by convention only.
pub(crate) fn is_labelled(scores: &Scores, measure: usize) -> bool {
    let (seen, unjudged) = scores.unjudged(measure);
    seen > unjudged
}

fn comparison(
    system: &Scores,
    baseline: &Scores,
    measure: usize,
    options: &BootstrapOptions,
) -> Result<BaselineComparison, ReportError> {
    let paired = paired(system, baseline, measure, options)?;
    let labelled = is_labelled(system, measure) || is_labelled(baseline, measure);
    let (decision, undecidable) = finding(paired.as_ref(), labelled);
    let decision = match (is_unlabelled(system, measure), is_unlabelled(baseline, measure)) {
        (true, false) => IncompleteReason::SystemUnlabelled.into(),
        (false, true) => IncompleteReason::BaselineUnlabelled.into(),
        (true, true) | (false, false) => decision,
    };
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
        decision,
        missing: None,
        queries_needed: None,
        undecidable,
        sentence: String::new(),
        ppi: None,
        ppi_refused: None,
        track_record: None,
        by_judges: None,
    };
    if comparison.decision == ComparisonFinding::Inconclusive {
        let least = match paired.and_then(|paired| paired.undecidable) {
            Some(Undecidable::TooFewTopics { needed, .. }) => needed,
            _ => 0,
        };
        let level = PowerOptions::default().significance;
        comparison.queries_needed = queries_needed((system, baseline), measure, 0.0, least, level);
    }
    comparison.sentence = describe(&comparison);
    Ok(comparison)
}

/// From so few different values nothing follows on how values vary.
const LEAST_DIFFERING: usize = 5;

/// The queries that would find this difference to be on its side of `bound` at a level, not fewer than the confidence
/// needs at `least`; `None` if that is unknown, or these should have found it, or fewer than five differ.
pub(crate) fn queries_needed(
    (system, baseline): (&Scores, &Scores),
    measure: usize,
    bound: f64,
    least: usize,
    significance: f64,
) -> Option<usize> {
    let [theirs, own] = [baseline, system].map(|scores| scores.values(measure).collect::<Vec<f64>>());
    if own.iter().zip(&theirs).filter(|(own, theirs)| own != theirs).count() < LEAST_DIFFERING {
        return None;
    }
    let difference =
        own.iter().zip(&theirs).map(|(own, theirs)| own - theirs).sum::<f64>() / own.len() as f64;
    let options = PowerOptions { significance, ..PowerOptions::default() };
    let plan = plan_topics(&theirs, &own, difference - bound, &options).ok()?;
    plan.needed.map(|needed| needed.max(least)).filter(|needed| *needed > own.len())
}

/// The finding of a comparison, and why no figures could have decided.
fn finding(paired: Option<&PairedDifference>, labelled: bool) -> (ComparisonFinding, Option<String>) {
    let Some(paired) = paired else {
        return (ComparisonFinding::Unmeasured, Some("no query has a label".to_owned()));
    };
    if !labelled {
        return (
            ComparisonFinding::Unmeasured,
            Some("no document that they returned has a label".to_owned()),
        );
    }
    let finding = match (paired.decision, paired.undecidable) {
        (Decided::Better, _) => ComparisonFinding::Better,
        (Decided::Worse, _) => ComparisonFinding::Worse,
        (Decided::Inconclusive, Some(Undecidable::Identical)) => ComparisonFinding::Identical,
        (Decided::Inconclusive, _) => ComparisonFinding::Inconclusive,
    };
    (finding, paired.undecidable.map(|why| why.to_string()))
}

/// The beginning of a comparison's sentence, or the whole of one that has no difference to show.
fn beginning(comparison: &BaselineComparison) -> Result<String, String> {
    let BaselineComparison { system, baseline, measure, .. } = comparison;
    match comparison.decision {
        ComparisonFinding::Better => Ok(format!("{system} is better than {baseline}")),
        ComparisonFinding::Worse => Ok(format!("{system} is worse than {baseline}")),
        ComparisonFinding::Inconclusive => Ok(format!("No clear difference between {system} and {baseline}")),
        ComparisonFinding::NotTrusted => Ok(format!("No verdict between {system} and {baseline}")),
        ComparisonFinding::Identical => Err(format!(
            "{system} and {baseline} have the same {measure} on every query ({}).",
            counted(comparison.n, "query")
        )),
        ComparisonFinding::Unmeasured => Err(format!(
            "{system} and {baseline} are not compared by {measure}: {}.",
            comparison.undecidable.as_deref().unwrap_or_default()
        )),
        ComparisonFinding::Incomplete { incomplete_because } => {
            Err(incomplete(comparison, incomplete_because))
        }
    }
}

/// `24 queries: 7 better, 1 equal, 16 worse`
fn by_query(comparison: &BaselineComparison) -> String {
    format!(
        "{}: {} better, {} equal, {} worse",
        counted(comparison.n, "query"),
        count(comparison.wins),
        count(comparison.ties),
        count(comparison.losses)
    )
}

/// Why no figures could have decided, at the end of a sentence.
fn because(comparison: &BaselineComparison) -> String {
    comparison.undecidable.as_ref().map_or_else(String::new, |reason| format!("; {reason}"))
}

/// A difference with two decimals, and its interval: `-0.20 (-0.28 to -0.14)`.
fn brief(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> String {
    let value = value.map_or_else(|| ABSENT.to_owned(), brief_difference);
    match low.zip(high) {
        Some((low, high)) => format!("{value} ({})", brief_interval(low, high)),
        None => value,
    }
}

/// The sentence of a page, which names the confidence once: two decimals, and by the correction if there is one.
pub(crate) fn brief_sentence(comparison: &BaselineComparison) -> String {
    let beginning = match beginning(comparison) {
        Ok(beginning) => beginning,
        Err(sentence) => return sentence,
    };
    let by_query = format!(
        "{} better on {} of {}, equal on {}, worse on {}",
        comparison.system,
        count(comparison.wins),
        counted(comparison.n, "query"),
        count(comparison.ties),
        count(comparison.losses)
    );
    let measure = &comparison.measure;
    let by_judge = brief(comparison.mean_difference, comparison.low, comparison.high);
    let because = because(comparison);
    match &comparison.ppi {
        None => format!("{beginning}: {measure} {by_judge}, {by_query}{because}."),
        Some(found) => {
            let here = if found.estimand == "these_queries" { " on these queries" } else { "" };
            let labels = counted(found.labels, "human label");
            let corrected = brief(Some(found.value), Some(found.low), Some(found.high));
            format!(
                "{beginning}{here}, corrected by {labels}: {measure} {corrected}. By the judge's labels alone: \
                 {by_judge}, {by_query}{because}."
            )
        }
    }
}

/// The sentence with four decimals.
pub(crate) fn describe(comparison: &BaselineComparison) -> String {
    let finding = match beginning(comparison) {
        Ok(beginning) => beginning,
        Err(sentence) => return sentence,
    };
    let measure = &comparison.measure;
    let because = because(comparison);
    let by_query = by_query(comparison);
    let rests_on = match (comparison.low, comparison.high) {
        (None, None) => format!("({by_query})"),
        (low, high) => format!(
            "{} ({} paired bootstrap, {by_query})",
            difference_interval(low, high),
            confidence(comparison.confidence)
        ),
    };
    format!("{finding}: {measure} {} {rests_on}{because}.", difference(comparison.mean_difference))
}
