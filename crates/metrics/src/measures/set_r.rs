//! Set recall.
//!
//! Relevant documents retrieved, divided by all relevant documents that the labels know. From 0 to 1.

use crate::definition::{Alias, Definition};
use crate::graded_ranking::{GradedRanking, found, is_relevant, share};
use crate::parameters::{Parameters, REL};

pub(super) static DEFINITION: Definition = Definition {
    name: "SetR",
    summary: "Recall of all that was retrieved",
    source: "Van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7; trec_eval's set_recall",
    value,
    aliases: &[Alias::same("set_recall")],
    parameters: &[REL],
    defaults: Parameters::BINARY,
    trec_eval_name: |_| Some("set_recall".to_owned()),
    shares: Some(shares),
    ..Definition::USUAL
};

/// Of R as well. 0 if the labels know no relevant document.
pub(super) fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let (rel, unjudged) = (parameters.relevant(), parameters.unjudged);
    let (found, unknown) = found(ranking.top(unjudged, parameters.cutoff), rel, unjudged);
    share(found, ranking.relevant(rel) + unknown)
}

/// Of R as well: equal parts for the relevant documents.
pub(super) fn shares(ranking: &GradedRanking<'_>, parameters: &Parameters) -> Vec<f64> {
    let rel = parameters.relevant();
    let part = share(1, ranking.relevant(rel));
    let list = ranking.top(parameters.unjudged, parameters.cutoff);
    list.iter().map(|grade| if is_relevant(*grade, rel) { part } else { 0.0 }).collect()
}
