//! Set recall: relevant documents retrieved, over all relevant documents that the labels know. From 0 to 1.
//!
//! Van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7; trec_eval's `set_recall`.

use super::view::{View, found, share};
use crate::parameter::{Relevant, Unjudged};

/// 0 when the labels know no relevant document.
pub(super) fn value(view: &View<'_>, rel: Relevant) -> f64 {
    share(found(view.retrieved, rel, Unjudged::NotRelevant).0, view.relevant(rel))
}
