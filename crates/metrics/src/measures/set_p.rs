//! Set precision.
//!
//! Relevant documents retrieved, divided by all that are retrieved. From 0 to 1. `relative=True` divides by the most
//! that so many documents could hold, the lesser of that and the number of relevant ones.

use crate::definition::{Alias, Definition, Linear};
use crate::graded_ranking::{GradedRanking, found, is_relevant, share};
use crate::parameters::{JUDGED_ONLY, Parameters, REL, RELATIVE, UNJUDGED};

pub(super) static DEFINITION: Definition = Definition {
    name: "SetP",
    summary: "Precision of all that was retrieved",
    source: "Van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7; trec_eval's set_P and \
             set_relative_P",
    value,
    aliases: &[
        Alias::with("setrelp", "relative=True"),
        Alias::same("set_p"),
        Alias::with("set_relative_p", "relative=True"),
    ],
    parameters: &[REL, RELATIVE, JUDGED_ONLY, UNJUDGED],
    defaults: Parameters::BINARY,
    trec_eval_name: |parameters| {
        Some(if parameters.relative { "set_relative_P" } else { "set_P" }.to_owned())
    },
    linear: Some(&Linear {
        weight: |_, length, _| share(1, length),
        worth: |grade, parameters| f64::from(u8::from(is_relevant(Some(grade), parameters.relevant()))),
    }),
    retrieved_only: true,
    ..Definition::USUAL
};

/// Of P as well: divided by the cutoff if there is one, by the length of the list otherwise.
pub(super) fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let (rel, unjudged) = (parameters.relevant(), parameters.unjudged);
    let list = ranking.top(unjudged, parameters.cutoff);
    let (found, unknown) = found(list, rel, unjudged);
    let size = parameters.cutoff.map_or(list.len(), |cutoff| cutoff.rank() as usize);
    share(found, if parameters.relative { size.min(ranking.relevant(rel) + unknown) } else { size })
}
