//! Tests a family of pairs, and finds each system's results.

use llull_metrics::Scores;
use llull_stats::{Direction, PairResult, PairResults, StatsError, compare_all, compare_with, sign_test};

use super::family::{Family, Tests};
use super::letters::{letter, letters};
use super::options::SignificanceOptions;
use super::table::{SystemRow, TestedPair};
use super::undefined::reason;
use crate::error::ReportError;
use crate::systems::{Figure, figures_of};

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
