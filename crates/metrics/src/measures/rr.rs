//! Reciprocal rank: 1 / the rank of the first relevant document, 0 when none is found down to the cutoff. From 0 to 1.
//! The mean over topics is MRR.
//!
//! Kantor and Voorhees, The TREC-5 confusion track, Information Retrieval 2(2-3), 2000; trec_eval's `recip_rank`.

use super::{View, is_relevant};
use crate::measure::{Cutoff, Relevant};

pub(super) fn value(view: &View<'_>, rel: Relevant, cutoff: Option<Cutoff>) -> f64 {
    let first = view.top(cutoff).iter().position(|grade| is_relevant(*grade, rel));
    first.map_or(0.0, |index| 1.0 / (index + 1) as f64)
}
