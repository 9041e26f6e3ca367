//! Undefined figures and invalid input.

use llull_core::Seed;
use llull_stats::{
    BootstrapOptions, Correction, IntervalMethod, Method, PairOptions, PairTest, PermutationOptions,
    PowerOptions, StatsError, Undefined, adjusted, bootstrap_mean, cohen_d, cohen_dz, compare_all,
    compare_with, detectable_effect, discriminative_power, equivalence_test, hedges_g, paired_cliff_delta,
    paired_t_test, permutation_test, plan_topics, power_of_t, sign_test, topics_needed, wilcoxon_test,
};

fn flips() -> PermutationOptions {
    PermutationOptions::new(Seed(1))
}

#[test]
fn equal_systems_have_no_t_and_a_p_of_1_where_all_is_counted() {
    let same = [0.3, 0.5, 0.9];
    let t = paired_t_test(&same, &same).unwrap();
    assert_eq!((t.p, t.statistic, t.undefined), (None, None, Some(Undefined::Identical)));
    assert_eq!(permutation_test(&same, &same, &flips()).unwrap().p, Some(1.0));
    assert_eq!(sign_test(&same, &same).unwrap().p, Some(1.0));
    let ranks = wilcoxon_test(&same, &same).unwrap();
    assert_eq!((ranks.p, ranks.differing, ranks.method), (Some(1.0), 0, Method::ExactRanks));
    assert_eq!(cohen_dz(&same, &same, 0.95).unwrap().undefined, Some(Undefined::Identical));
    assert_eq!(cohen_d(&same, &same, 0.95).unwrap().value, Some(0.0));
    assert_eq!(equivalence_test(&same, &same, -0.1, 0.1).unwrap().undefined, Some(Undefined::Identical));
}

#[test]
fn a_constant_difference_is_infinitely_many_standard_errors() {
    // Not one of these differences is 0.1 to the last digit.
    let (a, b) = ([0.1, 0.2, 0.7, 0.4], [0.2, 0.1 + 0.2, 0.1 + 0.7, 0.5]);
    let t = paired_t_test(&a, &b).unwrap();
    assert_eq!((t.p, t.undefined), (None, Some(Undefined::NoSpread)));
    assert_eq!(cohen_dz(&a, &b, 0.95).unwrap().undefined, Some(Undefined::NoSpread));
    assert_eq!(equivalence_test(&a, &b, -0.2, 0.2).unwrap().undefined, Some(Undefined::NoSpread));
    assert_eq!(permutation_test(&a, &b, &flips()).unwrap().p, Some(0.125));
    assert_eq!(cohen_d(&[0.1; 3], &[0.2; 4], 0.95).unwrap().undefined, Some(Undefined::NoSpread));
}

#[test]
fn one_topic_says_little() {
    let t = paired_t_test(&[0.1], &[0.4]).unwrap();
    assert_eq!((t.p, t.undefined), (None, Some(Undefined::TooFew { n: 1, needed: 2 })));
    assert_eq!(permutation_test(&[0.1], &[0.4], &flips()).unwrap().p, Some(1.0));
    assert_eq!(cohen_d(&[0.1], &[0.4], 0.95).unwrap().undefined, Some(Undefined::TooFew { n: 2, needed: 3 }));
    // Γ(0) is infinite: with one degree of freedom only 0 times d is unbiased.
    assert_eq!(hedges_g(&[0.1], &[0.4, 0.5], 0.95).unwrap().value, Some(0.0));
    let dominance = paired_cliff_delta(&[0.1], &[0.4], 0.95).unwrap();
    assert_eq!((dominance.value, dominance.low), (Some(1.0), None));
}

/// In floating point 0.3 - 0.2 is below 0.2 - 0.1, and 0.1 + 0.2 above 0.3.
#[test]
fn rounding_breaks_no_tie() {
    let (a, b) = ([0.1, 0.2, 0.9, 0.1 + 0.2], [0.2, 0.3, 0.8, 0.3]);
    let ranks = wilcoxon_test(&a, &b).unwrap();
    // Two wins and a loss, all of rank 2.
    assert_eq!((ranks.differing, ranks.statistic, ranks.p), (3, Some(4.0), Some(1.0)));
    let sign = sign_test(&a, &b).unwrap();
    assert_eq!((sign.statistic, sign.p), (Some(2.0), Some(1.0)));
    assert_eq!(permutation_test(&a, &b, &flips()).unwrap().p, Some(1.0));
    assert_eq!(paired_cliff_delta(&[0.1 + 0.2, 0.3], &[0.3, 0.3], 0.95).unwrap().value, Some(0.0));
}

#[test]
fn the_method_is_said() {
    let (a, b): (Vec<f64>, Vec<f64>) = (0..40).map(|n| (f64::from(n), f64::from(n * n % 37))).unzip();
    let said = |test: PairTest| {
        compare_all(&[&a, &b], &PairOptions::new(test, Seed(1))).unwrap().pairs[0].method.to_string()
    };
    let expected = [
        "10000 random sign flips",
        "Student's t, 39 degrees of freedom",
        "exact distribution of signed ranks",
        "exact binomial",
        "10000 bootstrap resamples",
        "10000 random permutations of 2 systems within queries",
    ];
    assert_eq!(PairTest::ALL.iter().copied().map(said).collect::<Vec<_>>(), expected);
    let few = permutation_test(&a[..9], &b[..9], &flips()).unwrap();
    assert_eq!(few.method.to_string(), format!("exact: all 2^{} sign flips", few.differing));
}

#[test]
fn a_whole_win_still_has_an_interval() {
    // 9 of 9, Wilson's lower end 9 / (9 + 1.96²), and twice that less 1.
    let all = paired_cliff_delta(&[0.1; 9], &[0.4; 9], 0.95).unwrap();
    assert_eq!((all.value, all.high), (Some(1.0), Some(1.0)));
    assert!(all.low.is_some_and(|low| (low - (2.0 * 0.700_854_9 - 1.0)).abs() < 1e-6), "{all:?}");
    let none = paired_cliff_delta(&[0.5, 0.6, 0.7], &[0.1, 0.2, 0.3], 0.95).unwrap();
    assert_eq!((none.value, none.low), (Some(-1.0), Some(-1.0)));
}

#[test]
fn discriminative_power_counts_pairs() {
    let low: Vec<f64> = (0..12).map(|n| f64::from(n) / 40.0).collect();
    let high: Vec<f64> = (0..12).map(|n| f64::from(n) / 40.0 + 0.3 + f64::from(n % 3) / 50.0).collect();
    let options = PairOptions::new(PairTest::T, Seed(1));
    let power = discriminative_power(&[&low, &low, &high], &options).unwrap();
    // The two equal ones have no p, but count as a pair that is not told apart.
    let tested = power.results.pairs.iter().filter(|pair| pair.p.is_some()).count();
    assert_eq!((power.results.pairs.len(), tested, power.significant), (3, 2, 2));
    assert_eq!(power.share, Some(2.0 / 3.0));
    assert!(power.median_d.is_some_and(|d| d > 2.0) && power.median_dz.is_some_and(|dz| dz > 10.0));
    let alone = discriminative_power(&[&low], &options).unwrap();
    assert_eq!((alone.results.pairs.len(), alone.share, alone.median_d), (0, None, None));
    // Labels that spread systems less tell fewer of them apart.
    let blurred: Vec<f64> =
        high.iter().enumerate().map(|(n, value)| value - 0.3 * ((n * 7 % 5) as f64 / 2.0)).collect();
    let blurred = discriminative_power(&[&low, &low, &blurred], &options).unwrap();
    assert!(blurred.median_dz < power.median_dz);
}

/// Three systems differ from one another on ten queries, so that their p are exact; from the other three they differ
/// on all 40, and so do these from one another: twelve pairs are drawn, which takes 240 draws at least.
#[test]
fn an_exact_pair_does_not_hide_that_drawn_ones_have_too_few_draws() {
    let system = |by: f64, on: usize| -> Vec<f64> {
        (0..40).map(|topic| if topic < on { by + 0.001 * f64::from(topic as u32) } else { 0.0 }).collect()
    };
    let systems: Vec<Vec<f64>> =
        (1..=3).flat_map(|by| [system(f64::from(by), 10), system(10.0 * f64::from(by), 40)]).collect();
    let of = |draws, correction| {
        let options = PairOptions { draws, correction, ..PairOptions::new(PairTest::Permutation, Seed(1)) };
        compare_all(&systems, &options).unwrap()
    };
    let few = of(200, Correction::Holm);
    assert_eq!((few.out_of_reach, few.draws_needed), (12, Some(240)));
    let significant = few.pairs.iter().filter(|pair| pair.significant);
    assert!(significant.clone().all(|pair| matches!(pair.method, Method::ExactFlips { .. })));
    assert_eq!(significant.count(), 3);
    let enough = of(240, Correction::Holm);
    assert_eq!((enough.out_of_reach, enough.draws_needed), (0, None));
    assert_eq!(enough.pairs.iter().filter(|pair| pair.significant).count(), 15);
    assert_eq!(of(200, Correction::BenjaminiHochberg).out_of_reach, 0);
}

/// One in nine draws of three queries holds a single query three times, however many draws there are.
#[test]
fn the_bootstrap_test_is_told_to_have_too_few_topics() {
    let of = |topics: u32, systems: u32, draws| {
        let system = |by: u32| (0..topics).map(move |topic| f64::from(by) + 0.01 * f64::from(topic * by % 7));
        let systems: Vec<Vec<f64>> = (1..=systems).map(|by| system(by).collect()).collect();
        let options = PairOptions { draws, ..PairOptions::new(PairTest::Bootstrap, Seed(1)) };
        let results = compare_all(&systems, &options).unwrap();
        (results.out_of_reach, results.topics_needed, results.draws_needed)
    };
    assert_eq!(of(3, 2, 10_000), (1, Some(4), None));
    assert_eq!(of(3, 2, 10), (1, Some(4), None));
    assert_eq!(of(4, 4, 10_000), (6, Some(5), None));
    assert_eq!(of(4, 2, 10), (1, None, Some(20)));
    assert_eq!(of(4, 2, 10_000), (0, None, None));
}

#[test]
fn plans_say_what_they_rest_on() {
    let (a, b) = ([0.2, 0.5, 0.3, 0.6, 0.4, 0.7], [0.3, 0.4, 0.5, 0.6, 0.5, 0.9]);
    let options = PowerOptions::default();
    let plan = plan_topics(&a, &b, 0.05, &options).unwrap();
    // Of 0.1, -0.1, 0.2, 0, 0.1 and 0.2, whose mean is 1/12.
    let deviation = (0.11_f64 - 6.0 / 144.0).sqrt() / 5.0_f64.sqrt();
    assert_eq!(plan.needed, topics_needed(0.05 / deviation, &options).unwrap());
    let enough = power_of_t(0.05 / deviation, plan.needed.unwrap(), 0.05).unwrap().unwrap();
    let one_less = power_of_t(0.05 / deviation, plan.needed.unwrap() - 1, 0.05).unwrap().unwrap();
    assert!(one_less < 0.8 && 0.8 <= enough);
    assert!(plan.detectable.unwrap() > 0.05);
    assert_eq!(plan_topics(&a, &a, 0.05, &options).unwrap().undefined, Some(Undefined::Identical));
    assert_eq!(topics_needed(0.0, &options).unwrap(), None);
    assert_eq!((power_of_t(0.5, 1, 0.05).unwrap(), detectable_effect(1, &options).unwrap()), (None, None));
}

#[test]
fn what_cannot_be_is_refused() {
    let (a, b) = ([0.1, 0.2], [0.3, 0.4]);
    assert_eq!(paired_t_test(&[], &[]), Err(StatsError::Empty));
    assert_eq!(sign_test(&a, &b[..1]), Err(StatsError::Unpaired { baseline: 2, candidate: 1 }));
    assert!(matches!(cohen_d(&a, &[f64::NAN], 0.95), Err(StatsError::NotFinite { index: 0, .. })));
    assert_eq!(cohen_d(&a, &b, 1.0), Err(StatsError::Confidence(1.0)));
    let none = PermutationOptions { permutations: 0, ..flips() };
    assert_eq!(permutation_test(&a, &b, &none), Err(StatsError::Permutations(0)));
    assert_eq!(equivalence_test(&a, &b, 0.1, 0.1), Err(StatsError::Margins { low: 0.1, high: 0.1 }));
    assert_eq!(
        adjusted(&[0.5, 1.5], Correction::Holm),
        Err(StatsError::Probability { index: 1, value: 1.5 })
    );
    assert_eq!(power_of_t(f64::INFINITY, 5, 0.05), Err(StatsError::Effect(f64::INFINITY)));
    let sure = PowerOptions { power: 1.0, ..PowerOptions::default() };
    assert_eq!(topics_needed(0.5, &sure), Err(StatsError::Power(1.0)));
    let options = PairOptions::new(PairTest::Tukey, Seed(1));
    let ragged = compare_all(&[&a[..], &b[..1]], &options);
    assert_eq!(ragged, Err(StatsError::Ragged { system: 1, found: 1, expected: 2 }));
    assert_eq!(compare_with(&[&a, &b], 2, &options), Err(StatsError::NoSystem { system: 2, systems: 2 }));
    let never = PairOptions { significance: 0.0, ..options };
    assert_eq!(compare_all(&[&a, &b], &never), Err(StatsError::Significance(0.0)));
    let few = BootstrapOptions { resamples: 5, ..BootstrapOptions::new(Seed(1)) };
    let refused = bootstrap_mean(&a, IntervalMethod::Percentile, &few);
    assert!(matches!(refused, Err(StatsError::Resamples { .. })));
}

#[test]
fn names_are_read_as_they_are_printed() {
    for test in PairTest::ALL {
        assert_eq!(test.to_string().parse(), Ok(*test));
    }
    for correction in [Correction::None, Correction::Holm, Correction::BenjaminiHochberg] {
        assert_eq!(correction.to_string().parse(), Ok(correction));
    }
    assert!("fisher".parse::<PairTest>().unwrap_err().to_string().contains("permutation"));
    assert!("fdr".parse::<Correction>().unwrap_err().to_string().contains("bh"));
}

#[test]
fn the_seed_decides_and_the_number_of_cores_does_not() {
    let systems: Vec<Vec<f64>> = (0..5)
        .map(|s| (0..40).map(|t| f64::from((t * 31 + s * 17 + t * t * s) % 53) / 53.0).collect())
        .collect();
    for test in [PairTest::Permutation, PairTest::Tukey, PairTest::Bootstrap] {
        let options = PairOptions { draws: 1_000, ..PairOptions::new(test, Seed(4)) };
        let first = compare_all(&systems, &options).unwrap();
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| compare_all(&systems, &options)).unwrap(), first, "{test}");
        }
        let other = compare_all(&systems, &PairOptions { seed: Seed(5), ..options }).unwrap();
        assert_ne!(other.pairs, first.pairs, "{test}");
    }
}
