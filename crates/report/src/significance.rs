//! Which systems differ significantly on one measure: every pair of them, or each from a baseline.

mod family;
mod grid;
mod latex;
mod letters;
mod markdown;
mod tested;
mod wording;

use llull_metrics::Scores;
use llull_stats::{
    BootstrapOptions, Correction, Direction, PairOptions, PairResult, PairResults, PairTest, StatsError,
    Undefined, compare_all, compare_with, sign_test,
};
use serde::Serialize;

pub use family::{Family, Tests, Untested};
pub use grid::{Grid, GridCell, GridColumn, comparison_grid, system_grid};
pub use latex::{escape_latex, latex};
pub use letters::{letter, letters, superscript};
pub use markdown::significance_markdown;
pub use tested::{Effect, Effects, EquivalenceTest, PowerAnalysis, Test, TestedComparison};
pub use wording::{out_of_reach, significance_legend, tested_how};

use crate::{
    Figure, ReportError,
    compare::{compare, name_of},
    systems::figures_of,
};

/// How systems are tested against each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignificanceOptions {
    /// Which test, two-sided; sign flips unless changed.
    pub test: PairTest,
    /// How p are corrected for the number of pairs, Tukey's apart; Holm's way unless changed.
    pub correction: Correction,
    /// The level at or below which a corrected p is significant; 0.05 unless changed.
    pub significance: f64,
    /// How often the tests that draw do so. `None`: 10,000 times; by sign flips and by the bootstrap under Holm's
    /// correction up to 200,000 times, if that is needed for ten times as many as the least with which a pair can be
    /// significant.
    pub draws: Option<usize>,
    /// Which pairs.
    pub family: Family,
    /// Tests in addition whether each difference from the baseline lies within so much of 0, either way.
    pub margin: Option<f64>,
    /// The intervals, which decide, and the seed of everything that is drawn.
    pub bootstrap: BootstrapOptions,
}

impl SignificanceOptions {
    /// Sign flips over all pairs, Holm's correction, 0.05.
    pub fn new(bootstrap: BootstrapOptions) -> Self {
        Self {
            test: PairTest::default(),
            correction: Correction::default(),
            significance: 0.05,
            draws: None,
            family: Family::default(),
            margin: None,
            bootstrap,
        }
    }

    /// How so many pairs are tested: with [`draws`](Self::draws), or as many as these pairs take.
    pub fn pair_options(&self, pairs: usize) -> PairOptions {
        const USUAL: usize = 10_000;
        // A few seconds for the pairs of hundreds of systems.
        const MOST: usize = 200_000;
        let usual = match (self.test, self.correction) {
            // The least p is 1 / (1 + draws), and Holm's correction multiplies it with the number of pairs.
            (PairTest::Permutation | PairTest::Bootstrap, Correction::Holm) if self.significance > 0.0 => {
                ((10.0 * pairs as f64 / self.significance).ceil() as usize).clamp(USUAL, MOST)
            }
            _ => USUAL,
        };
        PairOptions {
            correction: self.correction,
            significance: self.significance,
            draws: self.draws.unwrap_or(usual),
            ..PairOptions::new(self.test, self.bootstrap.seed)
        }
    }
}

/// Systems on one measure: their means, which of them differ significantly, and each against the baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SignificanceTable {
    /// The measure, such as `nDCG@10`.
    pub measure: String,
    /// How many topics.
    pub n: usize,
    /// The system that the others are compared with.
    pub baseline: String,
    /// The confidence of intervals, such as 0.95.
    pub confidence: f64,
    /// How many bootstrap resamples the intervals of means and differences rest on.
    pub resamples: usize,
    /// The source of chance of intervals and tests.
    pub seed: u64,
    /// How p came about.
    pub tests: Tests,
    /// Every system, in the order in which they were given.
    pub systems: Vec<SystemRow>,
    /// Every other system against the baseline.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<TestedComparison>,
    /// All pairs, where they were tested and there are more than those with the baseline.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<TestedPair>,
    /// What keeps every pair from being significant, whatever the figures are, and what to do about it.
    pub notes: Vec<String>,
}

/// A system of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemRow {
    /// The system.
    pub system: String,
    /// The letter that stands for it; `None` where only the baseline has one.
    pub letter: Option<String>,
    /// Its mean, with an interval and what it rests on.
    #[serde(flatten)]
    pub figure: Figure,
    /// The systems that it is significantly better than, as far as these were tested and have letters.
    pub better_than: Vec<String>,
    /// The letters of these, as they are written beside the figure.
    pub letters: String,
}

/// One of all pairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestedPair {
    /// The system.
    pub system: String,
    /// The system that it is compared with.
    pub baseline: String,
    /// Mean over topics of system minus baseline.
    pub mean_difference: f64,
    /// Topics where the system is better.
    pub wins: usize,
    /// Topics where both are equal.
    pub ties: usize,
    /// Topics where it is worse.
    pub losses: usize,
    /// The two-sided p; null when there is none.
    pub p: Option<f64>,
    /// The same, corrected for the number of pairs.
    pub p_adjusted: Option<f64>,
    /// Whether that is at or below the level.
    pub significant: bool,
    /// Which of the two the test favours, by what it looks at: it may contradict the mean difference.
    pub direction: Direction,
    /// Why there is no p, or why it is 1.
    pub reason: Option<String>,
}

/// Tests systems against each other on one measure (its number in [`Scores::measures`]), and describes each against
/// `baseline`. All must be measured under the same labels.
///
/// What is [better or worse](crate::ComparisonFinding) is decided by the interval of that one difference, as [`compare`] does
/// it; what is significant, by a test whose p is corrected for the number of pairs. The two may disagree.
///
/// ```
/// # use llull_core::{Qrels, Ranking, Run, Seed};
/// # use llull_metrics::{Measure, evaluate_all};
/// # use llull_report::{SignificanceOptions, significance};
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
/// let scores = evaluate_all(&measures, &qrels, &[bad, good]);
/// let options = SignificanceOptions::new(BootstrapOptions::new(Seed(1)));
/// let table = significance(&scores, 0, "bad", &options)?;
/// assert_eq!(table.comparisons[0].test.p, Some(1.0 / 128.0)); // all of 8 topics: 2 of 2^8 ways
/// assert_eq!((table.systems[1].system.as_str(), table.systems[1].letters.as_str()), ("good", "a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`compare`], and when the options cannot be.
pub fn significance(
    scores: &[Scores],
    measure: usize,
    baseline: &str,
    options: &SignificanceOptions,
) -> Result<SignificanceTable, ReportError> {
    let compared = compare(scores, measure, baseline, &options.bootstrap)?;
    // One system alone is compared with nothing, so its measure has not been looked up yet.
    let name = scores.first().map_or_else(|| Ok(String::new()), |scores| name_of(scores, measure))?;
    let values: Vec<Vec<f64>> = scores.iter().map(|scores| scores.values(measure).collect()).collect();
    let at = scores.iter().position(|scores| scores.run == baseline).unwrap_or_default();
    let family = Compared { scores, values, baseline: at, measure, options };
    let results = family.results()?;
    let results = results.as_ref();
    let tests = family.tests(results);
    let mut table = SignificanceTable {
        n: scores[at].topics.len(),
        baseline: baseline.to_owned(),
        confidence: options.bootstrap.confidence,
        resamples: options.bootstrap.resamples,
        seed: options.bootstrap.seed.0,
        systems: family.rows(results)?,
        comparisons: family.tested(compared, results).map_err(|source| family.refused(source))?,
        pairs: family.pairs(results).map_err(|source| family.refused(source))?,
        notes: wording::notes(scores[at].topics.len(), &tests),
        measure: name,
        tests,
    };
    wording::describe(&mut table);
    Ok(table)
}

/// What is compared, and how.
struct Compared<'a> {
    scores: &'a [Scores],
    /// By system, and then by topic.
    values: Vec<Vec<f64>>,
    baseline: usize,
    measure: usize,
    options: &'a SignificanceOptions,
}

impl Compared<'_> {
    /// The tests of the family; `None` without topics.
    fn results(&self) -> Result<Option<PairResults>, ReportError> {
        let options = self.options.pair_options(self.pairs_in_family());
        let results = match self.options.family {
            Family::AllPairs => compare_all(&self.values, &options),
            Family::Baseline => compare_with(&self.values, self.baseline, &options),
        };
        match results {
            Ok(results) => Ok(Some(results)),
            Err(StatsError::Empty) => Ok(None),
            Err(source) => Err(self.refused(source)),
        }
    }

    fn refused(&self, source: StatsError) -> ReportError {
        let measure = self.scores.first().and_then(|scores| scores.measures.get(self.measure));
        ReportError::Test { measure: measure.map(ToString::to_string).unwrap_or_default(), source }
    }

    fn pairs_in_family(&self) -> usize {
        let systems = self.scores.len();
        match self.options.family {
            Family::AllPairs => systems * systems.saturating_sub(1) / 2,
            Family::Baseline => systems.saturating_sub(1),
        }
    }

    fn tests(&self, results: Option<&PairResults>) -> Tests {
        let (family, pairs) = (self.options.family, self.pairs_in_family());
        match results {
            Some(results) => Tests::of(results, family),
            None => Tests::of_nothing(&self.options.pair_options(pairs), family, pairs),
        }
    }

    fn rows(&self, results: Option<&PairResults>) -> Result<Vec<SystemRow>, ReportError> {
        let only_baseline = self.options.family == Family::Baseline;
        let lettered = if only_baseline { 1 } else { self.scores.len() };
        let place = |system: usize| match only_baseline {
            true => (system == self.baseline).then_some(0),
            false => Some(system),
        };
        let wanted: Vec<(&Scores, usize)> = self.scores.iter().map(|scores| (scores, self.measure)).collect();
        let figures = figures_of(&wanted, &self.options.bootstrap)?;
        let row = |((system, scores), figure): ((usize, &Scores), Figure)| {
            let beaten = results.map(|results| beaten_by(system, results)).unwrap_or_default();
            let beaten: Vec<usize> = beaten.into_iter().filter(|other| place(*other).is_some()).collect();
            let places: Vec<usize> = beaten.iter().filter_map(|other| place(*other)).collect();
            SystemRow {
                system: scores.run.clone(),
                letter: place(system).map(letter),
                figure,
                better_than: beaten.iter().map(|other| self.name(*other)).collect(),
                letters: letters(&places, lettered),
            }
        };
        Ok(self.scores.iter().enumerate().zip(figures).map(row).collect())
    }

    fn name(&self, system: usize) -> String {
        self.scores.get(system).map(|scores| scores.run.clone()).unwrap_or_default()
    }

    fn pairs(&self, results: Option<&PairResults>) -> Result<Vec<TestedPair>, StatsError> {
        let Some(results) = results.filter(|_| self.options.family == Family::AllPairs) else {
            return Ok(Vec::new());
        };
        if self.scores.len() < 3 {
            return Ok(Vec::new());
        }
        let pair = |result: &PairResult| {
            let (baseline, candidate) = (&self.values[result.baseline], &self.values[result.candidate]);
            let signs = sign_test(baseline, candidate, Default::default())?;
            let wins = signs.statistic.unwrap_or_default() as usize;
            Ok(TestedPair {
                system: self.name(result.candidate),
                baseline: self.name(result.baseline),
                mean_difference: result.mean + 0.0,
                wins,
                ties: signs.n - signs.differing,
                losses: signs.differing - wins,
                p: result.p,
                p_adjusted: result.adjusted,
                significant: result.significant,
                direction: result.direction,
                reason: reason(result.undefined, signs.differing),
            })
        };
        results.pairs.iter().map(pair).collect()
    }
}

/// The systems that this one is significantly better than, in ascending order.
fn beaten_by(system: usize, results: &PairResults) -> Vec<usize> {
    let beaten = results.pairs.iter().filter(|pair| pair.significant).filter_map(|pair| {
        let (better, worse) = match pair.direction {
            Direction::Better => (pair.candidate, pair.baseline),
            Direction::Worse => (pair.baseline, pair.candidate),
            Direction::Equal => return None,
        };
        (better == system).then_some(worse)
    });
    let mut beaten: Vec<usize> = beaten.collect();
    beaten.sort_unstable();
    beaten
}

/// Why there is no p, or why it is 1: a test that counts everything finds 1 where there is nothing to count.
fn reason(undefined: Option<Undefined>, differing: usize) -> Option<String> {
    undefined.or((differing == 0).then_some(Undefined::Identical)).map(|why| why.to_string())
}
