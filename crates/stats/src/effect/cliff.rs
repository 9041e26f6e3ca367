//! Cliff's delta: an effect size that depends on order alone.

use super::effect_size::EffectSize;
use crate::descriptive::{mean, variance};
use crate::distribution::normal;
use crate::error::StatsError;
use crate::paired::Paired;
use crate::undefined::Undefined;

/// Returns Cliff's delta over the same queries: the share of wins less the share of losses, from -1 to 1 (Cliff 1993,
/// the within-subject d_w). It measures the number of better queries, not the size of the difference. Ties, to 12
/// significant digits, count for neither side.
///
/// The interval is Cliff's asymmetric one, which stays within -1 and 1 and keeps its confidence where the plain one
/// does not (Feng and Cliff, Monte Carlo evaluation of ordinal d with improved confidence interval, Journal of Modern
/// Applied Statistical Methods 3(2), 2004), with the variance of the signs of the differences over n. If that is 0 at
/// -1 or 1, because all pairs have the same result, the other end is that of Wilson's interval for n of n.
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
    let (low, high) = interval.ok().unzip();
    Ok(EffectSize { value: Some(delta), low, high, undefined: interval.err() })
}

/// Feng and Cliff's interval from delta and the square of its standard error.
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
