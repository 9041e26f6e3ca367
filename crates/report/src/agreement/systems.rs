//! Compares systems under two label sets: order, conclusions and power.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::Seed;
use llull_metrics::{Cell, Measure, Scores};
use llull_stats::{
    BootstrapOptions, Conclusion, ConclusionCounts, Correction, DiscriminativePower, PairOptions, PairResult,
    PairTest, SystemAgreement, SystemOptions, SystemScores, discriminative_power, system_agreement,
};
use serde::Serialize;

use super::report::AgreementReportError;
use crate::comparable::is_comparable;
use crate::significance::{Family, Tests};

/// How to compare.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SystemsOptions {
    /// How the rankings are compared.
    pub rankings: SystemOptions,
    /// How pairs of systems are tested under each label set.
    pub pairs: PairOptions,
    /// Whether to keep [`SystemsUnderBoth::power`].
    pub power: bool,
}

impl SystemsOptions {
    /// Intervals from 10,000 resamples, and all pairs of systems by the randomised Tukey test at 0.05 with as many
    /// permutations: its p hold for all systems together, however many there are.
    pub fn new(seed: Seed) -> Self {
        Self {
            rankings: SystemOptions {
                bootstrap: Some(BootstrapOptions::new(seed)),
                ..SystemOptions::default()
            },
            pairs: PairOptions::new(PairTest::Tukey, seed),
            power: false,
        }
    }
}

/// Systems under two label sets, over the queries that both have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemsUnderBoth {
    /// The measure under the truth.
    pub measure: Measure,
    /// The measure under the other labels.
    pub other_measure: Measure,
    /// Queries that only the truth has, which count nowhere.
    pub queries_only_truth: usize,
    /// Queries that only the other has.
    pub queries_only_other: usize,
    /// Over all systems, queries left without an answer; their value is 0 under both.
    pub unanswered: usize,
    /// Queries without a relevant document in the labels, where every system has 0; absent if there are none.
    #[serde(skip_serializing_if = "UnderBoth::is_zero")]
    pub without_relevant: UnderBoth<usize>,
    /// Documents without a label.
    pub unjudged: UnderBoth<UnjudgedDocuments>,
    /// How alike the rankings are.
    #[serde(flatten)]
    pub agreement: SystemAgreement,
    /// The queries, in the order of [`tau_by_query`](SystemAgreement::tau_by_query).
    pub query_ids: Vec<String>,
    /// How many pairs of systems lead to the same conclusion.
    pub conclusions: Conclusions,
    /// How well each label set separates the systems, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power: Option<PowerUnderBoth>,
}

/// How many of these queries have no relevant document in the labels that systems were measured under.
fn without_relevant(scores: &[Scores], measure: usize, queries: &[String]) -> usize {
    let common: BTreeSet<&str> = queries.iter().map(String::as_str).collect();
    let topics = scores.first().into_iter().flat_map(|scores| &scores.topics);
    let nothing = topics.filter(|topic| topic.cells.get(measure).is_some_and(|cell| cell.nothing_relevant));
    nothing.filter(|topic| common.contains(topic.topic.as_str())).count()
}

/// Compares systems measured under the truth with the same systems measured under other labels. Both sides have the
/// same runs in the same order, and the measure at this place, which may differ between them. Queries that only one
/// side has are left out and counted.
///
/// Correlation: [`system_agreement`]. Conclusions: every pair of systems is tested under each label set in the same
/// way, and the findings are compared ([`ConclusionCounts`](llull_stats::ConclusionCounts)). Power:
/// [`discriminative_power`].
///
/// # Errors
/// Returns an error if there are fewer than two systems, the sides have different systems, no query is common, a
/// measure is no mean over queries, or an option is invalid.
pub fn systems_under(
    truth: &[Scores],
    other: &[Scores],
    measure: usize,
    options: &SystemsOptions,
) -> Result<SystemsUnderBoth, AgreementReportError> {
    let paired = PairedScores::of(truth, other, measure)?;
    let scores: Vec<SystemScores<'_>> = paired
        .names
        .iter()
        .zip(paired.truth.iter().zip(&paired.other))
        .map(|(name, (truth, other))| SystemScores { name, truth, other })
        .collect();
    let power = UnderBoth {
        truth: discriminative_power(&paired.truth, &options.pairs)?,
        other: discriminative_power(&paired.other, &options.pairs)?,
    };
    Ok(SystemsUnderBoth {
        measure: paired.measures.truth,
        other_measure: paired.measures.other,
        queries_only_truth: paired.only.truth,
        queries_only_other: paired.only.other,
        unanswered: paired.unanswered,
        without_relevant: UnderBoth {
            truth: without_relevant(truth, measure, &paired.queries),
            other: without_relevant(other, measure, &paired.queries),
        },
        unjudged: paired.unjudged,
        agreement: system_agreement(&scores, &options.rankings)?,
        conclusions: Conclusions::of(&power, &options.pairs),
        power: options.power.then(|| PowerUnderBoth::of(&paired.names, power)),
        query_ids: paired.queries,
    })
}

/// The same thing under the truth and under the other labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct UnderBoth<T> {
    /// Under the truth.
    pub truth: T,
    /// Under the other labels.
    pub other: T,
}

impl UnderBoth<usize> {
    pub(super) fn is_zero(&self) -> bool {
        self.truth + self.other == 0
    }
}

/// The documents that a measure used, over all systems and queries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct UnjudgedDocuments {
    /// How many there are.
    pub seen: u64,
    /// How many of them have no label, and so count as not relevant.
    pub unjudged: u64,
}

/// Values by system and query, the same systems and queries on both sides.
pub(crate) struct PairedScores {
    pub(crate) measures: UnderBoth<Measure>,
    pub(crate) names: Vec<String>,
    pub(crate) queries: Vec<String>,
    pub(crate) truth: Vec<Vec<f64>>,
    pub(crate) other: Vec<Vec<f64>>,
    pub(crate) only: UnderBoth<usize>,
    pub(crate) unanswered: usize,
    pub(crate) unjudged: UnderBoth<UnjudgedDocuments>,
}

impl PairedScores {
    /// The values of measure number `measure` over the queries that both sides have.
    pub(crate) fn of(
        truth: &[Scores],
        other: &[Scores],
        measure: usize,
    ) -> Result<Self, AgreementReportError> {
        let (Some(first), Some(second)) = (truth.first(), other.first()) else {
            return Err(AgreementReportError::Problem(
                "there is no run, so systems cannot be compared; name two at least".to_owned(),
            ));
        };
        if truth.len() < 2 {
            return Err(AgreementReportError::Problem(format!(
                "{run} is the only run, and one system has no rank; name two at least, or leave out all for agreement \
                 of labels alone",
                run = first.run
            )));
        }
        let (Some(here), Some(there)) = (first.measures.get(measure), second.measures.get(measure)) else {
            return Err(AgreementReportError::Problem(format!(
                "there is no measure {measure} (counted from 0) under both label sets"
            )));
        };
        if let Some(measure) = [here, there].into_iter().find(|measure| !is_comparable(measure)) {
            return Err(AgreementReportError::Problem(format!(
                "{measure} does not order systems query by query: it is no mean over queries, or it counts what is \
                 missing. Use another measure, such as nDCG@10"
            )));
        }
        measured_alike(truth, "truth")?;
        measured_alike(other, "other")?;
        if !truth.iter().map(|scores| &scores.run).eq(other.iter().map(|scores| &scores.run)) {
            return Err(AgreementReportError::Problem(
                "the systems under the two label sets are not the same".to_owned(),
            ));
        }
        let places: BTreeMap<&str, usize> =
            second.topics.iter().enumerate().map(|(at, topic)| (topic.topic.as_str(), at)).collect();
        let common: Vec<(usize, usize)> = (first.topics.iter().enumerate())
            .filter_map(|(at, topic)| Some((at, *places.get(topic.topic.as_str())?)))
            .collect();
        if common.is_empty() {
            return Err(AgreementReportError::Problem(
                "the two label sets have no query in common, so no system can be measured under both"
                    .to_owned(),
            ));
        }
        let here_at: Vec<usize> = common.iter().map(|(at, _)| *at).collect();
        let there_at: Vec<usize> = common.iter().map(|(_, at)| *at).collect();
        let topics = here_at.iter().filter_map(|at| first.topics.get(*at));
        Ok(Self {
            measures: UnderBoth { truth: *here, other: *there },
            names: truth.iter().map(|scores| scores.run.clone()).collect(),
            queries: topics.map(|topic| topic.topic.clone()).collect(),
            truth: values(truth, measure, &here_at),
            other: values(other, measure, &there_at),
            only: UnderBoth {
                truth: first.topics.len() - common.len(),
                other: second.topics.len() - common.len(),
            },
            unanswered: truth
                .iter()
                .flat_map(|scores| here_at.iter().filter_map(|at| scores.topics.get(*at)))
                .filter(|topic| !topic.answered)
                .count(),
            unjudged: UnderBoth {
                truth: unjudged(truth, measure, &here_at),
                other: unjudged(other, measure, &there_at),
            },
        })
    }
}

/// Values are held side by side by their place, so every system needs the queries and measures of the first.
fn measured_alike(systems: &[Scores], labels: &'static str) -> Result<(), AgreementReportError> {
    let Some((first, others)) = systems.split_first() else { return Ok(()) };
    let same_queries = |scores: &Scores| {
        scores.topics.iter().map(|topic| &topic.topic).eq(first.topics.iter().map(|topic| &topic.topic))
    };
    for system in others {
        let difference = if system.measures != first.measures {
            "by other measures"
        } else if !same_queries(system) {
            "over other queries"
        } else {
            continue;
        };
        return Err(AgreementReportError::Problem(format!(
            "under the {labels} labels {system} is measured {difference} than {first}, so their values cannot be held \
             side by side; measure all systems alike",
            system = system.run,
            first = first.run
        )));
    }
    Ok(())
}

fn cells<'a>(scores: &'a Scores, measure: usize, topics: &'a [usize]) -> impl Iterator<Item = &'a Cell> {
    topics.iter().filter_map(move |at| scores.topics.get(*at)?.cells.get(measure))
}

fn values(systems: &[Scores], measure: usize, topics: &[usize]) -> Vec<Vec<f64>> {
    let of = |scores| cells(scores, measure, topics).map(|cell| cell.value).collect();
    systems.iter().map(of).collect()
}

fn unjudged(systems: &[Scores], measure: usize, topics: &[usize]) -> UnjudgedDocuments {
    let all = systems.iter().flat_map(|scores| cells(scores, measure, topics));
    all.fold(UnjudgedDocuments::default(), |sum, cell| UnjudgedDocuments {
        seen: sum.seen + u64::from(cell.seen),
        unjudged: sum.unjudged + u64::from(cell.unjudged),
    })
}

/// The conclusions of both label sets about the pairs of systems, and the test behind them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Conclusions {
    /// How many pairs.
    pub pairs: u64,
    /// The test.
    pub test: PairTest,
    /// How p were corrected; `none` for Tukey's test, whose p already hold for all systems together.
    pub correction: Correction,
    /// The level of significance.
    pub significance: f64,
    /// Permutations or resamples that were drawn; `None` if p are exact under both, or of a distribution.
    pub draws: Option<usize>,
    /// How p were computed under each label set, which may differ: exact under one, drawn under the other.
    pub tests: UnderBoth<Tests>,
    /// The counts.
    #[serde(flatten)]
    pub counts: ConclusionCounts,
}

impl Conclusions {
    /// The conclusions that follow from the tests under both label sets.
    pub(super) fn of(power: &UnderBoth<DiscriminativePower>, options: &PairOptions) -> Self {
        let (truth, other) = (&power.truth.results, &power.other.results);
        let says = |pair: &PairResult| Conclusion { difference: pair.direction.sign(), p: pair.adjusted };
        let pairs = truth.pairs.iter().zip(&other.pairs);
        let counts = ConclusionCounts::of(
            pairs.map(|(truth, other)| (says(truth), says(other))),
            options.significance,
        );
        let tests = UnderBoth {
            truth: Tests::of(truth, Family::AllPairs),
            other: Tests::of(other, Family::AllPairs),
        };
        Self {
            pairs: counts.pairs(),
            test: truth.test,
            correction: truth.correction,
            significance: options.significance,
            draws: tests.truth.draws.or(tests.other.draws),
            tests,
            counts,
        }
    }
}

/// The discriminative power of both label sets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PowerUnderBoth {
    /// How many pairs of systems.
    pub n: usize,
    /// The power under each.
    #[serde(flatten)]
    pub power: UnderBoth<DiscriminativePower>,
    /// Every pair.
    pub pairs: Vec<PairUnderBoth>,
}

/// One pair of systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairUnderBoth {
    /// The one.
    pub baseline: String,
    /// The other.
    pub candidate: String,
    /// The finding about the pair under each label set.
    #[serde(flatten)]
    pub found: UnderBoth<PairFinding>,
}

/// One pair of systems under one label set.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairFinding {
    /// Candidate minus baseline.
    pub difference: f64,
    /// The corrected p; `None` if it does not exist.
    pub p: Option<f64>,
    /// Whether that is at or below the level.
    pub significant: bool,
}

impl PowerUnderBoth {
    /// The power under both label sets, of systems with these names.
    pub(super) fn of(names: &[String], power: UnderBoth<DiscriminativePower>) -> Self {
        let finding = |pair: &PairResult| PairFinding {
            difference: pair.mean,
            p: pair.adjusted,
            significant: pair.significant,
        };
        let name = |at: usize| names.get(at).cloned().unwrap_or_default();
        let pairs = power.truth.results.pairs.iter().zip(&power.other.results.pairs);
        let pairs = pairs.map(|(truth, other)| PairUnderBoth {
            baseline: name(truth.baseline),
            candidate: name(truth.candidate),
            found: UnderBoth { truth: finding(truth), other: finding(other) },
        });
        Self { n: power.truth.results.pairs.len(), pairs: pairs.collect(), power }
    }
}

#[cfg(test)]
mod tests {
    use llull_metrics::TopicScores;

    use super::*;

    /// Systems with these values by query; the queries are named from this number on.
    fn scores(from: usize, systems: &[(&str, &[f64])]) -> Vec<Scores> {
        let cell = |value| Cell { value, seen: 10, unjudged: 2, nothing_relevant: false };
        let topic = |(at, value): (usize, &f64)| TopicScores {
            topic: format!("q{}", from + at),
            answered: *value > 0.0,
            relevant: 1,
            cells: vec![cell(*value)],
        };
        let of = |(name, values): &(&str, &[f64])| Scores {
            run: (*name).to_owned(),
            measures: vec!["nDCG@10".parse().unwrap()],
            topics: values.iter().enumerate().map(topic).collect(),
            unlabelled: Vec::new(),
        };
        systems.iter().map(of).collect()
    }

    fn options() -> SystemsOptions {
        SystemsOptions {
            rankings: SystemOptions::default(),
            pairs: PairOptions::new(PairTest::T, Seed(1)),
            power: true,
        }
    }

    /// Of q1 to q4 under the truth and q2 to q5 under the other labels three are common.
    #[test]
    fn queries_of_one_side_alone_count_nowhere() {
        let truth = scores(1, &[("a", &[0.1, 0.5, 0.6, 0.0]), ("b", &[0.9, 0.4, 0.3, 0.2])]);
        let other = scores(2, &[("a", &[0.5, 0.6, 0.1, 1.0]), ("b", &[0.4, 0.5, 0.2, 0.0])]);
        let found = systems_under(&truth, &other, 0, &options()).unwrap();
        assert_eq!(found.query_ids, ["q2", "q3", "q4"]);
        assert_eq!((found.queries_only_truth, found.queries_only_other, found.unanswered), (1, 1, 1));
        assert_eq!(found.unjudged.truth, UnjudgedDocuments { seen: 60, unjudged: 12 });
        assert_eq!(found.agreement.tau_by_query, [Some(1.0), Some(1.0), Some(1.0)]);
        let means: Vec<_> =
            found.agreement.changes.iter().map(|change| (change.truth, change.other)).collect();
        let expected = [(1.1 / 3.0, 1.2 / 3.0), (0.3, 1.1 / 3.0)];
        for ((truth, other), (there, here)) in means.iter().zip(expected) {
            assert!((truth - there).abs() < 1e-12 && (other - here).abs() < 1e-12, "{means:?}");
        }
    }

    /// Three systems: the truth separates all of them, the other labels two pairs, one of them in the other direction.
    #[test]
    fn conclusions_and_power_follow_from_the_same_tests() {
        let noise = [0.00, 0.01, 0.02, 0.03, 0.01, 0.02];
        let with = |mean: f64, sign: f64| noise.map(|noise| mean + sign * noise);
        let truth = scores(1, &[("a", &with(0.8, 1.0)), ("b", &with(0.6, -1.0)), ("c", &with(0.1, 0.5))]);
        let other = scores(1, &[("a", &with(0.3, 1.0)), ("b", &with(0.7, -1.0)), ("c", &with(0.3, -0.5))]);
        let found = systems_under(&truth, &other, 0, &options()).unwrap();
        let counts = found.conclusions.counts;
        assert_eq!((found.conclusions.pairs, counts.significant_truth), (3, 3));
        let power = found.power.unwrap();
        assert_eq!((power.n, power.power.truth.significant, power.power.truth.share), (3, 3, Some(1.0)));
        assert_eq!(counts.significant_other as usize, power.power.other.significant);
        let of = |baseline: &str, candidate: &str| {
            power.pairs.iter().find(|pair| pair.baseline == baseline && pair.candidate == candidate).unwrap()
        };
        let first = of("a", "b").found;
        assert!(first.truth.difference < 0.0 && first.other.difference > 0.0, "{first:?}");
        assert!(first.truth.significant && first.other.significant, "{first:?}");
        assert_eq!(counts.active_disagreements, 1);
        assert!(power.power.truth.median_d.unwrap() > power.power.other.median_d.unwrap());
    }

    #[test]
    fn what_cannot_be_compared_is_refused_with_what_to_do() {
        let pair = scores(1, &[("a", &[0.1]), ("b", &[0.2])]);
        let refused = |truth: &[Scores], other: &[Scores], measure| {
            systems_under(truth, other, measure, &options()).unwrap_err().to_string()
        };
        assert!(refused(&[], &[], 0).contains("name two at least"));
        assert!(refused(&pair[..1], &pair[..1], 0).contains("a is the only run"));
        assert!(refused(&pair, &pair, 1).contains("no measure 1"));
        assert!(refused(&pair, &scores(1, &[("a", &[0.1]), ("c", &[0.2])]), 0).contains("not the same"));
        assert!(
            refused(&pair, &scores(7, &[("a", &[0.1]), ("b", &[0.2])]), 0).contains("no query in common")
        );
        let mut sums = pair.clone();
        for scores in &mut sums {
            scores.measures = vec!["NumRet".parse().unwrap()];
        }
        assert!(refused(&sums, &pair, 0).contains("no mean over queries"));
    }

    /// Before, the values of b were taken by the places of the queries of a: as if q2 were q1.
    #[test]
    fn every_system_has_the_queries_and_measures_of_the_first() {
        let pair = scores(1, &[("a", &[0.1, 0.3]), ("b", &[0.2, 0.1])]);
        let refused = |truth: &[Scores], other: &[Scores]| {
            systems_under(truth, other, 0, &options()).unwrap_err().to_string()
        };
        let mut shifted = pair.clone();
        shifted[1] = scores(2, &[("b", &[0.2, 0.1])]).remove(0);
        let mut shorter = pair.clone();
        shorter[1].topics.pop();
        let mut measured = pair.clone();
        measured[1].measures = vec!["RR".parse().unwrap()];
        for unlike in [&shifted, &shorter] {
            let (first, second) = (refused(unlike, &pair), refused(&pair, unlike));
            assert!(
                first.contains("under the truth labels b is measured over other queries than a"),
                "{first}"
            );
            assert!(
                second.contains("under the other labels b is measured over other queries than a"),
                "{second}"
            );
        }
        let found = refused(&measured, &pair);
        assert!(found.contains("b is measured by other measures than a"), "{found}");
    }

    /// b wins 9 of 10 queries narrowly and loses one by far: the sign test favours it under the truth, though its mean
    /// is lower. Under the other labels its mean is higher as well, so that both sides agree.
    #[test]
    fn a_conclusion_goes_the_way_of_its_test() {
        let by = |last: f64| -> Vec<f64> { (0..10).map(|at| if at == 9 { last } else { 0.51 }).collect() };
        let even = [0.5; 10];
        let truth = scores(1, &[("a", &even), ("b", &by(0.1))]);
        let other = scores(1, &[("a", &even), ("b", &by(0.51))]);
        let options = SystemsOptions { pairs: PairOptions::new(PairTest::Sign, Seed(1)), ..options() };
        let counts = systems_under(&truth, &other, 0, &options).unwrap().conclusions.counts;
        assert_eq!((counts.active_agreements, counts.active_disagreements), (1, 0));
    }
}
