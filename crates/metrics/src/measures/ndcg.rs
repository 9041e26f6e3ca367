//! Normalised discounted cumulative gain.
//!
//! DCG = Σ gain(rank) / log2(rank + 1), divided by the DCG of the best possible list. That list has all labelled
//! documents of the query, retrieved or not, down to the same cutoff. From 0 to 1. A grade of 0 or less, and a missing
//! one, gains 0.
//!
//! The bound (`unjudged='best'`) gives every unjudged document the gain of the highest grade among the labels of all
//! queries, leaves the best possible list as labelled, and ends at 1. More labels can only raise the divisor, so no
//! labels up to that grade exceed the bound; it is not the least such number.

use llull_core::Grade;

use super::discounted_gain::{DISCOUNTED_GAIN, convention, ideal_gains, sum};
use super::trec_eval_name::{gains_behind, with_gains};
use crate::definition::{Alias, Definition, Suffix, WrittenBehind};
use crate::graded_ranking::{GradedRanking, lacks_label};
use crate::parameters::{DCG, GAINS, Gain, JUDGED_ONLY, MIN_REL, Parameters, UNJUDGED, Unjudged};

pub(super) static DEFINITION: Definition = Definition {
    name: "nDCG",
    summary: "Normalised discounted cumulative gain",
    source: "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002, with the \
             discount of trec_eval's ndcg and ndcg_cut; exponential gain: Burges et al., Learning to rank using \
             gradient descent, ICML 2005",
    value,
    aliases: &[Alias::needs_cutoff("ndcg_cut"), Alias::with("ndcg_burges", "dcg='exp-log2'")],
    written_behind: &[WrittenBehind { name: "ndcg", arguments: gains_behind }],
    parameters: &[DCG, GAINS, MIN_REL, JUDGED_ONLY, UNJUDGED],
    suffix: Suffix::OptionalCutoff,
    example: "nDCG@10",
    convention: |parameters| convention(&parameters.gain),
    trec_eval_name: |parameters| match (parameters.cutoff, parameters.gain) {
        (None, gain) => with_gains("ndcg", &gain),
        (Some(cutoff), Gain::Linear) => Some(format!("ndcg_cut_{cutoff}")),
        (Some(_), _) => None,
    },
    divided: Some(&DISCOUNTED_GAIN),
    shares: Some(shares),
    ..Definition::USUAL
};

/// 0 if no label gains anything, because then there is nothing to find.
fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let gain = &parameters.gain;
    let (best, ideal) = ideal(ranking, parameters);
    if parameters.unjudged == Unjudged::Best {
        return bound(ranking, parameters, best, ideal);
    }
    if ideal <= 0.0 {
        return 0.0;
    }
    let top = ranking.top(parameters.unjudged, parameters.cutoff);
    sum(top.iter().map(|grade| grade.map_or(0.0, |grade| scaled_gain(gain, grade, best)))) / ideal
}

/// The highest grade of the query, and the DCG of the best possible list.
fn ideal(ranking: &GradedRanking<'_>, parameters: &Parameters) -> (Grade, f64) {
    let gain = &parameters.gain;
    let best = ranking.ideal.first().copied().unwrap_or(1);
    let depth = parameters.ranks();
    let ideal = match gain {
        Gain::Custom(_) => sum(ideal_gains(gain, ranking.ideal).into_iter().take(depth)),
        _ => sum(ranking.ideal.iter().take(depth).map(|grade| scaled_gain(gain, *grade, best))),
    };
    (best, ideal)
}

/// Gain times discount, divided by the DCG of the best possible list.
fn shares(ranking: &GradedRanking<'_>, parameters: &Parameters) -> Vec<f64> {
    let (best, ideal) = ideal(ranking, parameters);
    let share = |(at, grade): (usize, &Option<Grade>)| match *grade {
        Some(grade) if ideal > 0.0 => {
            scaled_gain(&parameters.gain, grade, best).max(0.0) / ((at + 2) as f64).log2() / ideal
        }
        _ => 0.0,
    };
    ranking.top(parameters.unjudged, parameters.cutoff).iter().enumerate().map(share).collect()
}

fn bound(ranking: &GradedRanking<'_>, parameters: &Parameters, best: Grade, ideal: f64) -> f64 {
    let gain = &parameters.gain;
    let most = match gain {
        Gain::Custom(_) => gain.most(ranking.highest),
        _ => scaled_gain(gain, ranking.highest, best),
    };
    let top = ranking.top(Unjudged::Best, parameters.cutoff).iter();
    let reached = sum(top.map(|grade| match *grade {
        grade if lacks_label(grade) => most,
        grade => grade.map_or(0.0, |grade| scaled_gain(gain, grade, best)),
    }));
    if reached >= ideal { f64::from(u8::from(reached > 0.0)) } else { reached / ideal }
}

/// The gain of a grade. The exponential gain is divided by 2^best, a power of two that cancels without a trace in the
/// ratio and keeps grades beyond 1,023 from overflowing.
fn scaled_gain(gain: &Gain, grade: Grade, best: Grade) -> f64 {
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
            assert_eq!(scaled_gain(&Gain::Exponential, grade, 40) * 2f64.powi(40), gain);
        }
    }

    #[test]
    fn one_list_by_hand() {
        // DCG  = 3 + 2/1.584963 + 3/2 + 0 + 1/2.584963 + 2/2.807355          = 6.861127
        // IDCG = 3 + 3/1.584963 + 2/2 + 2/2.321928 + 1/2.584963 (+ 0/2.807355) = 7.140995
        let retrieved = [3, 2, 3, 0, 1, 2].map(Some);
        let ranking =
            GradedRanking { retrieved: &retrieved, ideal: &[3, 3, 2, 2, 1], ..GradedRanking::default() };
        let ndcg = value(&ranking, &DEFINITION.defaults);
        assert!((ndcg - 6.861127 / 7.140995).abs() < 1e-6);
    }

    #[test]
    fn grades_too_large_for_a_float_do_not_become_nan() {
        let ranking = GradedRanking {
            retrieved: &[Some(1_999), Some(2_000)],
            ideal: &[2_000, 1_999],
            ..GradedRanking::default()
        };
        let ndcg = value(&ranking, &Parameters { gain: Gain::Exponential, ..DEFINITION.defaults });
        assert!(ndcg > 0.0 && ndcg < 1.0, "{ndcg}");
    }

    #[test]
    fn nothing_gained_is_not_minus_zero() {
        let ranking = GradedRanking { retrieved: &[Some(0), None], ideal: &[1], ..GradedRanking::default() };
        assert_eq!(format!("{}", value(&ranking, &DEFINITION.defaults)), "0");
    }

    #[test]
    fn the_best_order_of_a_table_is_that_of_its_gains() {
        let gain = Gain::table([(1, 5.0), (2, 1.0)]).unwrap();
        let ranking =
            GradedRanking { retrieved: &[Some(1), Some(2)], ideal: &[2, 1], ..GradedRanking::default() };
        assert_eq!(value(&ranking, &Parameters { gain, ..DEFINITION.defaults }), 1.0);
    }
}
