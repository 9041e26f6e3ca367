//! Effect sizes: Cohen's d and d_z, Hedges' g, Cliff's delta.

use serde::Serialize;

use crate::descriptive::{mean, noise, variance};
use crate::distribution::{normal, student};
use crate::error::{StatsError, Undefined};
use crate::paired::Paired;

/// An effect size with its interval; above 0 if the candidate is better.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EffectSize {
    /// The effect size; `None` if it is undefined.
    pub value: Option<f64>,
    /// The lower end of its interval; `None` without an interval.
    pub low: Option<f64>,
    /// The upper end of its interval; `None` without an interval.
    pub high: Option<f64>,
    /// Why there is no effect size, or no interval.
    pub undefined: Option<Undefined>,
}

/// Returns Cohen's d_z of a paired comparison: the mean difference over the standard deviation of the differences
/// (Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, 2.3.5; Sakai, Laboratory Experiments in
/// Information Retrieval, 2018, 5.2). The power of the paired t test depends on it: t = d_z √n.
///
/// The interval is exact for normal differences. Its ends are the noncentralities with which so large, and so small, a
/// t is as rare as the confidence demands, over √n (Steiger and Fouladi 1997; Goulet-Pelletier and Cousineau, A
/// review of effect sizes and their confidence intervals, 2018).
///
/// # Errors
/// Returns an error if the two lists differ in length or are empty, a value is not finite, or the confidence is not
/// between 0 and 1.
pub fn cohen_dz(baseline: &[f64], candidate: &[f64], confidence: f64) -> Result<EffectSize, StatsError> {
    Ok(Standardised::of_pairs(baseline, candidate, confidence)?.effect(confidence))
}

/// Returns the value of [`cohen_d`] without the interval, which takes much longer.
pub(crate) fn d_alone(baseline: &[f64], candidate: &[f64]) -> Result<Option<f64>, StatsError> {
    Ok(Standardised::of(baseline, candidate, 0.95)?.value.ok())
}

/// Returns the value of [`cohen_dz`] without the interval.
pub(crate) fn dz_alone(baseline: &[f64], candidate: &[f64]) -> Result<Option<f64>, StatsError> {
    Ok(Standardised::of_pairs(baseline, candidate, 0.95)?.value.ok())
}

/// Returns Cohen's d of two samples: the difference of the means over the pooled standard deviation of the values
/// (Cohen 1988, 2.2).
///
/// It measures the distance of two systems by the spread of the queries, so it is comparable between collections and
/// label sets, even of different queries. The samples are assumed to be independent: for two systems over the same
/// queries the value means the same, but the interval, by the noncentral t with n1 + n2 - 2 degrees of freedom, is
/// wider than necessary; [`cohen_dz`] uses the pairing.
///
/// # Errors
/// Returns an error if a sample is empty, a value is not finite, or the confidence is not between 0 and 1.
pub fn cohen_d(baseline: &[f64], candidate: &[f64], confidence: f64) -> Result<EffectSize, StatsError> {
    Ok(Standardised::of(baseline, candidate, confidence)?.effect(confidence))
}

/// Returns Hedges' g: [`cohen_d`] and its interval times Γ(ν/2) / (√(ν/2) Γ((ν-1)/2)) with ν = n1 + n2 - 2,
/// which removes the upward bias in small samples (Hedges, Distribution theory for Glass's estimator of effect size and
/// related estimators, Journal of Educational Statistics 6(2), 1981; the exact factor, not 1 - 3 / (4ν - 1)).
///
/// # Errors
/// Returns an error if a sample is empty, a value is not finite, or the confidence is not between 0 and 1.
pub fn hedges_g(baseline: &[f64], candidate: &[f64], confidence: f64) -> Result<EffectSize, StatsError> {
    let mut standardised = Standardised::of(baseline, candidate, confidence)?;
    standardised.factor = unbiased(standardised.degrees);
    Ok(standardised.effect(confidence))
}

/// A difference in standard deviations; its t is the difference times `root`.
struct Standardised {
    value: Result<f64, Undefined>,
    degrees: f64,
    root: f64,
    /// The value and its interval are multiplied with this in the end.
    factor: f64,
}

impl Standardised {
    fn of_pairs(baseline: &[f64], candidate: &[f64], confidence: f64) -> Result<Self, StatsError> {
        StatsError::unless_confidence(confidence)?;
        let paired = Paired::of(baseline, candidate)?;
        let n = paired.n();
        let value = paired.spread().map(|deviation| paired.mean() / deviation);
        Ok(Self { value, degrees: (n - 1) as f64, root: (n as f64).sqrt(), factor: 1.0 })
    }

    fn of(baseline: &[f64], candidate: &[f64], confidence: f64) -> Result<Self, StatsError> {
        StatsError::unless_confidence(confidence)?;
        StatsError::unless_samples(baseline, candidate)?;
        let (n1, n2) = (baseline.len() as f64, candidate.len() as f64);
        let degrees = n1 + n2 - 2.0;
        let squares = |values: &[f64]| variance(values).unwrap_or(0.0) * (values.len() - 1) as f64;
        let deviation = ((squares(baseline) + squares(candidate)) / degrees).sqrt();
        let difference = mean(candidate) - mean(baseline);
        let noise = noise(baseline).max(noise(candidate));
        let value = if degrees < 1.0 {
            Err(Undefined::TooFew { n: baseline.len() + candidate.len(), needed: 3 })
        } else if deviation > noise {
            Ok(difference / deviation)
        } else if difference.abs() <= noise {
            Err(Undefined::Identical)
        } else {
            Err(Undefined::NoSpread)
        };
        Ok(Self { value, degrees, root: (n1 * n2 / (n1 + n2)).sqrt(), factor: 1.0 })
    }

    fn effect(&self, confidence: f64) -> EffectSize {
        let tail = (1.0 - confidence) / 2.0;
        // The shift with which a share of the statistics lies above the observed one.
        let end = |share: f64| {
            let t = self.value.ok()? * self.root;
            let shift = student::shift_with_share_above(t, self.degrees, share)?;
            Some(shift / self.root * self.factor)
        };
        let (low, high) = (end(tail), end(1.0 - tail));
        let no_interval = (low.is_none() || high.is_none()).then_some(Undefined::OutOfRange);
        EffectSize {
            value: self.value.ok().map(|value| value * self.factor),
            low,
            high,
            undefined: self.value.err().or(no_interval),
        }
    }
}

/// Returns Γ(ν/2) / (√(ν/2) Γ((ν-1)/2)); 0 for one degree of freedom, since Γ(0) is infinite.
fn unbiased(degrees: f64) -> f64 {
    if degrees <= 1.0 {
        return 0.0;
    }
    let half = degrees / 2.0;
    if degrees > 1e5 {
        // Here the logarithms lose more digits than the next term of the series would add, 1 / (32 ν²).
        return 1.0 - 3.0 / (4.0 * degrees - 1.0);
    }
    libm::exp(libm::lgamma(half) - libm::lgamma(half - 0.5)) / half.sqrt()
}

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
