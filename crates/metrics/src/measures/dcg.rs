//! Discounted cumulative gain: Σ gain(rank) / log2(rank + 1), without the division that makes it comparable between topics. From 0
//! without an upper end.
//!
//! Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002, with the discount of trec_eval.

use super::ndcg::sum;
use super::view::{View, lacks_label};
use crate::gain::Gain;
use crate::parameter::{Cutoff, Unjudged};

pub(super) fn value(view: &View<'_>, gain: &Gain, cutoff: Option<Cutoff>, unjudged: Unjudged) -> f64 {
    let best = if unjudged == Unjudged::Best { gain.most(view.highest) } else { 0.0 };
    let gained = |grade: &Option<_>| match *grade {
        grade if lacks_label(grade) => best,
        Some(grade) => gain.of(grade),
        None => best,
    };
    sum(view.top(unjudged, cutoff).iter().map(gained))
}
