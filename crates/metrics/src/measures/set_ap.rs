//! Set AP: set precision times set recall; average precision as if all relevant documents had been found at the end. From 0 to 1.
//!
//! trec_eval's `set_map`, ir_measures' SetAP.

use super::view::{View, found, share};
use crate::parameter::{Relevant, Unjudged};

/// 0 when the labels know no relevant document.
pub(super) fn value(view: &View<'_>, rel: Relevant, unjudged: Unjudged) -> f64 {
    let list = view.top(unjudged, None);
    let (found, more) = found(list, rel, unjudged);
    share(found * found, list.len() * (view.relevant(rel) + more))
}
