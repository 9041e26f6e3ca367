//! Set F: the weighted harmonic mean of set precision P and set recall R, (1 + β²) · P · R / (β² · P + R). From 0 to 1.
//!
//! Van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7 (F is 1 - E); trec_eval's `set_F`. trec_eval's parameter, which
//! ir_measures hands on as `beta`, enters unsquared: `set_F_4.0` is `SetF(beta=2)`. With a cutoff it is that of P@k and R@k: ranx's
//! `f1@k`.

use super::view::{View, found};
use crate::parameter::{Beta, Cutoff, Relevant, Unjudged};

/// 0 when nothing relevant is retrieved.
pub(super) fn value(
    view: &View<'_>,
    rel: Relevant,
    beta: Beta,
    cutoff: Option<Cutoff>,
    unjudged: Unjudged,
) -> f64 {
    let list = view.top(unjudged, cutoff);
    let (found, more) = found(list, rel, unjudged);
    if found == 0 {
        return 0.0;
    }
    let size = cutoff.map_or(list.len(), |cutoff| cutoff.rank() as usize);
    let precision = found as f64 / size as f64;
    let recall = found as f64 / (view.relevant(rel) + more) as f64;
    let weight = beta.get() * beta.get();
    (1.0 + weight) * precision * recall / (weight * precision + recall)
}
