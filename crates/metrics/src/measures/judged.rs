//! Judged at k.
//!
//! The share of the first k documents that have a label, whatever its grade. From 0 to 1. If fewer than k are retrieved
//! it is the share of these, so that a short list does not look unjudged; 0 if nothing is retrieved.

use crate::definition::{Definition, LabelsRead, Suffix};
use crate::graded_ranking::{GradedRanking, share};
use crate::parameters::{Parameters, Unjudged};

pub(super) static DEFINITION: Definition = Definition {
    name: "Judged",
    summary: "The share of the list that has a label",
    source: "MacAvaney et al., Streamlining evaluation with ir-measures, ECIR 2022; ir_measures' Judged",
    value,
    suffix: Suffix::Cutoff,
    example: "Judged@10",
    labels: LabelsRead::Presence,
    ..Definition::USUAL
};

fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let top = ranking.top(Unjudged::NotRelevant, parameters.cutoff);
    share(top.iter().filter(|grade| grade.is_some()).count(), top.len())
}
