//! Reciprocal rank: 1 / the rank of the first relevant document, 0 when none is found down to the cutoff. From 0 to 1.
//! The mean over topics is MRR.
//!
//! Kantor and Voorhees, The TREC-5 confusion track, Information Retrieval 2(2-3), 2000; trec_eval's `recip_rank`.

use super::view::{View, is_relevant, lacks_label};
use crate::parameter::{Cutoff, Relevant, Unjudged};

pub(super) fn value(view: &View<'_>, rel: Relevant, cutoff: Option<Cutoff>, unjudged: Unjudged) -> f64 {
    let best = unjudged == Unjudged::Best;
    let counts = |grade: &Option<_>| is_relevant(*grade, rel) || (best && lacks_label(*grade));
    let first = view.top(unjudged, cutoff).iter().position(counts);
    first.map_or(0.0, |index| 1.0 / (index + 1) as f64)
}
