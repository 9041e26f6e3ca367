//! Normalised discounted cumulative gain: DCG = Σ gain(rank) / log2(rank + 1), divided by the DCG of the best
//! possible list, which takes all labels of the topic, retrieved or not, down to the same cutoff. From 0 to 1.
//!
//! Linear gain: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002, with the
//! discount that trec_eval's `ndcg` and `ndcg_cut` use. Exponential gain, 2^grade - 1: Burges et al., Learning to rank
//! using gradient descent, ICML 2005. A grade of 0 or less, and a missing one, gains 0.
//!
//! Its bound (`unjudged='best'`) gives every document without a label the gain of the highest grade that the labels of any topic
//! hold, leaves the best possible list as the labels have it, and ends at 1. More labels can only raise what it is divided by,
//! so no labels up to that grade reach beyond; it is not the least such number.

use llull_core::Grade;

use super::view::{View, lacks_label};
use crate::gain::Gain;
use crate::parameter::{Cutoff, Unjudged};

/// 0 when no label gains anything, because then there is nothing to find.
pub(super) fn value(view: &View<'_>, gain: &Gain, cutoff: Option<Cutoff>, unjudged: Unjudged) -> f64 {
    let best = view.ideal.first().copied().unwrap_or(1);
    let depth = cutoff.map_or(usize::MAX, |cutoff| cutoff.rank() as usize);
    let ideal = match gain {
        Gain::Custom(_) => sum(ordered(gain, view.ideal).into_iter().take(depth)),
        _ => sum(view.ideal.iter().take(depth).map(|grade| gained(gain, *grade, best))),
    };
    if unjudged == Unjudged::Best {
        return bound(view, gain, cutoff, best, ideal);
    }
    if ideal <= 0.0 {
        return 0.0;
    }
    let top = view.top(unjudged, cutoff);
    sum(top.iter().map(|grade| grade.map_or(0.0, |grade| gained(gain, grade, best)))) / ideal
}

fn bound(view: &View<'_>, gain: &Gain, cutoff: Option<Cutoff>, best: Grade, ideal: f64) -> f64 {
    let most = match gain {
        Gain::Custom(_) => gain.most(view.highest),
        _ => gained(gain, view.highest, best),
    };
    let top = view.top(Unjudged::Best, cutoff).iter();
    let reached = sum(top.map(|grade| match *grade {
        grade if lacks_label(grade) => most,
        grade => grade.map_or(0.0, |grade| gained(gain, grade, best)),
    }));
    if reached >= ideal { f64::from(u8::from(reached > 0.0)) } else { reached / ideal }
}

/// Discounts gains by their ranks and adds them up.
pub(super) fn sum(gains: impl Iterator<Item = f64>) -> f64 {
    gains
        .enumerate()
        .filter(|(_, gain)| *gain > 0.0)
        .map(|(index, gain)| gain / ((index + 2) as f64).log2())
        // not `sum`, which is -0 for nothing
        .fold(0.0, |sum, gain| sum + gain)
}

/// The gains of a table, which need not rise with the grades, in their best order.
pub(super) fn ordered(gain: &Gain, ideal: &[Grade]) -> Vec<f64> {
    let mut gains: Vec<f64> = ideal.iter().map(|grade| gain.of(*grade)).collect();
    gains.sort_unstable_by(|a, b| b.total_cmp(a));
    gains
}

/// What a grade is worth. The exponential gain is divided by 2^best, a power of two that cancels without a trace in
/// the ratio and keeps grades beyond 1,023 from overflowing.
fn gained(gain: &Gain, grade: Grade, best: Grade) -> f64 {
    match gain {
        _ if grade <= 0 => 0.0,
        Gain::Linear => f64::from(grade),
        Gain::Exponential => (f64::from(grade) - f64::from(best)).exp2() - (-f64::from(best)).exp2(),
        Gain::Custom(_) => gain.of(grade),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_gain_is_two_to_the_grade_less_one() {
        for grade in -2..40 {
            let gain = if grade > 0 { 2f64.powi(grade) - 1.0 } else { 0.0 };
            assert_eq!(gained(&Gain::Exponential, grade, 40) * 2f64.powi(40), gain);
        }
    }

    #[test]
    fn one_list_by_hand() {
        // DCG  = 3 + 2/1.584963 + 3/2 + 0 + 1/2.584963 + 2/2.807355          = 6.861127
        // IDCG = 3 + 3/1.584963 + 2/2 + 2/2.321928 + 1/2.584963 (+ 0/2.807355) = 7.140995
        let retrieved = [3, 2, 3, 0, 1, 2].map(Some);
        let view = View { retrieved: &retrieved, ideal: &[3, 3, 2, 2, 1], ..View::default() };
        let ndcg = value(&view, &Gain::Linear, None, Unjudged::NotRelevant);
        assert!((ndcg - 6.861127 / 7.140995).abs() < 1e-6);
    }

    #[test]
    fn grades_too_large_for_a_float_do_not_become_nan() {
        let view = View { retrieved: &[Some(1_999), Some(2_000)], ideal: &[2_000, 1_999], ..View::default() };
        let ndcg = value(&view, &Gain::Exponential, None, Unjudged::NotRelevant);
        assert!(ndcg > 0.0 && ndcg < 1.0, "{ndcg}");
    }

    #[test]
    fn nothing_gained_is_not_minus_zero() {
        let view = View { retrieved: &[Some(0), None], ideal: &[1], ..View::default() };
        assert_eq!(format!("{}", value(&view, &Gain::Linear, None, Unjudged::NotRelevant)), "0");
    }

    #[test]
    fn the_best_order_of_a_table_is_that_of_its_gains() {
        let gain = Gain::table([(1, 5.0), (2, 1.0)]).unwrap();
        let view = View { retrieved: &[Some(1), Some(2)], ideal: &[2, 1], ..View::default() };
        assert_eq!(value(&view, &gain, None, Unjudged::NotRelevant), 1.0);
    }
}
