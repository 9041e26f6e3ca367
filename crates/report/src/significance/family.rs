//! A family of pairs, and the computation of its p.

use llull_stats::{Correction, Method, PairOptions, PairResult, PairResults, PairTest, Undefined};
use serde::Serialize;

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
    pub(super) fn of_nothing(options: &PairOptions, family: Family, pairs: usize) -> Self {
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
