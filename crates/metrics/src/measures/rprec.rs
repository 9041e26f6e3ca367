//! R-precision: precision at rank R, where R is how many relevant documents the labels know; it is recall at R as well. From 0
//! to 1. `mult` takes a multiple of R, rounded as trec_eval does, ⌊mult · R + 0.9⌋.
//!
//! Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation in Information Retrieval, MIT
//! Press 2005; trec_eval's `Rprec` and `Rprec_mult`.

use super::view::{View, found, share};
use crate::parameter::{Cutoff, Multiple, Relevant, Unjudged};

/// 0 when the labels know no relevant document.
pub(super) fn value(view: &View<'_>, rel: Relevant, mult: Multiple, judged_only: bool) -> f64 {
    let unjudged = if judged_only { Unjudged::Excluded } else { Unjudged::NotRelevant };
    let rank = (mult.get() * view.relevant(rel) as f64 + 0.9) as u32;
    Cutoff::new(rank)
        .map_or(0.0, |cutoff| share(found(view.top(unjudged, Some(cutoff)), rel, unjudged).0, rank as usize))
}
