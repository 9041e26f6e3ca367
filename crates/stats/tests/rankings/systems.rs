//! Rankings of systems under two label sets.

use llull_core::Seed;
use llull_stats::{
    BootstrapOptions, Conclusion, ConclusionCounts, Ends, SystemError, SystemFigures, SystemOptions,
    SystemScores, kendall_tau_b, rank_biased_overlap, spearman, system_agreement, tau_ap_b,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Values = Vec<(String, Vec<f64>, Vec<f64>)>;

/// Values of 12 systems on 30 queries under two label sets that largely agree.
fn values() -> Values {
    drawn(&mut ChaCha8Rng::seed_from_u64(11))
}

fn drawn(rng: &mut ChaCha8Rng) -> Values {
    let mut uniform = || f64::from(rng.next_u32()) / 2f64.powi(32);
    (0..12)
        .map(|system| {
            let skill = f64::from(system) / 12.0;
            let (truth, other) = (0..30).map(|_| (skill + uniform(), skill * 0.8 + uniform())).unzip();
            (format!("s{system}"), truth, other)
        })
        .collect()
}

/// Intervals hold the median figure of as many other queries in about 95 of 100 cases.
#[test]
fn intervals_hold_what_other_queries_give() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let agreements: Vec<_> = (0..400)
        .map(|_| {
            let agreement = system_agreement(&scores(&drawn(&mut rng)), &with_intervals(300)).unwrap();
            (agreement.figures, agreement.ci.unwrap())
        })
        .collect();
    let covered = |figure: fn(&SystemFigures<Option<f64>>) -> Option<f64>,
                   ends: fn(&SystemFigures<Option<Ends>>) -> Option<Ends>| {
        let mut figures: Vec<f64> = agreements.iter().map(|(figures, _)| figure(figures).unwrap()).collect();
        figures.sort_by(f64::total_cmp);
        let median = figures[200];
        let holds = |ends: Ends| ends[0] <= median && median <= ends[1];
        agreements.iter().filter(|(_, ci)| ends(ci).is_some_and(holds)).count()
    };
    for covered in [
        covered(|figures| figures.tau, |ends| ends.tau),
        covered(|figures| figures.tau_ap, |ends| ends.tau_ap),
        covered(|figures| figures.pearson, |ends| ends.pearson),
    ] {
        assert!((360..=398).contains(&covered), "{covered} of 400");
    }
}

fn scores(values: &[(String, Vec<f64>, Vec<f64>)]) -> Vec<SystemScores<'_>> {
    values.iter().map(|(name, truth, other)| SystemScores { name, truth, other }).collect()
}

fn with_intervals(resamples: usize) -> SystemOptions {
    let bootstrap = BootstrapOptions { resamples, ..BootstrapOptions::new(Seed(3)) };
    SystemOptions { bootstrap: Some(bootstrap), ..SystemOptions::default() }
}

#[test]
fn figures_are_those_of_the_means() {
    let values = values();
    let agreement = system_agreement(&scores(&values), &with_intervals(2000)).unwrap();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let means: Vec<(f64, f64)> = values.iter().map(|(_, a, b)| (mean(a), mean(b))).collect();
    let figures = agreement.figures;
    assert_eq!(figures.tau, kendall_tau_b(&means));
    assert_eq!(figures.tau_ap, tau_ap_b(&means));
    assert_eq!(figures.spearman, spearman(&means));
    assert_eq!(figures.rbo, rank_biased_overlap(&means, 0.9));
    assert_eq!((agreement.n, agreement.queries, agreement.tau_by_query.len()), (12, 30, 30));
    let first: Vec<_> = values.iter().map(|(_, a, b)| (a[0], b[0])).collect();
    assert_eq!(agreement.tau_by_query[0], kendall_tau_b(&first));
    let ci = agreement.ci.unwrap();
    for (figure, ends) in [(figures.tau, ci.tau), (figures.pearson, ci.pearson), (figures.rbo, ci.rbo)] {
        let [low, high] = ends.unwrap();
        assert!(low < figure.unwrap() && figure.unwrap() < high, "{figure:?} {ends:?}");
    }
    assert_eq!(agreement, system_agreement(&scores(&values), &with_intervals(2000)).unwrap());
}

#[test]
fn drops_come_first() {
    let values = values();
    let changes = system_agreement(&scores(&values), &SystemOptions::default()).unwrap().changes;
    assert_eq!(changes.len(), 12);
    assert!(changes.windows(2).all(|two| two[0].drop >= two[1].drop));
    assert_eq!(changes.iter().map(|change| change.drop).sum::<i64>(), 0);
    for change in &changes {
        let better = changes.iter().filter(|other| other.truth > change.truth).count();
        assert_eq!(change.truth_rank, better + 1);
        assert_eq!(change.drop, change.other_rank as i64 - change.truth_rank as i64);
    }
}

#[test]
fn the_same_labels_agree_wholly() {
    let mut values = values();
    for (_, truth, other) in &mut values {
        other.clone_from(truth);
    }
    let agreement = system_agreement(&scores(&values), &with_intervals(200)).unwrap();
    let ci = agreement.ci.unwrap();
    let figures = agreement.figures;
    for (figure, ends) in [
        (figures.tau, ci.tau),
        (figures.tau_ap, ci.tau_ap),
        (figures.spearman, ci.spearman),
        (figures.pearson, ci.pearson),
        (figures.rbo, ci.rbo),
    ] {
        for value in [figure.unwrap(), ends.unwrap()[0], ends.unwrap()[1]] {
            assert!((value - 1.0).abs() < 1e-12, "{value}");
        }
    }
    assert!((agreement.mean_tau_by_query.unwrap() - 1.0).abs() < 1e-12);
    assert!(agreement.changes.iter().all(|change| change.drop == 0));
}

#[test]
fn too_little_is_none_and_what_cannot_be_is_an_error() {
    let two: Values = values().into_iter().take(2).collect();
    let agreement = system_agreement(&scores(&two), &with_intervals(200)).unwrap();
    assert_eq!((agreement.figures.tau, agreement.figures.rbo, agreement.ci.unwrap().tau), (None, None, None));
    assert_eq!(system_agreement(&[], &SystemOptions::default()).unwrap().n, 0);

    let system = |truth, other| SystemScores { name: "s", truth, other };
    let error =
        |systems: &[SystemScores<'_>]| system_agreement(systems, &SystemOptions::default()).unwrap_err();
    assert_eq!(error(&[system(&[], &[])]), SystemError::NoQueries);
    assert!(matches!(error(&[system(&[0.0], &[])]), SystemError::Unaligned { expected: 1, .. }));
    assert!(matches!(
        error(&[system(&[0.0], &[0.0]), system(&[0.0, 1.0], &[0.0, 1.0])]),
        SystemError::Unaligned { expected: 1, truth: 2, .. }
    ));
    assert!(matches!(
        error(&[system(&[0.0, 1.0], &[0.0, f64::NAN])]),
        SystemError::NotFinite { query: 1, .. }
    ));
    let options = SystemOptions { persistence: 1.0, bootstrap: None };
    assert_eq!(system_agreement(&[], &options), Err(SystemError::Persistence(1.0)));
}

#[test]
fn one_query_has_no_interval() {
    let values: Values =
        values().into_iter().map(|(name, a, b)| (name, a[..1].to_vec(), b[..1].to_vec())).collect();
    let agreement = system_agreement(&scores(&values), &with_intervals(200)).unwrap();
    assert!(agreement.figures.tau.is_some());
    assert_eq!(agreement.ci.unwrap().tau, None);
}

#[test]
fn every_pair_is_of_one_kind() {
    let says = |difference, p| Conclusion { difference, p };
    let kinds = [
        (says(1.0, Some(0.01)), says(2.0, Some(0.05))),
        (says(1.0, Some(0.01)), says(-2.0, Some(0.01))),
        (says(1.0, Some(0.01)), says(2.0, Some(0.06))),
        (says(1.0, None), says(-2.0, Some(0.01))),
        (says(-1.0, Some(0.1)), says(-2.0, None)),
        (says(-1.0, Some(0.1)), says(2.0, Some(0.2))),
        (says(0.0, None), says(2.0, Some(0.2))),
    ];
    let counts = ConclusionCounts::of(kinds, 0.05);
    let expected = ConclusionCounts {
        active_agreements: 1,
        active_disagreements: 1,
        mixed_agreements: 1,
        mixed_disagreements: 1,
        passive_agreements: 2,
        passive_disagreements: 1,
        significant_truth: 3,
        significant_other: 3,
    };
    assert_eq!(counts, expected);
    assert_eq!(counts.pairs(), 7);
    let exchanged = ConclusionCounts::of(kinds.map(|(a, b)| (b, a)), 0.05);
    assert_eq!(exchanged, expected);
}
