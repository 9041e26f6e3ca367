//! Cliff's delta: an effect size that depends on order alone.

use super::effect_size::{EffectMeasure, EffectSize};
use crate::descriptive::{mean, variance};
use crate::distribution::normal;
use crate::error::StatsError;
use crate::paired::Paired;
use crate::rounding::noise;
use crate::undefined::Undefined;

/// Returns Cliff's delta of two samples: how much more often a value of the candidate lies above one of the baseline
/// than below it, over all n1 n2 pairs; from -1 to 1 (Cliff, Dominance statistics: ordinal analyses to answer ordinal
/// questions, Psychological Bulletin 114(3), 1993). It equals 2 U / (n1 n2) - 1 with Mann and Whitney's U. Values that
/// are equal to 12 significant digits are ties.
///
/// The samples are assumed to be independent, such as two sets of queries; for two systems over the same queries use
/// [`paired_cliff_delta`]. The interval is Cliff's asymmetric one, which stays within -1 and 1 and keeps its confidence
/// where the plain one does not (Feng and Cliff, Monte Carlo evaluation of ordinal d with improved confidence interval,
/// Journal of Modern Applied Statistical Methods 3(2), 2004), with the consistent estimate of the variance,
/// Σ(d_i. - d)² / (n1 (n1 - 1)) + Σ(d_.j - d)² / (n2 (n2 - 1)), which is also Brunner and Munzel's. If that is 0
/// at -1 or 1, because all pairs are alike, the other end is that of Wilson's interval for n of n, where n is the size
/// of the smaller sample.
///
/// # Errors
/// Returns an error if a sample is empty, a value is not finite, or the confidence is not between 0 and 1.
pub fn cliff_delta(baseline: &[f64], candidate: &[f64], confidence: f64) -> Result<EffectSize, StatsError> {
    StatsError::unless_confidence(confidence)?;
    StatsError::unless_samples(baseline, candidate)?;
    let noise = noise(baseline).max(noise(candidate));
    let above = dominances(candidate, baseline, noise);
    let below = dominances(baseline, candidate, noise);
    let delta = mean(&above);
    let smaller = baseline.len().min(candidate.len());
    let share = |dominances: &[f64]| Some(variance(dominances)? / dominances.len() as f64);
    let error = share(&above).zip(share(&below)).map(|(above, below)| above + below);
    let interval = interval(delta, error, smaller, confidence);
    Ok(effect(EffectMeasure::CliffDelta, (baseline.len(), candidate.len()), delta, interval, confidence))
}

/// Returns Cliff's delta over the same queries: the share of wins less the share of losses, from -1 to 1 (Cliff 1993,
/// the within-subject d_w). It says how many queries are better, not by how much. Ties, to 12 significant digits, count
/// for neither side.
///
/// The interval is the asymmetric one of [`cliff_delta`], with the variance of the signs of the differences over n.
///
/// # Errors
/// Returns an error if the two lists differ in length or are empty, a value is not finite, or the confidence is not
/// between 0 and 1.
pub fn paired_cliff_delta(
    baseline: &[f64],
    candidate: &[f64],
    confidence: f64,
) -> Result<EffectSize, StatsError> {
    StatsError::unless_confidence(confidence)?;
    let paired = Paired::of(baseline, candidate)?;
    let sign = |difference: &f64| if *difference == 0.0 { 0.0 } else { difference.signum() };
    let signs: Vec<f64> = paired.differences.iter().map(sign).collect();
    let (n, delta) = (paired.n(), mean(&signs));
    let error = variance(&signs).map(|variance| variance / n as f64);
    let interval = interval(delta, error, n, confidence);
    Ok(effect(EffectMeasure::PairedCliffDelta, (n, n), delta, interval, confidence))
}

fn effect(
    measure: EffectMeasure,
    (baseline, candidate): (usize, usize),
    delta: f64,
    interval: Result<(f64, f64), Undefined>,
    confidence: f64,
) -> EffectSize {
    let (low, high) = interval.ok().unzip();
    let undefined = interval.err();
    EffectSize { measure, baseline, candidate, value: Some(delta), low, high, confidence, undefined }
}

/// For each value, the number of others below it less the number above, over the number of others.
fn dominances(values: &[f64], others: &[f64], noise: f64) -> Vec<f64> {
    let mut sorted = others.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let dominance = |value: &f64| {
        let below = sorted.partition_point(|other| value - other > noise);
        let above = sorted.len() - sorted.partition_point(|other| other - value <= noise);
        (below as f64 - above as f64) / sorted.len() as f64
    };
    values.iter().map(dominance).collect()
}

/// Feng and Cliff's interval from delta and the square of its standard error; `n` is the size of the smaller sample.
fn interval(delta: f64, error: Option<f64>, n: usize, confidence: f64) -> Result<(f64, f64), Undefined> {
    let Some(error) = error else { return Err(Undefined::TooFew { n, needed: 2 }) };
    let z = normal::two_sided(confidence);
    let square = z * z;
    let rest = 1.0 - delta * delta;
    if error <= 0.0 && rest <= 0.0 {
        let end = (n as f64 - square) / (n as f64 + square);
        return Ok(if delta > 0.0 { (end, 1.0) } else { (-1.0, -end) });
    }
    if error <= 0.0 {
        return Err(Undefined::NoSpread);
    }
    let centre = delta * rest;
    let half = z * error.sqrt() * (rest * rest + square * error).sqrt();
    let scale = rest + square * error;
    Ok((((centre - half) / scale).max(-1.0), ((centre + half) / scale).min(1.0)))
}
