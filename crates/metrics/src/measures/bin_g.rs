//! binG: the mean over all relevant documents of 1 / log2(2 + how many others are ahead of it), 0 for those not retrieved. From 0 to 1.
//!
//! Buckley's trec_eval, which calls it experimental: [G](super::g) where every relevant document gains 1.

use super::view::{View, is_relevant};
use crate::parameter::Relevant;

/// 0 when the labels know no relevant document.
pub(super) fn value(view: &View<'_>, rel: Relevant) -> f64 {
    let (mut sum, mut others) = (0.0, 0);
    for grade in view.retrieved {
        if is_relevant(*grade, rel) {
            sum += 1.0 / f64::from(others + 2).log2();
        } else {
            others += 1;
        }
    }
    if sum > 0.0 { sum / view.relevant(rel) as f64 } else { 0.0 }
}
