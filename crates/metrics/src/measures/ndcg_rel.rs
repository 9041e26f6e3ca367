//! ndcg_rel: the mean of nDCG over the ranks of the relevant documents, those whose label gains something. For one that is not retrieved it is the DCG of the whole
//! list over that of the best possible one. From 0 to 1.
//!
//! Buckley's trec_eval, which calls it experimental. The idea: nDCG at one cutoff jumps where the best list runs out of a grade, which is at another
//! rank for every topic.

use super::ndcg::{ordered, sum};
use super::view::View;
use crate::gain::Gain;

/// 0 when no label gains anything.
pub(super) fn value(view: &View<'_>, gain: &Gain) -> f64 {
    let ideal: Vec<f64> = ordered(gain, view.ideal).into_iter().filter(|gain| *gain > 0.0).collect();
    if ideal.is_empty() {
        return 0.0;
    }
    let (mut reached, mut best, mut total, mut found) = (0.0, 0.0, 0.0, 0);
    for (at, grade) in view.retrieved.iter().enumerate() {
        let discount = ((at + 2) as f64).log2();
        best += ideal.get(at).copied().unwrap_or(0.0) / discount;
        let here = grade.map_or(0.0, |grade| gain.of(grade));
        if here > 0.0 {
            reached += here / discount;
            total += reached / best;
            found += 1;
        }
    }
    let missed = ideal.len().saturating_sub(found) as f64;
    (total + missed * reached / sum(ideal.iter().copied())) / ideal.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let view =
            View { retrieved: &[Some(1), None, Some(2), Some(0)], ideal: &[2, 1, 1], ..View::default() };
        // nDCG@1, nDCG@3, and for the one that is missed the DCG of the list over the best
        let best = 2.0 + 1.0 / 3f64.log2() + 1.0 / 2.0;
        let value_by_hand = (1.0 / 2.0 + 2.0 / best + 2.0 / best) / 3.0;
        assert!((value(&view, &Gain::Linear) - value_by_hand).abs() < 1e-12);
        assert_eq!(value(&View { ideal: &[], ..view }, &Gain::Linear), 0.0);
    }
}
