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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let view =
            View { retrieved: &[Some(1), None, Some(2), Some(0)], ideal: &[2, 1, 1], ..View::default() };
        let found = 1.0 / 2f64.log2() + 1.0 / 3f64.log2();
        assert_eq!(value(&view, Relevant::default()), found / 3.0);
        // at level 2 the first three are two others and the one that is relevant
        assert_eq!(value(&view, Relevant::from_grade(2).unwrap()), 1.0 / 4f64.log2());
        assert_eq!(value(&View { ideal: &[], ..view }, Relevant::from_grade(3).unwrap()), 0.0);
    }
}
