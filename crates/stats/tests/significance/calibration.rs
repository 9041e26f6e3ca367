//! In simulation: p values are uniform without a difference, and intervals hold the truth as often as their confidence
//! says.

use llull_core::Seed;
use llull_stats::{
    BootstrapOptions, EffectSize, IntervalMethod, PairOptions, PairTest, bootstrap_mean, bootstrap_test,
    cohen_d, cohen_dz, compare_all, equivalence_test, hedges_g, paired_cliff_delta, paired_t_test,
    power_of_t,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Standard normal values, as sums of twelve uniform ones.
fn normal(rng: &mut ChaCha8Rng, n: usize, mean: f64) -> Vec<f64> {
    let mut uniform = || (f64::from(rng.next_u32()) + 0.5) / 2f64.powi(32);
    (0..n).map(|_| (0..12).map(|_| uniform()).sum::<f64>() - 6.0 + mean).collect()
}

/// The share of p at or below each level lies within `below` under and `above` over it, besides four standard errors.
#[track_caller]
fn uniform(p: &[f64], below: f64, above: f64, what: &str) {
    for level in [0.05, 0.2, 0.5, 0.8] {
        let share = p.iter().filter(|p| **p <= level).count() as f64 / p.len() as f64;
        let chance = 4.0 * (level * (1.0 - level) / p.len() as f64).sqrt();
        let within = level - chance - below..=level + chance + above;
        assert!(within.contains(&share), "{what}: {share} of the p are at or below {level}");
    }
}

#[test]
fn without_a_difference_p_is_uniform() {
    // Known deviations: counts are coarse, and the bootstrap test is conservative for few queries.
    for (test, topics, draws, simulations, below, above) in [
        (PairTest::T, 12, 1, 800, 0.0, 0.0),
        (PairTest::Wilcoxon, 20, 1, 800, 0.01, 0.0),
        (PairTest::Wilcoxon, 70, 1, 800, 0.01, 0.01),
        (PairTest::Sign, 60, 1, 800, 0.12, 0.0),
        (PairTest::Permutation, 14, 1, 800, 0.001, 0.0),
        (PairTest::Permutation, 40, 199, 800, 0.0, 0.0),
        (PairTest::Bootstrap, 12, 400, 800, 0.03, 0.0),
        (PairTest::Bootstrap, 40, 400, 400, 0.0, 0.0),
        (PairTest::Tukey, 15, 199, 400, 0.0, 0.0),
    ] {
        let mut rng = ChaCha8Rng::seed_from_u64(topics as u64);
        let p: Vec<f64> = (0..simulations)
            .map(|simulation| {
                let systems = [normal(&mut rng, topics, 0.0), normal(&mut rng, topics, 0.0)];
                let options = PairOptions { draws, ..PairOptions::new(test, Seed(simulation)) };
                compare_all(&systems, &options).unwrap().pairs[0].p.unwrap()
            })
            .collect();
        uniform(&p, below, above, &format!("{test} over {topics}"));
    }
}

/// There are never more small p than there should be, however few queries there are.
#[test]
fn the_bootstrap_test_finds_nothing_in_few_topics() {
    for (topics, least) in [(3, 0.05), (4, 0.0), (5, 0.0), (8, 0.0)] {
        let mut rng = ChaCha8Rng::seed_from_u64(topics as u64);
        let p: Vec<f64> = (0..800)
            .map(|simulation| {
                let (a, b) = (normal(&mut rng, topics, 0.0), normal(&mut rng, topics, 0.0));
                bootstrap_test(&a, &b, 400, Seed(simulation)).unwrap().p.unwrap()
            })
            .collect();
        assert!(p.iter().all(|p| *p > least), "{topics} topics");
        for level in [0.01, 0.05, 0.1] {
            let found = p.iter().filter(|p| **p <= level).count() as f64 / p.len() as f64;
            let chance = 3.0 * (level * (1.0 - level) / p.len() as f64).sqrt();
            assert!(found <= level + chance, "{topics} topics: {found} at {level}");
        }
    }
}

/// Of six systems without any difference, Tukey's test and Holm's correction find one in five families of a
/// hundred; uncorrected tests do so in many.
#[test]
fn a_family_is_protected_as_a_whole() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let families: Vec<Vec<Vec<f64>>> =
        (0..250).map(|_| (0..6).map(|_| normal(&mut rng, 12, 0.0)).collect()).collect();
    let found = |test, correct| {
        let any = families.iter().enumerate().filter(|(family, systems)| {
            let options = PairOptions { draws: 99, ..PairOptions::new(test, Seed(*family as u64)) };
            let results = compare_all(systems, &options).unwrap();
            results.pairs.iter().any(|pair| if correct { pair.significant } else { pair.p.unwrap() <= 0.05 })
        });
        any.count() as f64 / families.len() as f64
    };
    let tukey = found(PairTest::Tukey, true);
    assert!((0.004..=0.105).contains(&tukey), "{tukey}");
    let holm = found(PairTest::T, true);
    assert!((0.002..=0.105).contains(&holm), "{holm}");
    let uncorrected = found(PairTest::T, false);
    assert!(uncorrected > 0.2, "{uncorrected}");
}

#[test]
fn equivalence_errs_at_its_level_on_the_margin() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let found = (0..1_000).filter(|_| {
        let (a, b) = (vec![0.0; 20], normal(&mut rng, 20, 0.8));
        equivalence_test(&a, &b, -0.8, 0.8).unwrap().p.unwrap() <= 0.05
    });
    let share = found.count() as f64 / 1_000.0;
    assert!((0.022..=0.078).contains(&share), "{share}");
}

#[test]
fn power_is_what_simulation_finds() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let expected = power_of_t(0.5, 25, 0.05).unwrap().unwrap();
    let found = (0..1_000).filter(|_| {
        let (a, b) = (vec![0.0; 25], normal(&mut rng, 25, 0.5));
        paired_t_test(&a, &b).unwrap().p.unwrap() <= 0.05
    });
    let share = found.count() as f64 / 1_000.0;
    assert!(
        (share - expected).abs() < 4.0 * (expected * (1.0 - expected) / 1_000.0).sqrt(),
        "{share}, not {expected}"
    );
}

/// How many of the intervals hold `truth`, as a share.
fn coverage(simulations: u64, truth: f64, mut interval: impl FnMut(u64) -> (f64, f64)) -> f64 {
    let held = (0..simulations).filter(|simulation| {
        let (low, high) = interval(*simulation);
        low <= truth && truth <= high
    });
    held.count() as f64 / simulations as f64
}

#[test]
fn intervals_of_means_hold_the_truth() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    for method in [IntervalMethod::ExpandedBca, IntervalMethod::Bca, IntervalMethod::Percentile] {
        let few = |seed| BootstrapOptions { resamples: 300, ..BootstrapOptions::new(Seed(seed)) };
        let share = coverage(200, 0.3, |seed| {
            let interval = bootstrap_mean(&normal(&mut rng, 40, 0.3), method, &few(seed)).unwrap();
            (interval.low, interval.high)
        });
        assert!((0.89..=0.985).contains(&share), "{method}: {share}");
    }
}

#[test]
fn intervals_of_effect_sizes_hold_the_truth() {
    type Measure = fn(&[f64], &[f64], f64) -> Result<EffectSize, llull_stats::StatsError>;
    // With a mean of half a standard deviation: P(b > 0) = Φ(0.5).
    let paired_delta = 0.382_924_9;
    let measures: [(&str, Measure, f64, bool); 4] = [
        ("d_z", cohen_dz, 0.5, true),
        ("d", cohen_d, 0.5, false),
        ("g", hedges_g, 0.5, false),
        ("paired delta", paired_cliff_delta, paired_delta, true),
    ];
    for (name, measure, truth, paired) in measures {
        let mut rng = ChaCha8Rng::seed_from_u64(21);
        let share = coverage(250, truth, |_| {
            let baseline = if paired { vec![0.0; 30] } else { normal(&mut rng, 30, 0.0) };
            let effect = measure(&baseline, &normal(&mut rng, 30, 0.5), 0.95).unwrap();
            (effect.low.unwrap(), effect.high.unwrap())
        });
        assert!((0.90..=0.992).contains(&share), "{name}: {share}");
    }
}
