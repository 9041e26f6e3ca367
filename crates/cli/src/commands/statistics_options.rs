//! Options of tests and intervals that several commands share.

use anyhow::Result;
use llull::core::Seed;
use llull::stats::{BootstrapOptions, Correction, PairTest};

use crate::exit::{Usage, refuse};

/// The correction to apply: the chosen one, or else Holm's.
///
/// # Errors
///
/// Returns a usage error for a correction of Tukey's test, which corrects by itself: a second correction would only
/// hide differences.
pub(crate) fn correction(test: PairTest, asked: Option<Correction>) -> Result<Correction> {
    match (test, asked) {
        (PairTest::Tukey, Some(correction)) if correction != Correction::None => refuse!(
            "--correct {correction}: --test tukey corrects p for all systems by itself; leave out --correct, or choose \
             another --test"
        ),
        (_, correction) => Ok(correction.unwrap_or_default()),
    }
}

/// How intervals are drawn: `usual`, overridden by `--resamples`, `--confidence` and `--seed`.
///
/// # Errors
///
/// Returns a usage error if there are too few resamples for the confidence.
pub(crate) fn bootstrap(
    resamples: Option<u32>,
    confidence: Option<f64>,
    seed: Option<u64>,
    usual: BootstrapOptions,
) -> Result<BootstrapOptions> {
    let options = BootstrapOptions {
        resamples: resamples.map_or(usual.resamples, |resamples| resamples as usize),
        confidence: confidence.unwrap_or(usual.confidence),
        seed: seed.map_or(usual.seed, Seed),
    };
    options.check().map_err(|error| Usage(error.to_string()))?;
    Ok(options)
}
