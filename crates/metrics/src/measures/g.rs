//! G: the sum over the list of gain / log2(2 + what the best list would have cost to here - what this one gained to here), over the sum of all
//! gains. What a rank of the best list costs is its gain, and 1 where it gains less. So a document is discounted by how much better the list could have
//! been, and not by its rank. From 0 to 1.
//!
//! Buckley's trec_eval, which calls it experimental.

use super::ndcg::ordered;
use super::view::View;
use crate::gain::Gain;

/// 0 when no label gains anything.
pub(super) fn value(view: &View<'_>, gain: &Gain) -> f64 {
    let ideal = ordered(gain, view.ideal);
    let (mut sum, mut cost, mut gained) = (0.0, 0.0, 0.0);
    for (at, grade) in view.retrieved.iter().enumerate() {
        let here = grade.map_or(0.0, |grade| gain.of(grade));
        gained += here;
        cost += ideal.get(at).map_or(1.0, |best| best.max(1.0));
        if here > 0.0 {
            sum += here / (2.0 + cost - gained).log2();
        }
    }
    if sum > 0.0 { sum / ideal.iter().sum::<f64>() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let view =
            View { retrieved: &[Some(1), None, Some(2), Some(0)], ideal: &[2, 1, 1], ..View::default() };
        // costs to here 2, 3, 4, 5; gained 1, 1, 3, 3
        let sum = 1.0 / 3f64.log2() + 2.0 / 3f64.log2();
        assert!((value(&view, &Gain::Linear) - sum / 4.0).abs() < 1e-12);
        let best = View { retrieved: &[Some(2), Some(1), Some(1)], ..view };
        assert_eq!(value(&best, &Gain::Linear), 1.0);
    }
}
