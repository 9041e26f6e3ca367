//! Average precision: the mean, over all relevant documents that the labels know, of the precision at the rank where
//! each is found; one that is not found, or lies below the cutoff, counts 0. From 0 to 1. The mean over topics is MAP.
//!
//! Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation in Information Retrieval,
//! MIT Press 2005; trec_eval's `map` and `map_cut`, which divide by all relevant documents whatever the cutoff.

use super::{View, is_relevant};
use crate::measure::{Cutoff, Relevant};

/// 0 when the labels know no relevant document.
pub(super) fn value(view: &View<'_>, rel: Relevant, cutoff: Option<Cutoff>) -> f64 {
    let relevant = view.relevant(rel);
    if relevant == 0 {
        return 0.0;
    }
    let mut found = 0u32;
    let mut sum = 0.0;
    for (index, grade) in view.top(cutoff).iter().enumerate() {
        if is_relevant(*grade, rel) {
            found += 1;
            sum += f64::from(found) / (index + 1) as f64;
        }
    }
    sum / relevant as f64
}
