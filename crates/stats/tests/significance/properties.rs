//! Properties that hold for any values.

use llull_core::Seed;
use llull_stats::{
    Correction, PairOptions, PairTest, PermutationOptions, TestResult, adjusted, cohen_d, cohen_dz,
    compare_all, compare_with, discriminative_power, hedges_g, paired_cliff_delta, paired_t_test,
    permutation_test, sign_test, wilcoxon_test,
};
use proptest::prelude::*;

/// All tests of two systems.
fn tests(baseline: &[f64], candidate: &[f64], seed: u64) -> Vec<TestResult> {
    let flips = PermutationOptions { permutations: 300, seed: Seed(seed) };
    vec![
        paired_t_test(baseline, candidate).unwrap(),
        wilcoxon_test(baseline, candidate).unwrap(),
        sign_test(baseline, candidate).unwrap(),
        permutation_test(baseline, candidate, &flips).unwrap(),
    ]
}

fn near(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9,
        (None, None) => true,
        _ => false,
    }
}

/// Values like those of measures: few different ones, with ties.
fn two_systems(most: usize) -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    proptest::collection::vec((0u8..=10, 0u8..=10), 1..most)
        .prop_map(|pairs| pairs.into_iter().map(|(a, b)| (f64::from(a) / 10.0, f64::from(b) / 10.0)).unzip())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn exchanging_the_two_exchanges_the_sides((a, b) in two_systems(60), seed in any::<u64>()) {
        for (forth, back) in tests(&a, &b, seed).iter().zip(tests(&b, &a, seed)) {
            prop_assert!(near(forth.p, back.p), "{:?} {:?}", forth, back);
            prop_assert!((forth.mean + back.mean).abs() < 1e-12);
            prop_assert_eq!(forth.differing, back.differing);
        }
    }

    #[test]
    fn p_is_a_probability_or_has_a_reason((a, b) in two_systems(60), seed in any::<u64>()) {
        for test in tests(&a, &b, seed) {
            prop_assert_eq!(test.p.is_none(), test.undefined.is_some());
            prop_assert!(test.p.is_none_or(|p| p > 0.0 && p <= 1.0), "{:?}", test);
            prop_assert_eq!(test.n, a.len());
        }
    }

    #[test]
    fn the_order_of_topics_changes_nothing_exact((mut a, mut b) in two_systems(30)) {
        let before = tests(&a, &b, 1);
        a.reverse();
        b.reverse();
        for (before, after) in before.iter().zip(tests(&a, &b, 1)) {
            prop_assert!(near(before.p, after.p), "{:?} {:?}", before, after);
        }
    }

    #[test]
    fn the_unit_changes_nothing((a, b) in two_systems(60), unit in prop::sample::select(vec![3.0, 7.0, 1000.0])) {
        let scaled = |values: &[f64]| values.iter().map(|value| value / unit).collect::<Vec<_>>();
        let before = tests(&a, &b, 1);
        for (before, after) in before.iter().zip(tests(&scaled(&a), &scaled(&b), 1)) {
            prop_assert!(near(before.p, after.p), "{:?} {:?}", before, after);
        }
        prop_assert!(near(cohen_d(&a, &b, 0.9).unwrap().value, cohen_d(&scaled(&a), &scaled(&b), 0.9).unwrap().value));
    }

    /// These tests depend on differing queries only.
    #[test]
    fn topics_without_a_difference_count_for_nothing((a, b) in two_systems(25), ties in 1..20usize) {
        let before = tests(&a, &b, 1);
        let with_ties = |values: &[f64]| [values, &vec![0.5; ties]].concat();
        let after = tests(&with_ties(&a), &with_ties(&b), 1);
        for (before, after) in before.iter().zip(after).skip(1) {
            prop_assert!(near(before.p, after.p), "{:?} {:?}", before, after);
        }
    }

    #[test]
    fn a_pair_among_many_is_a_pair_alone(
        topics in proptest::collection::vec((0.0..1.0f64, 0.0..1.0f64, 0.0..1.0f64), 2..50),
        seed in any::<u64>(),
    ) {
        let systems = [
            topics.iter().map(|topic| topic.0).collect::<Vec<_>>(),
            topics.iter().map(|topic| topic.1).collect(),
            topics.iter().map(|topic| topic.2).collect(),
        ];
        let options = PairOptions { draws: 300, ..PairOptions::new(PairTest::Permutation, Seed(seed)) };
        let all = compare_all(&systems, &options).unwrap();
        let flips = PermutationOptions { permutations: 300, ..PermutationOptions::new(Seed(seed)) };
        for pair in &all.pairs {
            let alone = permutation_test(&systems[pair.baseline], &systems[pair.candidate], &flips).unwrap();
            prop_assert_eq!((pair.p, pair.method), (alone.p, alone.method));
            prop_assert_eq!(pair.mean, alone.mean);
        }
        let with = compare_with(&systems, 1, &options).unwrap();
        let p: Vec<_> = with.pairs.iter().map(|pair| pair.p).collect();
        prop_assert_eq!(p, vec![all.pairs[0].p, all.pairs[2].p]);
    }

    #[test]
    fn effects_turn_their_sign_and_lie_in_their_interval((a, b) in two_systems(40)) {
        for measure in [cohen_d, cohen_dz, hedges_g, paired_cliff_delta] {
            let (forth, back) = (measure(&a, &b, 0.95).unwrap(), measure(&b, &a, 0.95).unwrap());
            let turned = |value: Option<f64>| value.map(|value| -value);
            prop_assert!(near(forth.value, turned(back.value)), "{:?} {:?}", forth, back);
            let ends = near(forth.low, turned(back.high)) && near(forth.high, turned(back.low));
            prop_assert!(ends, "{:?} {:?}", forth, back);
            prop_assert_eq!(forth.value.is_none() || forth.low.is_none(), forth.undefined.is_some());
            if let (Some(low), Some(high), Some(value)) = (forth.low, forth.high, forth.value) {
                prop_assert!(low < high && low <= value + 1e-12 && value <= high + 1e-12, "{:?}", forth);
            }
        }
    }

    #[test]
    fn corrections_only_raise_p_and_keep_their_order(p in proptest::collection::vec(0.0..=1.0f64, 0..40)) {
        let holm = adjusted(&p, Correction::Holm).unwrap();
        let bh = adjusted(&p, Correction::BenjaminiHochberg).unwrap();
        for (index, value) in p.iter().enumerate() {
            prop_assert!(*value <= bh[index] + 1e-15 && bh[index] <= holm[index] + 1e-15 && holm[index] <= 1.0);
            for (other, more) in p.iter().enumerate().filter(|(_, more)| *more >= value) {
                prop_assert!(holm[index] <= holm[other] && bh[index] <= bh[other], "{} {}", value, more);
            }
        }
    }

    #[test]
    fn any_finite_values_are_borne(
        pairs in proptest::collection::vec((any::<f64>(), any::<f64>()), 0..12),
        test in prop::sample::select(PairTest::ALL.to_vec()),
    ) {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let options = PairOptions { draws: 40, ..PairOptions::new(test, Seed(1)) };
        if let Ok(power) = discriminative_power(&[&a, &b], &options) {
            prop_assert_eq!(power.results.pairs.len(), 1);
        }
    }
}
