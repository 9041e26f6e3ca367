//! Reciprocal rank.
//!
//! 1 / the rank of the first relevant document, 0 if none is found down to the cutoff. From 0 to 1. The mean over
//! queries is MRR.

use crate::definition::{Alias, Definition, Suffix};
use crate::graded_ranking::{GradedRanking, is_relevant, lacks_label};
use crate::parameters::{JUDGED_ONLY, Parameters, REL, UNJUDGED, Unjudged};

pub(super) static DEFINITION: Definition = Definition {
    name: "RR",
    summary: "Reciprocal rank of the first relevant document; its mean over queries is MRR",
    source: "Kantor and Voorhees, The TREC-5 confusion track, Information Retrieval 2(2-3), 2000; trec_eval's \
             recip_rank",
    value,
    aliases: &[
        Alias::same("recip_rank"),
        Alias::needs_cutoff("recip_rank_cut"),
        Alias::same("mrr").echoed(),
        Alias::same("MRR").echoed(),
        Alias::same("reciprocal_rank"),
    ],
    parameters: &[REL, JUDGED_ONLY, UNJUDGED],
    defaults: Parameters::BINARY,
    suffix: Suffix::OptionalCutoff,
    example: "RR@10",
    trec_eval_name: |parameters| parameters.cutoff.is_none().then(|| "recip_rank".to_owned()),
    shares: Some(shares),
    retrieved_only: true,
    ..Definition::USUAL
};

pub(super) fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    first(ranking, parameters).map_or(0.0, |index| 1.0 / (index + 1) as f64)
}

/// The whole value for the first relevant document.
fn shares(ranking: &GradedRanking<'_>, parameters: &Parameters) -> Vec<f64> {
    all_to_first(ranking, parameters, value(ranking, parameters))
}

/// A value that belongs to the first relevant document, of Success as well.
pub(super) fn all_to_first(ranking: &GradedRanking<'_>, parameters: &Parameters, value: f64) -> Vec<f64> {
    let mut shares = vec![0.0; ranking.top(parameters.unjudged, parameters.cutoff).len()];
    if let Some(share) = first(ranking, parameters).and_then(|index| shares.get_mut(index)) {
        *share = value;
    }
    shares
}

/// The place of the first relevant document, from 0.
fn first(ranking: &GradedRanking<'_>, parameters: &Parameters) -> Option<usize> {
    let (rel, unjudged) = (parameters.relevant(), parameters.unjudged);
    let best = unjudged == Unjudged::Best;
    let counts = |grade: &Option<_>| is_relevant(*grade, rel) || (best && lacks_label(*grade));
    ranking.top(unjudged, parameters.cutoff).iter().position(counts)
}
