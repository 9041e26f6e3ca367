//! Unjudged at k: documents among the first k that nobody judged, over k even when fewer are retrieved. From 0 to 1. A negative
//! label says that a document was not judged; Judged, which is ir_measures', takes it for a label.
//!
//! trec_eval 10's `unj`.

use super::view::{View, lacks_label, share};
use crate::parameter::{Cutoff, Unjudged};

pub(super) fn value(view: &View<'_>, cutoff: Cutoff) -> f64 {
    let top = view.top(Unjudged::NotRelevant, Some(cutoff));
    share(top.iter().filter(|grade| lacks_label(**grade)).count(), cutoff.rank() as usize)
}
