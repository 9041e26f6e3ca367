//! Systems against a baseline, and gates on the difference.

use llull_metrics::{Aggregation, Measure, Scores};
use llull_stats::{
    BootstrapOptions, Decision as Decided, Gate, PairedDifference, StatsError, least_topics, paired_bootstrap,
};

use crate::{
    BaselineComparison, ComparisonFinding, GateResult, ReportError,
    numbers::{confidence, count, counted, difference, finite},
};

/// Every other system against `baseline` on one measure (its number in [`Scores::measures`]), in the order of `scores`.
/// All must be measured under the same labels. Without topics every comparison is inconclusive.
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
///     "bad is worse than good: RR -0.5000 [-0.5000, -0.5000] (95% paired bootstrap, 8 topics: 0 better, 0 equal, 8 worse)."
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When no system is called `baseline`, the measure is not there, two systems were measured over different topics,
/// or the bootstrap refuses its options.
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

/// Whether a difference of means says that a system is better: not of geometric means and sums, nor of what is missing.
pub fn is_comparable(measure: &Measure) -> bool {
    measure.aggregation() == Aggregation::Mean && measure.ranks_systems()
}

/// Refuses what is not [`is_comparable`], and says why.
///
/// # Errors
/// [`ReportError::NotComparable`] of such a measure.
pub fn check_comparable(measure: &Measure) -> Result<(), ReportError> {
    let reason = match measure.aggregation() {
        _ if is_comparable(measure) => return Ok(()),
        Aggregation::GeometricMean => {
            "it is a geometric mean over queries, and differences by query do not add up to one of those"
        }
        Aggregation::Sum => "it is a count over all queries and no mean over them",
        Aggregation::Mean => "it says what is missing from labels or lists, and more of that is not better",
    };
    Err(ReportError::NotComparable { measure: measure.to_string(), reason })
}

/// Holds every gate against every system's difference from `baseline`: gate by gate, systems in the order of `scores`.
/// A gate on no topics, on an end of an interval that has no bound, or on systems of which nothing that the measure
/// looked at is labelled (so that both are 0 by convention), fails.
///
/// # Errors
/// As [`compare`], also of a gate on a measure that cannot be compared, and when a gate names a measure that was not
/// computed.
pub fn gates(
    gates: &[Gate],
    scores: &[Scores],
    baseline: &str,
    options: &BootstrapOptions,
) -> Result<Vec<GateResult>, ReportError> {
    let mut results = Vec::new();
    for gate in gates {
        let (baseline, others) = split(scores, baseline)?;
        let measure = measure_of(gate, baseline)?;
        if let Some(measure) = baseline.measures.get(measure) {
            check_comparable(measure)?;
        }
        for system in others {
            let paired = paired(system, baseline, measure, options)?;
            let labelled = [system, baseline].iter().any(|scores| {
                let (seen, unjudged) = scores.unjudged(measure);
                seen > unjudged
            });
            let tested =
                if labelled { paired.ok_or("there are no topics") } else { Err("nothing is labelled") };
            results.push(hold(gate, system, tested));
        }
    }
    Ok(results)
}

fn split<'a>(
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

fn measure_of(gate: &Gate, scores: &Scores) -> Result<usize, ReportError> {
    let measure = gate.measure().parse::<Measure>().ok();
    measure.and_then(|measure| scores.measures.iter().position(|known| *known == measure)).ok_or_else(|| {
        ReportError::GateMeasure {
            gate: gate.to_string(),
            known: scores.measures.iter().map(ToString::to_string).collect(),
        }
    })
}

/// The paired difference on one measure; `None` without topics.
fn paired(
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

/// The measure's name.
pub(crate) fn name_of(scores: &Scores, measure: usize) -> Result<String, ReportError> {
    let unknown = || ReportError::UnknownMeasure { system: scores.run.clone(), measure };
    scores.measures.get(measure).map(ToString::to_string).ok_or_else(unknown)
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
            None => Some("there are no topics".to_owned()),
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
            format!("{system} and {baseline} cannot be told apart at this number of topics")
        }
    };
    format!(
        "{finding}: {measure} {} [{}, {}] ({} paired bootstrap, {}: {} better, {} equal, {} worse){}.",
        difference(comparison.mean_difference),
        difference(comparison.low),
        difference(comparison.high),
        confidence(comparison.confidence),
        counted(comparison.n, "topic"),
        count(comparison.wins as u64),
        count(comparison.ties as u64),
        count(comparison.losses as u64),
        comparison.undecidable.as_ref().map_or_else(String::new, |why| format!("; {why}")),
    )
}

fn hold(gate: &Gate, system: &Scores, tested: Result<PairedDifference, &'static str>) -> GateResult {
    let value = tested.ok().and_then(|paired| finite(gate.figure(&paired)));
    let passed = value.is_some() && tested.is_ok_and(|paired| gate.holds(&paired));
    let found = match (tested, value) {
        (Err(why), _) => why.to_owned(),
        (Ok(paired), None) => format!(
            "it has no bound, as an interval of {} takes at least {} topics (n = {})",
            confidence(paired.confidence),
            least_topics(paired.confidence),
            count(paired.n as u64)
        ),
        (Ok(paired), Some(value)) => {
            format!("it is {} over {}", difference(Some(value)), counted(paired.n, "topic"))
        }
    };
    GateResult {
        gate: gate.to_string(),
        system: system.run.clone(),
        value,
        passed,
        sentence: format!("{gate} {} for {}: {found}.", if passed { "holds" } else { "fails" }, system.run),
    }
}
