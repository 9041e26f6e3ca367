//! Success at k: whether the first k hold a relevant document.
//!
//! 1 if a relevant document is among the first k, or anywhere without a cutoff, else 0. Its mean is the share of
//! queries that are served, also called hit rate.

use super::rr;
use crate::definition::{Alias, Definition, Suffix};
use crate::graded_ranking::GradedRanking;
use crate::parameters::{JUDGED_ONLY, Parameters, REL, UNJUDGED};

pub(super) static DEFINITION: Definition = Definition {
    name: "Success",
    summary: "Whether anything relevant is found; its mean is the hit rate",
    source: "Craswell and Hawking, Overview of the TREC-2004 Web track; trec_eval's success",
    value,
    aliases: &[
        Alias::same("hit_rate").echoed(),
        Alias::same("HitRate").echoed(),
        Alias::same("hit").echoed(),
    ],
    parameters: &[REL, JUDGED_ONLY, UNJUDGED],
    defaults: Parameters::BINARY,
    suffix: Suffix::OptionalCutoff,
    example: "Success@10",
    trec_eval_name: |parameters| Some(format!("success_{}", parameters.cutoff?)),
    shares: Some(|ranking, parameters| rr::all_to_first(ranking, parameters, value(ranking, parameters))),
    retrieved_only: true,
    ..Definition::USUAL
};

fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    if rr::value(ranking, parameters) > 0.0 { 1.0 } else { 0.0 }
}
