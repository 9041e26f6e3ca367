//! Precision at k.
//!
//! Relevant documents among the first k, divided by k even if fewer are retrieved. From 0 to 1. `relative=True` divides
//! by the most that k documents could hold, the lesser of k and the number of relevant ones.

use super::set_p;
use crate::definition::{Alias, Definition, Linear, Suffix};
use crate::graded_ranking::{is_relevant, share};
use crate::parameters::{JUDGED_ONLY, Parameters, REL, RELATIVE, UNJUDGED};

pub(super) static DEFINITION: Definition = Definition {
    name: "P",
    summary: "Precision at k",
    source: "Van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7; trec_eval's P and relative_P",
    value: set_p::value,
    aliases: &[
        Alias::with("relative_p", "relative=True"),
        // ranx's `precision` without a cutoff is that of the whole list
        Alias::without_cutoff("precision", "SetP").echoed(),
        Alias::without_cutoff("Precision", "SetP").echoed(),
    ],
    parameters: &[REL, RELATIVE, JUDGED_ONLY, UNJUDGED],
    defaults: Parameters::BINARY,
    suffix: Suffix::Cutoff,
    example: "P@10",
    trec_eval_name: |parameters| {
        Some(format!("{}_{}", if parameters.relative { "relative_P" } else { "P" }, parameters.cutoff?))
    },
    trec_eval_name_over_judges: |parameters| {
        let cutoff = parameters.cutoff.filter(|_| !parameters.relative)?;
        Some(format!("P_avgjg_{cutoff}"))
    },
    linear: Some(&Linear {
        weight: |_, _, parameters| share(1, parameters.ranks()),
        worth: |grade, parameters| f64::from(u8::from(is_relevant(Some(grade), parameters.relevant()))),
    }),
    retrieved_only: true,
    ..Definition::USUAL
};
