//! R-precision.
//!
//! Precision at rank R, where R is the number of relevant documents that the labels know; it is recall at R as well.
//! From 0 to 1. `mult` takes a multiple of R, rounded as in trec_eval, ⌊mult · R + 0.9⌋.

use super::trec_eval_name::with_decimals;
use crate::definition::{Alias, Definition, WrittenBehind};
use crate::graded_ranking::{GradedRanking, found, share};
use crate::parameters::{Cutoff, JUDGED_ONLY, MULT, Multiple, Parameters, REL};

pub(super) static DEFINITION: Definition = Definition {
    name: "Rprec",
    summary: "Precision at R, where R is the number of relevant documents",
    source: "Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation in Information \
             Retrieval, MIT Press 2005; trec_eval's Rprec and Rprec_mult",
    value,
    aliases: &[Alias::same("rprec_mult"), Alias::same("r_precision"), Alias::same("r-precision")],
    written_behind: &[WrittenBehind {
        name: "Rprec_mult",
        arguments: |multiple| Some(format!("mult={}", &multiple[1..])),
    }],
    parameters: &[REL, MULT, JUDGED_ONLY],
    defaults: Parameters::BINARY,
    trec_eval_name: |parameters| match parameters.mult {
        Multiple::ONE => Some("Rprec".to_owned()),
        mult => with_decimals("Rprec_mult", mult.get()),
    },
    trec_eval_name_over_judges: |parameters| with_decimals("Rprec_mult_avgjg", parameters.mult.get()),
    ..Definition::USUAL
};

/// 0 if the labels know no relevant document.
fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let (rel, unjudged) = (parameters.relevant(), parameters.unjudged);
    let rank = (parameters.mult.get() * ranking.relevant(rel) as f64 + 0.9) as u32;
    Cutoff::new(rank).map_or(0.0, |cutoff| {
        share(found(ranking.top(unjudged, Some(cutoff)), rel, unjudged).0, rank as usize)
    })
}
