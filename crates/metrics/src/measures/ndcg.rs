//! Normalised discounted cumulative gain: DCG = Σ gain(rank) / log2(rank + 1), divided by the DCG of the best
//! possible list, which takes all labels of the topic, retrieved or not, down to the same cutoff. From 0 to 1.
//!
//! Linear gain: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002, with the
//! discount that trec_eval's `ndcg` and `ndcg_cut` use. Exponential gain, 2^grade - 1: Burges et al., Learning to rank
//! using gradient descent, ICML 2005. A grade of 0 or less, and a missing one, gains 0.

use llull_core::Grade;

use super::View;
use crate::measure::{Cutoff, Gain};

/// 0 when no label is above 0, because then there is nothing to find.
pub(super) fn value(view: &View<'_>, gain: Gain, cutoff: Option<Cutoff>) -> f64 {
    let Some(best) = view.ideal.first().copied() else { return 0.0 };
    let depth = cutoff.map_or(usize::MAX, |cutoff| cutoff.rank() as usize);
    let ideal = dcg(view.ideal.iter().take(depth).map(|grade| gained(gain, *grade, best)));
    let reached =
        dcg(view.top(cutoff).iter().map(|grade| grade.map_or(0.0, |grade| gained(gain, grade, best))));
    reached / ideal
}

fn dcg(gains: impl Iterator<Item = f64>) -> f64 {
    gains
        .enumerate()
        .filter(|(_, gain)| *gain > 0.0)
        .map(|(index, gain)| gain / ((index + 2) as f64).log2())
        .sum()
}

/// What a grade is worth. The exponential gain is divided by 2^best, a power of two that cancels without a trace in
/// the ratio and keeps grades beyond 1,023 from overflowing.
fn gained(gain: Gain, grade: Grade, best: Grade) -> f64 {
    match gain {
        _ if grade <= 0 => 0.0,
        Gain::Linear => f64::from(grade),
        Gain::Exponential => (f64::from(grade) - f64::from(best)).exp2() - (-f64::from(best)).exp2(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_gain_is_two_to_the_grade_less_one() {
        for grade in -2..40 {
            let gain = if grade > 0 { 2f64.powi(grade) - 1.0 } else { 0.0 };
            assert_eq!(gained(Gain::Exponential, grade, 40) * 2f64.powi(40), gain);
        }
    }

    #[test]
    fn one_list_by_hand() {
        // DCG  = 3 + 2/1.584963 + 3/2 + 0 + 1/2.584963 + 2/2.807355          = 6.861127
        // IDCG = 3 + 3/1.584963 + 2/2 + 2/2.321928 + 1/2.584963 (+ 0/2.807355) = 7.140995
        let retrieved = [3, 2, 3, 0, 1, 2].map(Some);
        let view = View { retrieved: &retrieved, ascending: &[], ideal: &[3, 3, 2, 2, 1] };
        assert!((value(&view, Gain::Linear, None) - 6.861127 / 7.140995).abs() < 1e-6);
    }

    #[test]
    fn grades_too_large_for_a_float_do_not_become_nan() {
        let view = View { retrieved: &[Some(1_999), Some(2_000)], ascending: &[], ideal: &[2_000, 1_999] };
        let ndcg = value(&view, Gain::Exponential, None);
        assert!(ndcg > 0.0 && ndcg < 1.0, "{ndcg}");
    }
}
