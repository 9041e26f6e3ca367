//! Intervals and comparisons against scipy, in simulation, and at the edges.

use llull_core::Seed;
use llull_stats::{
    BootstrapOptions, Decision, IntervalMethod, StatsError, Undecidable, Undefined, bootstrap_mean,
    bootstrap_test, mean_interval, mean_intervals, paired_bootstrap,
};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn options(seed: u64) -> BootstrapOptions {
    BootstrapOptions::new(Seed(seed))
}

const SKEWED: [f64; 25] = [
    -0.037, -0.048, -0.003, 0.031, -0.023, 0.092, 0.032, -0.012, 0.021, 0.087, -0.016, 0.01, -0.03, -0.018,
    0.39, 0.038, 0.018, 0.207, -0.039, 0.137, 0.177, -0.02, 0.092, 0.146, 0.167,
];

const NORMAL: [f64; 50] = [
    0.063, 0.029, 0.183, -0.026, -0.009, -0.152, 0.187, 0.126, 0.122, 0.097, 0.041, 0.052, 0.005, 0.01,
    0.035, 0.181, 0.086, 0.024, -0.028, -0.033, 0.19, 0.081, 0.037, -0.005, -0.081, 0.023, 0.117, -0.009,
    0.007, 0.008, 0.041, -0.129, 0.006, -0.055, 0.118, -0.047, 0.088, 0.182, -0.001, -0.03, 0.049, 0.03,
    -0.069, 0.076, 0.232, 0.004, 0.01, -0.074, 0.062, -0.095,
];

const COARSE: [f64; 20] = [
    0.0, 0.0, 0.0, 0.25, -0.25, 0.0, 0.25, -0.25, 0.5, 0.5, 0.0, 0.5, 0.0, 0.5, 0.25, -0.25, -0.25, 0.0,
    0.25, -0.25,
];

/// scipy 1.17.1: `scipy.stats.bootstrap((values,), np.mean, n_resamples=N, method='BCa')`, the mean over six seeds of
/// N = 2,000,000 for the skewed values and over three of N = 400,000 for the others. The tolerance is the effect of
/// chance with 200,000; on the skewed values plain percentiles would give 0.0198 and 0.0982.
#[test]
fn intervals_are_scipys() {
    for (values, low, high) in
        [(&SKEWED[..], 0.02411, 0.10638), (&NORMAL[..], 0.01245, 0.05914), (&COARSE[..], -0.025, 0.2125)]
    {
        are_ends(values, IntervalMethod::Bca, low, high);
    }
}

/// The same with `confidence_level=2 * norm.cdf(sqrt(n / (n - 1)) * t.ppf(0.975, n - 1)) - 1`, which is what
/// Hesterberg 2015 expands 95% to: 96.48% of 25 values, 96.82% of 20, 98.56% of 9. The mean over three seeds of
/// N = 400,000.
#[test]
fn expanded_intervals_are_scipys_at_the_expanded_confidence() {
    for (values, low, high) in
        [(&SKEWED[..], 0.02213, 0.11099), (&COARSE[..], -0.0375, 0.225), (&SKEWED[5..14], -0.00933, 0.0604)]
    {
        are_ends(values, IntervalMethod::ExpandedBca, low, high);
        let many = BootstrapOptions { resamples: 40_000, ..options(3) };
        let interval = mean_interval(values, &many).unwrap();
        let same = bootstrap_mean(values, IntervalMethod::ExpandedBca, &many).unwrap();
        assert_eq!((interval.mean, interval.low, interval.high), (same.mean, same.low, same.high));
        assert!((interval.mean - values.iter().sum::<f64>() / values.len() as f64).abs() < 1e-15);
        assert_eq!(interval.n, values.len());
    }
}

#[track_caller]
fn are_ends(values: &[f64], method: IntervalMethod, low: f64, high: f64) {
    let many = BootstrapOptions { resamples: 200_000, ..options(3) };
    let interval = bootstrap_mean(values, method, &many).unwrap();
    let close = |end: f64, expected: f64| (end - expected).abs() < 0.001;
    assert!(close(interval.low, low) && close(interval.high, high), "{interval:?}, scipy: {low} {high}");
}

/// Lists share draws, not figures: each has its own interval, whatever the other lists and their order.
#[test]
fn lists_together_have_the_intervals_of_each_alone() {
    let lists: Vec<&[f64]> = vec![
        &SKEWED,
        &NORMAL,
        &COARSE,
        &[0.5],
        &[],
        &NORMAL[..25],
        &[0.25; 25],
        &[0.1, f64::NAN],
        &SKEWED[..20],
    ];
    // More of one length than are summed at once.
    let many: Vec<Vec<f64>> =
        (1..12).map(|by| NORMAL.iter().map(|value| value * f64::from(by)).collect()).collect();
    let lists: Vec<&[f64]> = lists.into_iter().chain(many.iter().map(Vec::as_slice)).collect();
    let few = BootstrapOptions { resamples: 1_000, ..options(7) };
    let together = mean_intervals(&lists, &few);
    let alone: Vec<_> = lists.iter().map(|list| mean_interval(list, &few)).collect();
    assert_eq!(format!("{together:?}"), format!("{alone:?}"));
    assert_eq!(together.iter().filter(|interval| interval.is_ok()).count(), lists.len() - 2);
}

/// Values whose true mean is 0: normal, or exponential less its mean.
fn sample(rng: &mut ChaCha8Rng, n: usize, skewed: bool) -> Vec<f64> {
    let mut uniform = || (f64::from(rng.next_u32()) + 0.5) / 2f64.powi(32);
    let mut draw = || {
        if skewed { -uniform().ln() - 1.0 } else { (0..12).map(|_| uniform()).sum::<f64>() - 6.0 }
    };
    (0..n).map(|_| draw()).collect()
}

/// Plain BCa holds the mean of 8 normal values in 89 of 100 cases.
#[test]
fn about_95_of_100_intervals_hold_the_true_mean() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for (n, skewed, least) in [(8, false, 0.91), (15, false, 0.92), (40, false, 0.92), (40, true, 0.90)] {
        let held = (0..400)
            .filter(|simulation| {
                let values = sample(&mut rng, n, skewed);
                let few = BootstrapOptions { resamples: 200, ..options(*simulation) };
                let interval = mean_interval(&values, &few).unwrap();
                interval.low <= 0.0 && 0.0 <= interval.high
            })
            .count();
        let share = held as f64 / 400.0;
        assert!((least..=0.98).contains(&share), "{n} values, skewed {skewed}: {share}");
    }
}

#[test]
fn of_equal_systems_few_are_decided() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    for (n, most) in [(5, 0.0), (6, 0.1), (10, 0.09), (20, 0.085)] {
        let decided = (0..600).filter(|simulation| {
            let (a, b) = (sample(&mut rng, n, false), sample(&mut rng, n, false));
            let few = BootstrapOptions { resamples: 200, ..options(*simulation) };
            paired_bootstrap(&a, &b, &few).unwrap().decision != Decision::Inconclusive
        });
        let share = decided.count() as f64 / 600.0;
        assert!(share <= most, "{n} topics: {share}");
    }
}

#[test]
fn a_difference_is_described_from_both_sides() {
    let zeros = [0.0; 50];
    let better = paired_bootstrap(&zeros, &NORMAL, &options(1)).unwrap();
    assert_eq!((better.wins, better.ties, better.losses, better.n), (34, 0, 16, 50));
    assert_eq!((better.decision, better.undecidable), (Decision::Better, None));
    assert!(better.above > 0.99 && better.above + better.below <= 1.0);
    assert!(better.p.is_some_and(|p| p > 0.0 && p < 0.05), "{:?}", better.p);
    let worse = paired_bootstrap(&NORMAL, &zeros, &options(1)).unwrap();
    assert_eq!(worse.decision, Decision::Worse);
    let unclear = paired_bootstrap(&[0.0; 20], &COARSE, &options(1)).unwrap();
    assert_eq!((unclear.decision, unclear.undecidable, unclear.ties), (Decision::Inconclusive, None, 7));
    assert!(unclear.p.is_some_and(|p| p > 0.05));
}

#[test]
fn too_few_topics_decide_nothing_and_say_so() {
    let of =
        |candidate: &[f64]| paired_bootstrap(&vec![0.0; candidate.len()], candidate, &options(1)).unwrap();
    let one = of(&[0.4]);
    assert_eq!((one.mean, one.low, one.high, one.p), (0.4, f64::NEG_INFINITY, f64::INFINITY, None));
    assert_eq!(one.decision, Decision::Inconclusive);
    assert_eq!(one.undecidable, Some(Undecidable::TooFewTopics { differing: 1, needed: 6 }));

    let five = of(&[0.4, 0.3, 0.5, 0.2, 0.4]);
    assert_eq!((five.low, five.high), (f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!(five.decision, Decision::Inconclusive);
    let reason = five.undecidable.unwrap().to_string();
    assert_eq!(reason, "the two differ on 5 queries only; at least 6 are needed to tell them apart");

    assert_eq!(of(&[0.4, 0.3, 0.5, 0.2, 0.4, 0.1]).decision, Decision::Better);
}

/// Of five values the least and the greatest lie about the mean in 15 of 16 cases, and no resample leaves them.
#[test]
fn fewer_than_six_values_have_no_interval_of_95_percent() {
    let interval = |n: usize, confidence| {
        let interval = mean_interval(&NORMAL[..n], &BootstrapOptions { confidence, ..options(1) }).unwrap();
        (interval.low.is_finite(), interval.high.is_finite())
    };
    assert_eq!((interval(5, 0.95), interval(6, 0.95)), ((false, false), (true, true)));
    assert_eq!((interval(4, 0.9), interval(5, 0.9)), ((false, false), (true, true)));
    assert_eq!(interval(7, 0.99), (false, false));
    // The methods of scipy give an interval all the same.
    let plain = bootstrap_mean(&NORMAL[..3], IntervalMethod::Bca, &options(1)).unwrap();
    assert!(plain.low.is_finite() && plain.high.is_finite());
}

/// Squares and cubes of such numbers are infinite or 0; interval, p and decision do not depend on the unit.
#[test]
fn numbers_of_any_size_are_computed_alike() {
    let few = BootstrapOptions { resamples: 1_000, ..options(4) };
    let at = |scale: f64| {
        let values = SKEWED.map(|value| value * scale);
        let paired = paired_bootstrap(&[0.0; 25], &values, &few).unwrap();
        let alone = bootstrap_mean(&values, IntervalMethod::ExpandedBca, &few).unwrap();
        let test = bootstrap_test(&[0.0; 25], &values, 1_000, Seed(4)).unwrap();
        (
            [paired.mean, paired.low, paired.high, alone.low, alone.high].map(|figure| figure / scale),
            paired.p.unwrap(),
            test.p.unwrap(),
            paired.decision,
        )
    };
    let expected = at(1.0);
    for power in [-450, -300, -100, 100, 300, 450] {
        let (ends, p, tested, decision) = at(2f64.powi(power));
        assert_eq!((p, tested, decision), (expected.1, expected.2, expected.3), "2^{power}");
        for (got, expected) in ends.into_iter().zip(expected.0) {
            assert!((got - expected).abs() < 1e-9, "2^{power}: {got}, not {expected}");
        }
    }
    let most = [1e308, 1.1e308, 1.2e308, 0.9e308, 1e308, 1e308];
    assert_eq!(mean_interval(&most, &few), Err(StatsError::TooLarge));
    assert_eq!(
        bootstrap_test(&[0.0; 6], &most, 1_000, Seed(4)).unwrap().undefined,
        Some(Undefined::OutOfRange)
    );
}

#[test]
fn no_difference_and_one_constant_difference_are_no_accidents() {
    let same = paired_bootstrap(&NORMAL, &NORMAL, &options(1)).unwrap();
    assert_eq!((same.mean, same.low, same.high, same.p), (0.0, 0.0, 0.0, Some(1.0)));
    assert_eq!((same.decision, same.undecidable), (Decision::Inconclusive, Some(Undecidable::Identical)));
    assert_eq!((same.above, same.below, same.ties), (0.0, 0.0, 50));

    let shifted = paired_bootstrap(&[0.25; 8], &[0.5; 8], &options(1)).unwrap();
    assert_eq!((shifted.low, shifted.high, shifted.decision), (0.25, 0.25, Decision::Better));
    assert_eq!(shifted.p, Some(2.0 / 256.0), "a sign test can say no more of eight topics");
}

#[test]
fn rounding_wins_no_topic() {
    let baseline = [0.1 + 0.2, 0.7];
    let candidate = [0.3, 0.7 + 1e-15];
    let difference = paired_bootstrap(&baseline, &candidate, &options(1)).unwrap();
    assert_eq!((difference.ties, difference.undecidable), (2, Some(Undecidable::Identical)));
}

/// 0.1 + 0.2 - 0.3 is not 0 to the last digit, and must not be farther from it than resamples that are.
#[test]
fn a_mean_that_is_0_but_for_rounding_is_0() {
    let test = bootstrap_test(&[0.0; 7], &[0.1, 0.2, -0.3, 0.7, -0.7, 0.0, 0.0], 1_000, Seed(1)).unwrap();
    assert_eq!(test.p, Some(1.0));
}

#[test]
fn what_cannot_be_computed_is_an_error() {
    let compare = |baseline: &[f64], candidate: &[f64], options: &BootstrapOptions| {
        paired_bootstrap(baseline, candidate, options).unwrap_err()
    };
    assert_eq!(compare(&[], &[], &options(1)), StatsError::Empty);
    assert_eq!(compare(&[0.1], &[], &options(1)), StatsError::Unpaired { baseline: 1, candidate: 0 });
    let infinite = compare(&[0.1, 0.2], &[0.3, f64::INFINITY], &options(1));
    assert_eq!(infinite, StatsError::NotFinite { index: 1, value: f64::INFINITY });
    assert!(matches!(mean_interval(&[f64::NAN], &options(1)), Err(StatsError::NotFinite { index: 0, .. })));
    for confidence in [0.0, 1.0, -0.5, 95.0, f64::NAN] {
        let wrong = compare(&[0.1], &[0.2], &BootstrapOptions { confidence, ..options(1) });
        assert!(matches!(wrong, StatsError::Confidence(_)), "{confidence}");
    }
    let few = compare(&[0.1], &[0.2], &BootstrapOptions { resamples: 20, ..options(1) });
    assert!(matches!(few, StatsError::Resamples { resamples: 20, .. }));
    assert!(few.to_string().contains("use at least 4"), "{few}");
}

#[test]
fn the_seed_decides_and_the_number_of_cores_does_not() {
    let zeros = [0.0; 50];
    let first = paired_bootstrap(&zeros, &NORMAL, &options(9)).unwrap();
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| paired_bootstrap(&zeros, &NORMAL, &options(9))).unwrap(), first);
    }
    let other = paired_bootstrap(&zeros, &NORMAL, &options(10)).unwrap();
    assert_ne!((first.low, first.high), (other.low, other.high));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn exchanging_the_two_negates(
        pairs in proptest::collection::vec((0u8..20, 0u8..20), 2..30),
        seed in any::<u64>(),
    ) {
        let (a, b): (Vec<f64>, Vec<f64>) =
            pairs.iter().map(|(a, b)| (f64::from(*a) / 19.0, f64::from(*b) / 19.0)).unzip();
        let few = BootstrapOptions { resamples: 500, ..options(seed) };
        let forth = paired_bootstrap(&a, &b, &few).unwrap();
        let back = paired_bootstrap(&b, &a, &few).unwrap();
        let near = |x: f64, y: f64| x == y || (x - y).abs() < 1e-9;
        prop_assert!(near(forth.mean, -back.mean));
        prop_assert!(near(forth.low, -back.high) && near(forth.high, -back.low), "{:?} {:?}", forth, back);
        prop_assert_eq!((forth.wins, forth.ties, forth.losses), (back.losses, back.ties, back.wins));
        prop_assert_eq!((forth.above, forth.below), (back.below, back.above));
        prop_assert!(near(forth.p.unwrap(), back.p.unwrap()));
        prop_assert_eq!(forth.undecidable, back.undecidable);
    }

    /// Sums of tenths round differently in every order; a resample whose mean is 0, or the mean itself, must still
    /// count as equal to it.
    #[test]
    fn the_unit_of_the_values_does_not_matter(
        whole in proptest::collection::vec(-3i8..4, 6..30),
        unit in proptest::sample::select(vec![3.0, 5.0, 7.0, 10.0, 1000.0]),
        seed in any::<u64>(),
    ) {
        let zeros = vec![0.0; whole.len()];
        let whole: Vec<f64> = whole.into_iter().map(f64::from).collect();
        let parts: Vec<f64> = whole.iter().map(|value| value / unit).collect();
        let few = BootstrapOptions { resamples: 500, ..options(seed) };
        let exact = paired_bootstrap(&zeros, &whole, &few).unwrap();
        let rounded = paired_bootstrap(&zeros, &parts, &few).unwrap();
        let near = |x: f64, y: f64| (x - y).abs() < 1e-9;
        prop_assert!(near(rounded.low * unit, exact.low) && near(rounded.high * unit, exact.high));
        prop_assert!(near(rounded.p.unwrap(), exact.p.unwrap()), "{:?} {:?}", rounded, exact);
        prop_assert_eq!((rounded.above, rounded.below), (exact.above, exact.below));
        prop_assert_eq!(rounded.decision, exact.decision);
        prop_assert_eq!(rounded.low > 0.0, exact.low > 0.0);
    }

    #[test]
    fn interval_p_and_decision_agree(
        differences in proptest::collection::vec(-1.0..1.4f64, 6..30),
        seed in any::<u64>(),
    ) {
        let zeros = vec![0.0; differences.len()];
        let few = BootstrapOptions { resamples: 1_000, ..options(seed) };
        let difference = paired_bootstrap(&zeros, &differences, &few).unwrap();
        prop_assert!(difference.low <= difference.high);
        let least = differences.iter().copied().fold(f64::INFINITY, f64::min);
        let most = differences.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        prop_assert!(difference.low >= least - 1e-12 && difference.high <= most + 1e-12);
        // p changes in steps of one resample, so at the very edge the two may fall on different sides.
        let p = difference.p.unwrap();
        if (p - 0.05).abs() > 0.005 {
            prop_assert_eq!(difference.decision != Decision::Inconclusive, p < 0.05, "{:?}", difference);
        }
    }
}
