//! Recall at k: relevant documents among the first k, divided by all relevant documents that the labels know. From 0 to 1.
//! Under labels of a pool it is recall of what the pool found, not of the corpus.
//!
//! Van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7; trec_eval's `recall`.

use super::{View, is_relevant};
use crate::measure::{Cutoff, Relevant};

/// 0 when the labels know no relevant document.
pub(super) fn value(view: &View<'_>, rel: Relevant, cutoff: Cutoff) -> f64 {
    let relevant = view.relevant(rel);
    if relevant == 0 {
        return 0.0;
    }
    let found = view.top(Some(cutoff)).iter().filter(|grade| is_relevant(**grade, rel)).count();
    found as f64 / relevant as f64
}
