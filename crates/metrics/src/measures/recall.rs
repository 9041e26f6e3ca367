//! Recall at k: relevant documents among the first k, divided by all relevant documents that the labels know. From 0 to 1.
//! Under labels of a pool it is recall of what the pool found, not of the corpus. (Tools that divide by the relevant documents
//! that were retrieved, as Phoenix, ragas and deepeval do, cannot see what a retriever misses.)
//!
//! Van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7; trec_eval's `recall`.

use super::view::{View, found, share};
use crate::parameter::{Cutoff, Relevant, Unjudged};

/// 0 when the labels know no relevant document.
pub(super) fn value(view: &View<'_>, rel: Relevant, cutoff: Cutoff, unjudged: Unjudged) -> f64 {
    let (found, more) = found(view.top(unjudged, Some(cutoff)), rel, unjudged);
    share(found, view.relevant(rel) + more)
}
