//! Average precision.
//!
//! The mean, over all relevant documents that the labels know, of the precision at the rank where each is found. A
//! document that is not found, or that lies below the cutoff, counts 0. From 0 to 1. The mean over queries is MAP.
//!
//! trec_eval's `map` and `map_cut` divide by all relevant documents whatever the cutoff. (ragas and deepeval divide by
//! the relevant documents that were *retrieved*, so that a run which finds one of twenty, first, has 1.)
//!
//! The bound (`unjudged='best'`) is exact. The best places of m more relevant documents are the first m without a
//! label, since a relevant document that moves up never lowers AP; so the bound is the largest of the values for
//! m = 0, 1, 2, ... It is not simply the value for all of them: a relevant document far down lowers AP.

use crate::definition::{Alias, Definition, Suffix};
use crate::graded_ranking::{GradedRanking, is_relevant, lacks_label};
use crate::parameters::{JUDGED_ONLY, Parameters, REL, UNJUDGED, Unjudged};

pub(super) static DEFINITION: Definition = Definition {
    name: "AP",
    summary: "Average precision; its mean over queries is MAP",
    source: "Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation in Information \
             Retrieval, MIT Press 2005; trec_eval's map and map_cut",
    value,
    aliases: &[
        Alias::same("map"),
        Alias::needs_cutoff("map_cut"),
        Alias::same("MAP").echoed(),
        Alias::same("average_precision").echoed(),
        Alias::same("AveragePrecision").echoed(),
    ],
    parameters: &[REL, JUDGED_ONLY, UNJUDGED],
    defaults: Parameters::BINARY,
    suffix: Suffix::OptionalCutoff,
    example: "AP@10",
    trec_eval_name: |parameters| match parameters.cutoff {
        None => Some("map".to_owned()),
        Some(cutoff) => Some(format!("map_cut_{cutoff}")),
    },
    trec_eval_name_over_judges: |parameters| parameters.cutoff.is_none().then(|| "map_avgjg".to_owned()),
    ..Definition::USUAL
};

/// 0 if the labels know no relevant document.
pub(super) fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let rel = parameters.relevant();
    let relevant = ranking.relevant(rel);
    let best = parameters.unjudged == Unjudged::Best;
    if relevant == 0 && !best {
        return 0.0;
    }
    let list = ranking.top(parameters.unjudged, parameters.cutoff);
    let mut found = 0u32;
    let mut sum = 0.0;
    for (index, grade) in list.iter().enumerate() {
        if is_relevant(*grade, rel) {
            found += 1;
            sum += f64::from(found) / (index + 1) as f64;
        }
    }
    if best { bound(ranking, parameters, sum) } else { sum / relevant as f64 }
}

/// The largest value that any labels for the unjudged documents could give; `sum` is the sum of the precisions as
/// labelled.
fn bound(ranking: &GradedRanking<'_>, parameters: &Parameters, mut sum: f64) -> f64 {
    let rel = parameters.relevant();
    let list = ranking.top(Unjudged::Best, parameters.cutoff);
    let rank = |index: usize| (index + 1) as f64;
    let relevant = list.iter().enumerate().filter(|(_, grade)| is_relevant(**grade, rel));
    // the amount that one more relevant document adds to the precisions at the labelled ones below it
    let mut below: f64 = relevant.map(|(index, _)| 1.0 / rank(index)).sum();
    let (mut above, mut known) = (0u32, ranking.relevant(rel));
    let mut best = if known == 0 { 0.0 } else { sum / known as f64 };
    for (index, grade) in list.iter().enumerate() {
        if is_relevant(*grade, rel) {
            above += 1;
            below -= 1.0 / rank(index);
        } else if lacks_label(*grade) {
            above += 1;
            known += 1;
            sum += f64::from(above) / rank(index) + below;
            best = best.max(sum / known as f64);
        }
    }
    best
}
