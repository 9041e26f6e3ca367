//! Precision at k: relevant documents among the first k, divided by k even when fewer are retrieved. From 0 to 1.
//!
//! Van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7; trec_eval's `P`.

use super::{View, is_relevant};
use crate::measure::{Cutoff, Relevant};

pub(super) fn value(view: &View<'_>, rel: Relevant, cutoff: Cutoff) -> f64 {
    let found = view.top(Some(cutoff)).iter().filter(|grade| is_relevant(**grade, rel)).count();
    found as f64 / f64::from(cutoff.rank())
}
