//! A family of pairs, and the computation of its p.

use llull_metrics::Scores;
use llull_stats::{
    BootstrapOptions, Correction, Direction, Method, PairOptions, PairResult, PairResults, PairTest,
    StatsError, Undefined, compare_all, compare_with, sign_test,
};
use serde::Serialize;

use super::legend::{letter, letters};
use super::sentences::reason;
use super::table::{SystemRow, TestedPair};
use crate::error::ReportError;
use crate::systems::{Figure, figures_of};

/// How systems are tested against each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignificanceOptions {
    /// Which test, two-sided; sign flips unless changed.
    pub test: PairTest,
    /// How p are corrected for the number of pairs; Holm's correction unless changed. Tukey's test takes none.
    pub correction: Correction,
    /// The level at or below which a corrected p is significant; 0.05 unless changed.
    pub significance: f64,
    /// How many draws a test makes, if it draws. `None` means 10,000, and for sign flips and the bootstrap under
    /// Holm's correction up to 200,000: ten times as many as the least with which a pair can be significant.
    pub draws: Option<usize>,
    /// Which pairs.
    pub family: Family,
    /// A margin: each difference from the baseline is also tested for lying within so much of 0, either way.
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

    /// The options for testing this number of pairs: with [`draws`](Self::draws), or as many draws as these pairs need.
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

/// Which pairs of systems are tested and corrected for together. Nothing is corrected across measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Every pair of systems.
    #[default]
    AllPairs,
    /// Each system with the baseline: fewer pairs, so that each may show a smaller difference.
    Baseline,
}

/// How the p of a family were computed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Tests {
    /// Which test, two-sided.
    pub name: PairTest,
    /// Which pairs are corrected for together.
    pub family: Family,
    /// How many pairs these are.
    pub pairs: usize,
    /// How many of them have a p; the others are not corrected for.
    pub tested: usize,
    /// How many have none, reason by reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untested: Vec<Untested>,
    /// The correction of p for their number; `none` for Tukey's test, whose p already hold for all systems together.
    pub correction: Correction,
    /// The level at or below which a corrected p is significant.
    pub significance: f64,
    /// How many pairs have an exact p.
    pub exact: usize,
    /// How many permutations or resamples were drawn, if any were.
    pub draws: Option<usize>,
    /// The seed, if anything was drawn.
    pub seed: Option<u64>,
    /// How many pairs could not be significant whatever their figures are: all, or those with a drawn p where others
    /// are exact.
    pub out_of_reach: usize,
    /// The least number of draws with which any of these could be, if fewer were made.
    pub draws_needed: Option<usize>,
    /// On how many queries a pair must differ to be able to be significant, if all differ on fewer.
    pub topics_needed: Option<usize>,
    /// The least p that any pair could have by itself, whatever its figures.
    pub least_p: Option<f64>,
    /// On how many queries those two differ that differ on the most.
    pub most_differing: usize,
}

/// Pairs that have no p.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Untested {
    /// Why not.
    pub reason: String,
    /// How many they are.
    pub pairs: usize,
}

impl Tests {
    /// The description of these results.
    pub fn of(results: &PairResults, family: Family) -> Self {
        let pairs = results.pairs.as_slice();
        let drawn = pairs.iter().find(|pair| draws(&pair.method).is_some()).map(|pair| pair.method);
        Self {
            name: results.test,
            family,
            pairs: pairs.len(),
            tested: pairs.iter().filter(|pair| pair.p.is_some()).count(),
            untested: untested(pairs),
            correction: results.correction,
            significance: results.significance,
            exact: pairs.iter().filter(|pair| is_exact(&pair.method)).count(),
            draws: drawn.as_ref().and_then(draws),
            seed: drawn.as_ref().and_then(seed),
            out_of_reach: results.out_of_reach,
            draws_needed: results.draws_needed,
            topics_needed: results.topics_needed,
            least_p: results.least_p,
            most_differing: results.most_differing,
        }
    }

    /// Whether Holm's correction alone makes all pairs not significant: one of them by itself could be.
    pub fn is_only_corrected_away(&self) -> bool {
        let by_itself = self.least_p.is_some_and(|least| least <= self.significance);
        self.correction == Correction::Holm && self.out_of_reach > 1 && by_itself
    }

    /// The description of a family without queries, so that nothing was tested.
    fn of_nothing(options: &PairOptions, family: Family, pairs: usize) -> Self {
        Self {
            name: options.test,
            family,
            pairs,
            correction: options.correction,
            significance: options.significance,
            ..Self::default()
        }
    }
}

/// The pairs without a p by reason, in the order in which the reasons first occur.
fn untested(pairs: &[PairResult]) -> Vec<Untested> {
    let mut counted: Vec<(Undefined, usize)> = Vec::new();
    for why in pairs.iter().filter_map(|pair| pair.undefined) {
        match counted.iter_mut().find(|(known, _)| *known == why) {
            Some((_, pairs)) => *pairs += 1,
            None => counted.push((why, 1)),
        }
    }
    counted.into_iter().map(|(why, pairs)| Untested { reason: why.to_string(), pairs }).collect()
}

pub(super) fn is_exact(method: &Method) -> bool {
    matches!(method, Method::ExactFlips { .. } | Method::ExactRanks | Method::Binomial)
}

pub(super) fn draws(method: &Method) -> Option<usize> {
    match method {
        Method::RandomFlips { permutations, .. } | Method::RandomRows { permutations, .. } => {
            Some(*permutations)
        }
        Method::Bootstrap { resamples, .. } => Some(*resamples),
        Method::StudentT { .. } | Method::ExactRanks | Method::Normal | Method::Binomial => None,
        Method::ExactFlips { .. } => None,
    }
}

fn seed(method: &Method) -> Option<u64> {
    match method {
        Method::RandomFlips { seed, .. }
        | Method::RandomRows { seed, .. }
        | Method::Bootstrap { seed, .. } => Some(seed.0),
        _ => None,
    }
}

/// The systems and the options of their tests.
pub(super) struct ComparedSystems<'a> {
    pub(super) scores: &'a [Scores],
    /// By system, and then by query.
    pub(super) values: Vec<Vec<f64>>,
    pub(super) baseline: usize,
    pub(super) measure: usize,
    pub(super) options: &'a SignificanceOptions,
}

impl ComparedSystems<'_> {
    /// The tests of the family; `None` without queries.
    pub(super) fn results(&self) -> Result<Option<PairResults>, ReportError> {
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

    pub(super) fn refused(&self, source: StatsError) -> ReportError {
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

    pub(super) fn tests(&self, results: Option<&PairResults>) -> Tests {
        let (family, pairs) = (self.options.family, self.pairs_in_family());
        match results {
            Some(results) => Tests::of(results, family),
            None => Tests::of_nothing(&self.options.pair_options(pairs), family, pairs),
        }
    }

    pub(super) fn rows(&self, results: Option<&PairResults>) -> Result<Vec<SystemRow>, ReportError> {
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

    pub(super) fn pairs(&self, results: Option<&PairResults>) -> Result<Vec<TestedPair>, StatsError> {
        let Some(results) = results.filter(|_| self.options.family == Family::AllPairs) else {
            return Ok(Vec::new());
        };
        if self.scores.len() < 3 {
            return Ok(Vec::new());
        }
        let pair = |result: &PairResult| {
            let (baseline, candidate) = (&self.values[result.baseline], &self.values[result.candidate]);
            let signs = sign_test(baseline, candidate)?;
            let wins = signs.statistic.unwrap_or_default() as usize;
            Ok(TestedPair {
                system: self.name(result.candidate),
                baseline: self.name(result.baseline),
                mean_difference: result.mean + 0.0,
                wins,
                ties: signs.n - signs.differing,
                losses: signs.differing - wins,
                test: self.options.test,
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
