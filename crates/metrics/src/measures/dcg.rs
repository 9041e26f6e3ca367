//! Discounted cumulative gain.
//!
//! Σ gain(rank) / log2(rank + 1), without the division that makes it comparable between queries. From 0 without an
//! upper end.

use super::discounted_gain::{DISCOUNTED_GAIN, convention, sum};
use crate::definition::{Alias, Definition, Suffix, ValueRange};
use crate::graded_ranking::{GradedRanking, lacks_label};
use crate::parameters::{DCG, GAINS, JUDGED_ONLY, MIN_REL, Parameters, UNJUDGED, Unjudged};

pub(super) static DEFINITION: Definition = Definition {
    name: "DCG",
    summary: "Discounted cumulative gain: nDCG before the division",
    source: "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002, with the \
             discount of trec_eval",
    range: ValueRange::NotNegative,
    value,
    aliases: &[Alias::with("dcg_burges", "dcg='exp-log2'")],
    parameters: &[DCG, GAINS, MIN_REL, JUDGED_ONLY, UNJUDGED],
    suffix: Suffix::OptionalCutoff,
    example: "DCG@10",
    convention: |parameters| convention(&parameters.gain),
    linear: Some(&DISCOUNTED_GAIN),
    retrieved_only: true,
    ..Definition::USUAL
};

fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let (gain, unjudged) = (&parameters.gain, parameters.unjudged);
    let best = if unjudged == Unjudged::Best { gain.most(ranking.highest) } else { 0.0 };
    let gained = |grade: &Option<_>| match *grade {
        grade if lacks_label(grade) => best,
        Some(grade) => gain.of(grade),
        None => best,
    };
    sum(ranking.top(unjudged, parameters.cutoff).iter().map(gained))
}
