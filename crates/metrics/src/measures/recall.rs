//! Recall at k.
//!
//! Relevant documents among the first k, divided by all relevant documents that the labels know. From 0 to 1.
//!
//! With labels of a pool it is recall of what the pool found, not of the corpus. (Tools that divide by the relevant
//! documents that were retrieved, as Phoenix, ragas and deepeval do, cannot see what a retriever misses.)

use super::set_r;
use crate::definition::{Alias, Definition, Suffix};
use crate::parameters::{JUDGED_ONLY, Parameters, REL, UNJUDGED};

pub(super) static DEFINITION: Definition = Definition {
    name: "R",
    summary: "Recall at k",
    source: "Van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7; trec_eval's recall",
    value: set_r::value,
    aliases: &[Alias::same("recall").echoed(), Alias::same("Recall").echoed()],
    parameters: &[REL, JUDGED_ONLY, UNJUDGED],
    defaults: Parameters::BINARY,
    suffix: Suffix::Cutoff,
    example: "R@10",
    trec_eval_name: |parameters| Some(format!("recall_{}", parameters.cutoff?)),
    shares: Some(set_r::shares),
    ..Definition::USUAL
};
