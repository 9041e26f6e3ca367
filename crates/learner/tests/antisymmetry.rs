//! Tests that exchanging the sides of a pair exchanges the answer.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use llull_core::{PairChoice, Seed, SplitMix64};
use llull_learner::{
    FeatureTable, LearnerKind, LearnerSettings, PairFeature, TrainOptions, TrainingTable, fit, train,
};
use proptest::prelude::*;

fn answers() -> impl Strategy<Value = PairChoice> {
    prop::sample::select(PairChoice::ALL.to_vec())
}

fn table(rows: &[Vec<PairChoice>], lhs: &[bool], groups: &[usize]) -> TrainingTable {
    let width = rows[0].len();
    let features = (0..width).map(|at| PairFeature { name: format!("f{at}"), calls: 1 }).collect();
    let columns = (0..width).map(|at| rows.iter().map(|row| row[at]).collect()).collect();
    let table = FeatureTable::new(features, columns).unwrap();
    TrainingTable::new(table, lhs.to_vec(), groups.to_vec()).unwrap()
}

fn settings() -> LearnerSettings {
    LearnerSettings { leaf: 2, trees: 9, forest_leaf: 2, ..LearnerSettings::new(Seed(3)) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A mirrored row has the mirrored answer, bit for bit; and a training set with some of its pairs turned round is
    /// the same training set.
    #[test]
    fn sides_are_interchangeable(
        rows in prop::collection::vec((prop::collection::vec(answers(), 4), any::<bool>(), any::<bool>()), 4..60),
        probe in prop::collection::vec(answers(), 4),
    ) {
        let plain: Vec<Vec<PairChoice>> = rows.iter().map(|(row, ..)| row.clone()).collect();
        let lhs: Vec<bool> = rows.iter().map(|(_, lhs, _)| *lhs).collect();
        let turned: Vec<Vec<PairChoice>> = rows.iter().map(|(row, _, turn)| {
            row.iter().map(|answer| if *turn { answer.mirrored() } else { *answer }).collect()
        }).collect();
        let turned_lhs: Vec<bool> = rows.iter().map(|(_, lhs, turn)| lhs != turn).collect();
        let all: Vec<usize> = (0..rows.len()).collect();
        for kind in LearnerKind::ALL {
            let fitted = fit(kind, &table(&plain, &lhs, &all), &all, &settings());
            let score = fitted.score(|at| probe[at]);
            let mirrored = fitted.score(|at| probe[at].mirrored());
            prop_assert_eq!(score, -mirrored, "{}", kind);
            prop_assert!((-1.0..=1.0).contains(&score));
            let other = fit(kind, &table(&turned, &turned_lhs, &all), &all, &settings());
            prop_assert!((other.score(|at| probe[at]) - score).abs() < 1e-9, "{}", kind);
        }
    }
}

/// Five judges that are right in nine, eight, seven, six and five of ten pairs, of 40 queries with 12 pairs each.
fn simulated() -> TrainingTable {
    let mut stream = SplitMix64::new(17);
    let (mut rows, mut lhs, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    for pair in 0..480 {
        let better = if stream.next_u64().is_multiple_of(2) { PairChoice::Lhs } else { PairChoice::Rhs };
        rows.push(
            [9, 8, 7, 6, 5]
                .map(|right| match stream.next_u64() % 10 {
                    draw if draw < right => better,
                    9 => PairChoice::Neither,
                    _ => better.mirrored(),
                })
                .to_vec(),
        );
        lhs.push(better == PairChoice::Lhs);
        groups.push(pair / 12);
    }
    table(&rows, &lhs, &groups)
}

#[test]
fn one_seed_gives_one_result_on_any_number_of_cores() {
    let options = TrainOptions::new(LearnerSettings { trees: 30, ..settings() });
    let of = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| train(&simulated(), &options).unwrap())
    };
    let (one, three) = (of(1), of(3));
    assert_eq!(one, three);
    assert_eq!(one.subsets_counted, 5 + 10 + 10);
    assert!(one.curve.iter().all(|point| point.lo.unwrap() <= point.precision));
    assert_eq!(one.features[0].name, "f0");
}

/// Of one feature a subset has two cells that are one: its precision is that of the feature itself, and in every fold
/// all of its sides are decided.
#[test]
fn a_subset_of_one_is_the_feature() {
    // It panicked, although the help documents it.
    let none = train(&simulated(), &TrainOptions { subsets: 0, ..TrainOptions::new(settings()) }).unwrap();
    assert_eq!((none.subsets_counted, none.subsets.len(), none.pareto.len()), (0, 0, 0));
    let trained = train(&simulated(), &TrainOptions { subsets: 1, ..TrainOptions::new(settings()) }).unwrap();
    for subset in trained.subsets {
        let feature = trained.features.iter().find(|one| one.name == subset.features[0]).unwrap();
        // A judge that is right in half of its answers may be turned round in a fold.
        if feature.precision.unwrap() > 0.6 {
            assert!((subset.all.precision.unwrap() - feature.precision.unwrap()).abs() < 1e-12);
            assert!((subset.all.coverage - feature.coverage).abs() < 1e-12);
        }
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let refused = |options: TrainOptions| train(&simulated(), &options).unwrap_err().to_string();
    let options = || TrainOptions::new(settings());
    assert!(refused(TrainOptions { folds: 2, ..options() }).contains("at least 3"));
    assert!(refused(TrainOptions { folds: 40, ..options() }).contains("at least 41"));
    assert!(refused(TrainOptions { coverage: 0.0, ..options() }).contains("above 0"));
    assert!(refused(TrainOptions { subsets: 6, ..options() }).contains("up to 6"));
    assert!(refused(TrainOptions { kinds: vec![], ..options() }).contains("no learner"));
}
