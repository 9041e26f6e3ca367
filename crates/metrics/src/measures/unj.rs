//! Unjudged at k.
//!
//! Documents among the first k that were not judged, divided by k even if fewer are retrieved. From 0 to 1. A negative
//! label means that a document was not judged; for Judged, which is ir_measures', it is a label.

use crate::definition::{Alias, Definition, LabelsRead, Suffix};
use crate::graded_ranking::{GradedRanking, lacks_label, share};
use crate::parameters::{Parameters, Unjudged};

pub(super) static DEFINITION: Definition = Definition {
    name: "unj",
    summary: "Documents among the first k that were not judged, divided by k",
    source: "trec_eval 10's unj",
    value,
    aliases: &[Alias::same("unjudged")],
    suffix: Suffix::Cutoff,
    example: "unj@10",
    labels: LabelsRead::Judged,
    ranks_systems: |_| false,
    trec_eval_name: |parameters| Some(format!("unj_{}", parameters.cutoff?)),
    ..Definition::USUAL
};

fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let top = ranking.top(Unjudged::NotRelevant, parameters.cutoff);
    let size = parameters.cutoff.map_or(top.len(), |cutoff| cutoff.rank() as usize);
    share(top.iter().filter(|grade| lacks_label(**grade)).count(), size)
}
