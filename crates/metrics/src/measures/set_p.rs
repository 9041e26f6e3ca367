//! Set precision: relevant documents retrieved, over all retrieved. From 0 to 1. `relative=True` divides by the most that so many
//! documents could hold, the lesser of that and all relevant ones.
//!
//! Van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7; trec_eval's `set_P` and `set_relative_P`.

use super::view::{View, found, share};
use crate::parameter::{Relevant, Unjudged};

pub(super) fn value(view: &View<'_>, rel: Relevant, relative: bool, unjudged: Unjudged) -> f64 {
    let list = view.top(unjudged, None);
    let (found, more) = found(list, rel, unjudged);
    let all = list.len();
    share(found, if relative { all.min(view.relevant(rel) + more) } else { all })
}
