//! Pairs that too few draws or queries keep from significance.
//!
//! They cannot be significant whatever their values.

use super::method::Method;
use super::pair_test::PairOptions;
use crate::least_topics::least_p_of_signs;
use crate::multiple_testing::Correction;

/// Pairs that cannot be significant whatever their values, with the reason.
#[derive(Default)]
pub(super) struct OutOfReach {
    pub(super) pairs: usize,
    pub(super) draws_needed: Option<usize>,
    pub(super) topics_needed: Option<usize>,
}

impl OutOfReach {
    /// `family` holds each pair with a p and the number of queries, of `n`, on which it differs.
    pub(super) fn of(
        family: &[(Method, usize)],
        n: usize,
        correction: Correction,
        options: &PairOptions,
    ) -> Self {
        // All pairs being identical is a better reason than differences on too few queries.
        if family.iter().all(|(_, differing)| *differing == 0) {
            return Self::default();
        }
        let drawn: Vec<(Method, usize)> = family
            .iter()
            .filter(|(method, differing)| method.is_drawn() && *differing > 0)
            .copied()
            .collect();
        let level = options.significance;
        // If some exact p can be significant, at best all of them are, and only the others remain to correct for.
        let (pairs, factor) = match (
            factor_beyond(family, n, correction, level),
            factor_beyond(&drawn, n, correction, level),
        ) {
            (Some(factor), _) => (family.len(), factor),
            (None, Some(factor)) => (drawn.len(), factor),
            (None, None) => return Self::default(),
        };
        // More draws are useless if the queries themselves are too few.
        let by_topics: fn(usize) -> f64 = match drawn.first() {
            None => least_p_of_signs,
            Some((Method::Bootstrap { .. }, _)) if factor * least_p_of_resamples(n) > level => {
                least_p_of_resamples
            }
            Some(_) => {
                let draws_needed = Some((factor / level).ceil() as usize);
                return Self { pairs, draws_needed, topics_needed: None };
            }
        };
        let reached = |topics: &usize| factor * by_topics(*topics) <= level;
        Self { pairs, draws_needed: None, topics_needed: (1..=MOST_SIGNS).find(reached) }
    }
}

/// The factor that correction multiplies the least p of these pairs with, if it lies above the level after that.
fn factor_beyond(family: &[(Method, usize)], n: usize, correction: Correction, level: f64) -> Option<f64> {
    // Holm's least corrected p counts all pairs; the least p of the others is uncorrected.
    let factor = if correction == Correction::Holm { family.len() } else { 1 } as f64;
    let least = family.iter().map(|(method, differing)| least_p(method, n, *differing)).reduce(f64::min)?;
    (factor * least > level).then_some(factor)
}

/// 2^(1 - n) is 0 above this n.
const MOST_SIGNS: usize = 1075;

/// Returns the least p of a pair that differs on so many of n queries, whatever the differences are.
pub(super) fn least_p(method: &Method, n: usize, differing: usize) -> f64 {
    let of_draws = |draws: usize| 1.0 / (1.0 + draws as f64);
    match method {
        _ if differing == 0 => 1.0,
        Method::RandomFlips { permutations, .. } | Method::RandomRows { permutations, .. } => {
            of_draws(*permutations)
        }
        Method::Bootstrap { resamples, .. } => of_draws(*resamples).max(least_p_of_resamples(n)),
        Method::ExactFlips { .. } | Method::ExactRanks | Method::Binomial => least_p_of_signs(differing),
        Method::StudentT { .. } | Method::Normal => 0.0,
    }
}

/// The share of resamples of n queries that draw one of them n times: those have an infinite t.
fn least_p_of_resamples(n: usize) -> f64 {
    let n = n as f64;
    n.powf(1.0 - n)
}
