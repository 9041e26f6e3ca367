//! Gains discounted by their ranks, which nDCG and its kin share.

use llull_core::Grade;

use crate::definition::Linear;
use crate::parameters::Gain;

/// Gain times discount, added up.
pub(super) static DISCOUNTED_GAIN: Linear =
    Linear { weight: |rank, _, _| discount(rank), worth: |grade, parameters| parameters.gain.of(grade) };

/// The weight of a rank, from 1: 1 / log2(rank + 1).
fn discount(rank: usize) -> f64 {
    1.0 / ((rank + 1) as f64).log2()
}

/// Discounts gains by their ranks, 1 / log2(rank + 1), and adds them up.
pub(super) fn sum(gains: impl Iterator<Item = f64>) -> f64 {
    gains
        .enumerate()
        .filter(|(_, gain)| *gain > 0.0)
        .map(|(index, gain)| gain / ((index + 2) as f64).log2())
        // not `sum`, which is -0 for nothing
        .fold(0.0, |sum, gain| sum + gain)
}

/// The gains of all labelled documents in their best order. Those of a table need not rise with the grades.
pub(super) fn ideal_gains(gain: &Gain, ideal: &[Grade]) -> Vec<f64> {
    let mut gains: Vec<f64> = ideal.iter().map(|grade| gain.of(*grade)).collect();
    gains.sort_unstable_by(|a, b| b.total_cmp(a));
    gains
}

/// The convention of gains on which tools differ; `None` for a table, which is in the name.
pub(super) fn convention(gain: &Gain) -> Option<String> {
    match gain {
        Gain::Linear => Some("gain = grade".to_owned()),
        Gain::Exponential => Some("gain = 2^grade - 1".to_owned()),
        Gain::Custom(_) => None,
    }
}
