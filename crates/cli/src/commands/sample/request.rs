//! Makes the request for a sample from the command line.

use anyhow::Result;
use llull::core::{Grade, SampleDesign};
use llull::metrics::Measure;
use llull::sampling::{SampleRequest, SamplingFrame};
use llull::stats::BootstrapOptions;

use crate::args::SampleArgs;
use crate::exit::refuse;

/// The defaults of options.
pub(super) struct Defaults {
    pub(super) measure: Measure,
    pub(super) baseline: String,
    pub(super) scale: (Grade, Grade),
    pub(super) intervals: BootstrapOptions,
}

/// Returns the number of units to draw: -n counts pairs to label, and queries only if --design names them.
pub(super) fn units(args: &SampleArgs, frame: &SamplingFrame, number: usize) -> Result<usize> {
    Ok(match frame.design() {
        SampleDesign::Queries if args.design.is_none() => frame.queries_of(number)?,
        _ => number,
    })
}

pub(super) fn request(args: &SampleArgs, usual: Defaults) -> Result<SampleRequest> {
    let compare = match args.compare.as_slice() {
        [] => None,
        [baseline, candidate] => Some((baseline.clone(), candidate.clone())),
        several => refuse!("--compare takes two systems, such as bm25,dense, and not {}", several.len()),
    };
    Ok(SampleRequest {
        measure: usual.measure,
        design: args.design.map(crate::args::DesignChoice::design),
        compare,
        baseline: usual.baseline,
        by: Vec::new(),
        scale: usual.scale,
        confidence: usual.intervals.confidence,
        seed: usual.intervals.seed,
    })
}
