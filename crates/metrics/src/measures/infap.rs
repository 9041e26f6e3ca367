//! Inferred average precision: AP where only a random part of the pool was judged. The precision at a relevant document is
//! estimated from the judged documents above it; those that are in the pool and were not judged (a negative label) count as
//! relevant as often as the judged ones, those outside of the pool (no label) as not relevant. From 0 to 1; equal to AP, but for the
//! smoothing, when all of the pool was judged.
//!
//! Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006, equation 1; trec_eval's `infAP`.

use super::view::{View, is_relevant};
use crate::parameter::Relevant;

/// trec_eval's INFAP_EPSILON, the paper's ε.
const EPSILON: f64 = 0.00001;

/// 0 when the labels know no relevant document.
pub(super) fn value(view: &View<'_>, rel: Relevant) -> f64 {
    let known = view.relevant(rel);
    if known == 0 {
        return 0.0;
    }
    let (mut relevant, mut not, mut pooled, mut sum) = (0.0, 0.0, 0.0, 0.0);
    for (index, grade) in view.retrieved.iter().enumerate() {
        match *grade {
            None => {}
            Some(grade) if grade < 0 => pooled += 1.0,
            Some(_) if !is_relevant(*grade, rel) => not += 1.0,
            Some(_) if index == 0 => {
                sum += 1.0;
                relevant += 1.0;
            }
            Some(_) => {
                let above = index as f64;
                sum += 1.0 / (above + 1.0)
                    + (above / (above + 1.0))
                        * ((relevant + not + pooled) / above)
                        * ((relevant + EPSILON) / (relevant + not + 2.0 * EPSILON));
                relevant += 1.0;
            }
        }
    }
    sum / known as f64
}
