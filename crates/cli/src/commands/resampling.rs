//! The options of tests and intervals.

use anyhow::Result;
use llull::core::Seed;
use llull::stats::{BootstrapOptions, Correction, PairTest};

use crate::exit::{Usage, refuse};

/// Tukey's test corrects by itself, and a second correction would only hide differences.
pub(crate) fn correction(test: PairTest, asked: Option<Correction>) -> Result<Correction> {
    match (test, asked) {
        (PairTest::Tukey, Some(correction)) if correction != Correction::None => refuse!(
            "--correct {correction}: the p of --test tukey hold for all systems together as they are; leave \
             --correct out, or name another --test"
        ),
        (_, correction) => Ok(correction.unwrap_or_default()),
    }
}

/// What the command line says about resampling, `--resamples`, `--confidence` and `--seed`, goes before what the
/// study says. Refuses what cannot be drawn.
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
