//! The number of retrieved documents; with `rel`, of relevant ones among them.

use crate::aggregation::Aggregation;
use crate::definition::{Alias, Definition, LabelsRead, Suffix, ValueRange};
use crate::graded_ranking::{GradedRanking, found};
use crate::parameters::{Parameters, REL, Unjudged};

pub(super) static DEFINITION: Definition = Definition {
    name: "NumRet",
    summary: "The number of retrieved documents; with rel, of relevant ones among them",
    source: "trec_eval's num_ret and num_rel_ret, ir_measures' NumRet",
    range: ValueRange::NotNegative,
    value,
    aliases: &[
        Alias::with("numrelret", "rel=1"),
        Alias::same("num_ret"),
        Alias::with("num_rel_ret", "rel=1"),
        Alias::with("hits", "rel=1"),
    ],
    parameters: &[REL],
    suffix: Suffix::OptionalCutoff,
    labels: LabelsRead::Nothing,
    aggregation: Aggregation::Sum,
    ranks_systems: |parameters| parameters.rel.is_some(),
    trec_eval_name: |parameters| match (parameters.rel, parameters.cutoff) {
        (None, None) => Some("num_ret".to_owned()),
        (Some(_), None) => Some("num_rel_ret".to_owned()),
        (_, Some(_)) => None,
    },
    ..Definition::USUAL
};

fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let list = ranking.top(Unjudged::NotRelevant, parameters.cutoff);
    parameters.rel.map_or(list.len(), |rel| found(list, rel, Unjudged::NotRelevant).0) as f64
}
