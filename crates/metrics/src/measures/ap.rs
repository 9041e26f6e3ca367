//! Average precision: the mean, over all relevant documents that the labels know, of the precision at the rank where
//! each is found; one that is not found, or lies below the cutoff, counts 0. From 0 to 1. The mean over topics is MAP, the
//! geometric mean GMAP (Robertson, On GMAP and other transformations, CIKM 2006), which moves with the hard topics.
//!
//! Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation in Information Retrieval,
//! MIT Press 2005; trec_eval's `map`, `map_cut` and `gm_map`, which divide by all relevant documents whatever the cutoff.
//! (ragas and deepeval divide by the relevant documents that were *retrieved*, so that a run which finds one of twenty, first, has 1.)
//!
//! Its bound (`unjudged='best'`) is exact. Of m more relevant documents the best places are the first m without a label, since
//! a relevant document that moves up never lowers AP; so it is the largest of the values for m = 0, 1, 2, ... Not simply that of
//! all of them: a relevant document far down lowers AP.

use super::view::{View, is_relevant, lacks_label};
use crate::parameter::{Cutoff, Relevant, Unjudged};

/// 0 when the labels know no relevant document.
pub(super) fn value(view: &View<'_>, rel: Relevant, cutoff: Option<Cutoff>, unjudged: Unjudged) -> f64 {
    let relevant = view.relevant(rel);
    if relevant == 0 && unjudged != Unjudged::Best {
        return 0.0;
    }
    let mut found = 0u32;
    let mut sum = 0.0;
    for (index, grade) in view.top(unjudged, cutoff).iter().enumerate() {
        if is_relevant(*grade, rel) {
            found += 1;
            sum += f64::from(found) / (index + 1) as f64;
        }
    }
    if unjudged == Unjudged::Best { best(view, rel, cutoff, sum) } else { sum / relevant as f64 }
}

/// The largest value that any labels for the documents without one could give; `sum` is that of the precisions as labelled.
fn best(view: &View<'_>, rel: Relevant, cutoff: Option<Cutoff>, mut sum: f64) -> f64 {
    let list = view.top(Unjudged::Best, cutoff);
    let rank = |index: usize| (index + 1) as f64;
    let relevant = || list.iter().enumerate().filter(|(_, grade)| is_relevant(**grade, rel));
    // what one more relevant document adds to the precisions at the labelled ones below it
    let mut below: f64 = relevant().map(|(index, _)| 1.0 / rank(index)).sum();
    let (mut above, mut known) = (0u32, view.relevant(rel));
    let mut best = if known == 0 { 0.0 } else { sum / known as f64 };
    for (index, grade) in list.iter().enumerate() {
        if is_relevant(*grade, rel) {
            above += 1;
            below -= 1.0 / rank(index);
        } else if lacks_label(*grade) {
            above += 1;
            known += 1;
            sum += f64::from(above) / rank(index) + below;
            best = best.max(sum / known as f64);
        }
    }
    best
}
