//! Set AP.
//!
//! Set precision times set recall, which is average precision as if all relevant documents had been found at the end.
//! From 0 to 1.

use crate::definition::{Alias, Definition};
use crate::graded_ranking::{GradedRanking, found, share};
use crate::parameters::{JUDGED_ONLY, Parameters, REL, UNJUDGED};

pub(super) static DEFINITION: Definition = Definition {
    name: "SetAP",
    summary: "SetP times SetR",
    source: "trec_eval's set_map, ir_measures' SetAP",
    value,
    aliases: &[Alias::same("set_map")],
    parameters: &[REL, JUDGED_ONLY, UNJUDGED],
    defaults: Parameters::BINARY,
    trec_eval_name: |_| Some("set_map".to_owned()),
    ..Definition::USUAL
};

/// 0 if the labels know no relevant document.
fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let (rel, unjudged) = (parameters.relevant(), parameters.unjudged);
    let list = ranking.top(unjudged, None);
    let (found, unknown) = found(list, rel, unjudged);
    share(found * found, list.len() * (ranking.relevant(rel) + unknown))
}
