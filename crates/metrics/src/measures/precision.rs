//! Precision at k: relevant documents among the first k, divided by k even when fewer are retrieved. From 0 to 1.
//! `relative=True` divides by the most that k documents could hold, the lesser of k and all relevant ones.
//!
//! Van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7; trec_eval's `P` and `relative_P`.

use super::view::{View, found, share};
use crate::parameter::{Cutoff, Relevant, Unjudged};

pub(super) fn value(
    view: &View<'_>,
    rel: Relevant,
    cutoff: Cutoff,
    unjudged: Unjudged,
    relative: bool,
) -> f64 {
    let (found, more) = found(view.top(unjudged, Some(cutoff)), rel, unjudged);
    let k = cutoff.rank() as usize;
    share(found, if relative { k.min(view.relevant(rel) + more) } else { k })
}
