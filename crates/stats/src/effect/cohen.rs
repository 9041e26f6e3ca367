//! Standardised differences of means: Cohen's d and d_z, Hedges' g.

use super::size::{EffectMeasure, EffectSize};
use crate::distribution::noncentral;
use crate::error::StatsError;
use crate::rounding::noise;
use crate::significance::{Paired, Undefined, mean, variance};

/// Cohen's d_z of a paired comparison: the mean difference over the standard deviation of the differences (Cohen,
/// Statistical Power Analysis for the Behavioral Sciences, 1988, 2.3.5; Sakai, Laboratory Experiments in
/// Information Retrieval, 2018, 5.2). It is what the paired t test's power depends on: t = d_z √n.
///
/// The interval is exact for normal differences: the noncentralities under which so large, and so small, a t is as
/// rare as the confidence says, over √n (Steiger and Fouladi 1997; Goulet-Pelletier and Cousineau, A review of
/// effect sizes and their confidence intervals, 2018).
///
/// # Errors
/// When the two have different lengths or no value, a value is not finite, or the confidence does not lie between 0
/// and 1.
pub fn cohen_dz(baseline: &[f64], candidate: &[f64], confidence: f64) -> Result<EffectSize, StatsError> {
    let standardised = Standardised::of_pairs(baseline, candidate, confidence)?;
    Ok(standardised.effect(EffectMeasure::CohenDz, (baseline.len(), candidate.len()), confidence))
}

/// The value of [`cohen_d`] alone; the interval takes long beside it.
pub(crate) fn d_alone(baseline: &[f64], candidate: &[f64]) -> Result<Option<f64>, StatsError> {
    Ok(Standardised::of(baseline, candidate, 0.95)?.value.ok())
}

/// The value of [`cohen_dz`] alone.
pub(crate) fn dz_alone(baseline: &[f64], candidate: &[f64]) -> Result<Option<f64>, StatsError> {
    Ok(Standardised::of_pairs(baseline, candidate, 0.95)?.value.ok())
}

/// Cohen's d of two samples: the difference of the means over the pooled standard deviation of the values (Cohen
/// 1988, 2.2).
///
/// How far apart two systems are, measured in how far apart topics are; so it is comparable between collections and
/// label sets, also where the topics differ. The samples are taken as independent: for two systems over the same
/// topics the value means the same, yet the interval, by the noncentral t with n1 + n2 - 2 degrees of freedom, is
/// wider than it need be; [`cohen_dz`] uses the pairing.
///
/// # Errors
/// When one has no value, a value is not finite, or the confidence does not lie between 0 and 1.
pub fn cohen_d(baseline: &[f64], candidate: &[f64], confidence: f64) -> Result<EffectSize, StatsError> {
    let standardised = Standardised::of(baseline, candidate, confidence)?;
    Ok(standardised.effect(EffectMeasure::CohenD, (baseline.len(), candidate.len()), confidence))
}

/// Hedges' g: [`cohen_d`] and its interval times Γ(ν/2) / (√(ν/2) Γ((ν-1)/2)) with ν = n1 + n2 - 2, which takes off
/// its upward bias in small samples (Hedges, Distribution theory for Glass's estimator of effect size and related
/// estimators, Journal of Educational Statistics 6(2), 1981; the exact factor, not 1 - 3 / (4ν - 1)).
///
/// # Errors
/// When one has no value, a value is not finite, or the confidence does not lie between 0 and 1.
pub fn hedges_g(baseline: &[f64], candidate: &[f64], confidence: f64) -> Result<EffectSize, StatsError> {
    let mut standardised = Standardised::of(baseline, candidate, confidence)?;
    standardised.factor = unbiased(standardised.degrees);
    Ok(standardised.effect(EffectMeasure::HedgesG, (baseline.len(), candidate.len()), confidence))
}

/// A difference in standard deviations, whose t is it times `root`.
struct Standardised {
    value: Result<f64, Undefined>,
    degrees: f64,
    root: f64,
    /// What the value and its interval are multiplied with at last.
    factor: f64,
}

impl Standardised {
    fn of_pairs(baseline: &[f64], candidate: &[f64], confidence: f64) -> Result<Self, StatsError> {
        StatsError::unless_confidence(confidence)?;
        let paired = Paired::of(baseline, candidate)?;
        let n = paired.n();
        let value = match paired.deviation() {
            None => Err(Undefined::TooFew { n, needed: 2 }),
            Some(0.0) if paired.differing() == 0 => Err(Undefined::Identical),
            Some(0.0) => Err(Undefined::NoSpread),
            Some(deviation) => Ok(paired.mean() / deviation),
        };
        Ok(Self { value, degrees: (n - 1) as f64, root: (n as f64).sqrt(), factor: 1.0 })
    }

    fn of(baseline: &[f64], candidate: &[f64], confidence: f64) -> Result<Self, StatsError> {
        StatsError::unless_confidence(confidence)?;
        StatsError::unless_finite(baseline)?;
        StatsError::unless_finite(candidate)?;
        if baseline.is_empty() || candidate.is_empty() {
            return Err(StatsError::Empty);
        }
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

    fn effect(
        &self,
        measure: EffectMeasure,
        (baseline, candidate): (usize, usize),
        confidence: f64,
    ) -> EffectSize {
        let tail = (1.0 - confidence) / 2.0;
        // The shift under which a share of the statistics lies above the one observed.
        let end = |share: f64| {
            let t = self.value.ok()? * self.root;
            let shift = noncentral::shift_with_share_above(t, self.degrees, share)?;
            Some(shift / self.root * self.factor)
        };
        let (low, high) = (end(tail), end(1.0 - tail));
        let no_interval = (low.is_none() || high.is_none()).then_some(Undefined::OutOfRange);
        EffectSize {
            measure,
            baseline,
            candidate,
            value: self.value.ok().map(|value| value * self.factor),
            low,
            high,
            confidence,
            undefined: self.value.err().or(no_interval),
        }
    }
}

/// Γ(ν/2) / (√(ν/2) Γ((ν-1)/2)); with one degree of freedom 0, as Γ(0) is infinite.
fn unbiased(degrees: f64) -> f64 {
    if degrees <= 1.0 {
        return 0.0;
    }
    let half = degrees / 2.0;
    if degrees > 1e5 {
        // The logarithms lose more digits here than the next term of the series is worth, 1 / (32 ν²).
        return 1.0 - 3.0 / (4.0 * degrees - 1.0);
    }
    libm::exp(libm::lgamma(half) - libm::lgamma(half - 0.5)) / half.sqrt()
}
