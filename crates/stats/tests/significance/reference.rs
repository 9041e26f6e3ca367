//! Figures against those of scipy and statsmodels, which golden.py wrote down.

use llull_core::Seed;
use llull_stats::{
    BootstrapOptions, Correction, EffectSize, IntervalMethod, Method, PairOptions, PairTest,
    PermutationOptions, PowerOptions, TestResult, adjusted, bootstrap_mean, bootstrap_test, cohen_d,
    cohen_dz, compare_all, detectable_effect, equivalence_test, hedges_g, paired_cliff_delta, paired_t_test,
    permutation_test, power_of_t, sign_test, topics_needed, wilcoxon_test,
};

use super::golden;

fn sample(name: &str) -> (&'static [f64], &'static [f64]) {
    let found = golden::SAMPLES.iter().find(|(sample, _, _)| *sample == name).unwrap();
    (found.1, found.2)
}

#[track_caller]
fn near(got: f64, expected: f64, relative: f64, what: &str) {
    let scale = expected.abs().max(1e-14);
    assert!((got - expected).abs() <= relative * scale, "{what}: {got}, not {expected}");
}

fn run(test: &str, name: &str) -> TestResult {
    let (baseline, candidate) = sample(name);
    match test {
        "t" => paired_t_test(baseline, candidate),
        "sign" => sign_test(baseline, candidate),
        "wilcoxon" => wilcoxon_test(baseline, candidate),
        "permutation" => permutation_test(baseline, candidate, &PermutationOptions::new(Seed(1))),
        other => panic!("{other}"),
    }
    .unwrap()
}

#[test]
fn every_test_is_scipys() {
    let mut random = 0;
    for (name, test, statistic, expected) in golden::TESTS {
        let result = run(test, name);
        let what = format!("{test} of {name}");
        let got = result.p.unwrap();
        near(result.statistic.unwrap(), *statistic, 1e-10, &what);
        assert_eq!((result.n, result.undefined), (sample(name).0.len(), None), "{what}");
        if let Method::RandomFlips { permutations, .. } = result.method {
            // Four standard errors of 10,000 draws, and the one that is added.
            let error = (expected * (1.0 - expected) / permutations as f64).sqrt();
            assert!((got - expected).abs() < 4.0 * error + 2e-4, "{what}: {got}, not {expected}");
            random += 1;
        } else {
            near(got, *expected, 1e-9, &what);
        }
    }
    // 43, 53 and 200 queries.
    assert_eq!(random, 3);
}

#[test]
fn equivalence_is_statsmodels() {
    for (name, low, high, p, p_low, p_high) in golden::EQUIVALENCE {
        let (baseline, candidate) = sample(name);
        let result = equivalence_test(baseline, candidate, *low, *high).unwrap();
        near(result.p.unwrap(), *p, 1e-9, name);
        near(result.p_low.unwrap(), *p_low, 1e-9, name);
        near(result.p_high.unwrap(), *p_high, 1e-9, name);
    }
}

fn effect(measure: &str, baseline: &[f64], candidate: &[f64]) -> EffectSize {
    match measure {
        "d" => cohen_d(baseline, candidate, 0.95),
        "d_z" => cohen_dz(baseline, candidate, 0.95),
        "g" => hedges_g(baseline, candidate, 0.95),
        "paired delta" => paired_cliff_delta(baseline, candidate, 0.95),
        other => panic!("{other}"),
    }
    .unwrap()
}

#[test]
fn effect_sizes_and_their_intervals_are_scipys() {
    let paired = golden::EFFECTS.iter().map(|(name, measure, value, low, high)| {
        let (baseline, candidate) = sample(name);
        (*measure, baseline, candidate, [*value, *low, *high])
    });
    let unequal = golden::UNEQUAL.iter().map(|(measure, value, low, high)| {
        let (baseline, candidate) = (sample("twenty-eight").0, &sample("forty-three").1[..17]);
        (*measure, baseline, candidate, [*value, *low, *high])
    });
    for (measure, baseline, candidate, expected) in paired.chain(unequal) {
        let effect = effect(measure, baseline, candidate);
        let what = format!("{measure} of {} and {}", baseline.len(), candidate.len());
        for (got, expected) in [effect.value, effect.low, effect.high].into_iter().zip(expected) {
            let got = got.unwrap();
            assert!((got - expected).abs() < 1e-9, "{what}: {got}, not {expected} ({effect:?})");
        }
    }
}

#[test]
fn adjusted_p_are_statsmodels() {
    for (p, holm, bh) in golden::FAMILIES {
        for (correction, expected) in
            [(Correction::Holm, *holm), (Correction::BenjaminiHochberg, *bh), (Correction::None, *p)]
        {
            let got = adjusted(p, correction).unwrap();
            assert_eq!(got.len(), expected.len());
            for (got, expected) in got.iter().zip(expected) {
                assert!((got - expected).abs() < 1e-15, "{correction}: {got}, not {expected}");
            }
        }
    }
}

#[test]
fn power_is_statsmodels() {
    for (effect, topics, significance, expected) in golden::POWERS {
        let power = power_of_t(*effect, *topics, *significance).unwrap().unwrap();
        let what = format!("{effect} over {topics} at {significance}");
        assert!((power - expected).abs() < 1e-9, "{what}: {power}, not {expected}");
    }
    for (effect, power, expected) in golden::NEEDED {
        let options = PowerOptions { power: *power, ..PowerOptions::default() };
        let needed = topics_needed(*effect, &options).unwrap().unwrap();
        assert_eq!(needed, expected.ceil() as usize, "{effect} with {power}");
        assert_eq!(topics_needed(-effect, &options).unwrap(), Some(needed));
    }
    for (topics, expected) in golden::DETECTABLE {
        let effect = detectable_effect(*topics, &PowerOptions::default()).unwrap().unwrap();
        near(effect, *expected, 1e-9, &format!("{topics} topics"));
    }
}

#[test]
fn randomised_tukey_is_carterettes() {
    let options = PairOptions { draws: 30_000, ..PairOptions::new(PairTest::Tukey, Seed(3)) };
    let results = compare_all(golden::SYSTEMS, &options).unwrap();
    assert_eq!((results.n, results.systems, results.correction), (30, 4, Correction::None));
    assert_eq!(results.pairs.len(), golden::TUKEY.len());
    for (pair, expected) in results.pairs.iter().zip(golden::TUKEY) {
        let got = pair.p.unwrap();
        // Four standard errors of the difference between 30,000 and 200,000 draws.
        let error = (expected * (1.0 - expected) * (1.0 / 3e4 + 1.0 / 2e5)).sqrt();
        assert!((got - expected).abs() < 4.0 * error + 4e-5, "{pair:?}, not {expected}");
        assert_eq!(pair.adjusted, pair.p);
    }
}

#[test]
fn bootstrap_intervals_are_scipys() {
    let (baseline, candidate) = sample("twenty-eight");
    let differences: Vec<f64> =
        candidate.iter().zip(baseline).map(|(after, before)| after - before).collect();
    for (method, low, high) in golden::BOOTSTRAPS {
        let options = BootstrapOptions { resamples: 30_000, ..BootstrapOptions::new(Seed(2)) };
        let all = [
            IntervalMethod::ExpandedBca,
            IntervalMethod::ExpandedPercentile,
            IntervalMethod::Bca,
            IntervalMethod::Percentile,
        ];
        let method = all.into_iter().find(|known| known.to_string() == *method).unwrap();
        let interval = bootstrap_mean(&differences, method, &options).unwrap();
        // Twice the effect of chance on the ends with so many resamples, about a hundredth of the interval's width.
        let slack = 0.02 * (high - low);
        let close = (interval.low - low).abs() < slack && (interval.high - high).abs() < slack;
        assert!(close, "{method}: {interval:?}, not {low} {high}");
    }
}

#[test]
fn the_bootstrap_test_is_sakais() {
    for (name, expected) in golden::BOOTSTRAP_TESTS {
        let (baseline, candidate) = sample(name);
        let p = bootstrap_test(baseline, candidate, 40_000, Seed(3)).unwrap().p.unwrap();
        let error = (expected * (1.0 - expected) * (1.0 / 4e4 + 1.0 / 4e5)).sqrt();
        assert!((p - expected).abs() < 4.0 * error + 3e-5, "{name}: {p}, not {expected}");
    }
}
