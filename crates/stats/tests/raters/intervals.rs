//! Intervals that resample whole queries.

use llull_core::{Grade, Qrels, Seed};
use llull_stats::{
    AgreementError, AgreementOptions, BootstrapOptions, LabelFigures, Level, PanelRatings, StatsError,
    krippendorff_alpha, label_agreement, panel_agreement,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn bootstrap(resamples: usize) -> BootstrapOptions {
    BootstrapOptions { resamples, ..BootstrapOptions::new(Seed(5)) }
}

fn options(resamples: usize) -> AgreementOptions {
    AgreementOptions { bootstrap: Some(bootstrap(resamples)), clamp: None }
}

/// Queries of ten documents. On each the judge is right as often as the query is easy, else gives any of four grades.
fn judged(rng: &mut ChaCha8Rng, queries: usize) -> (Qrels, Qrels) {
    let mut uniform = || f64::from(rng.next_u32()) / 2f64.powi(32);
    let (mut truth, mut other) = (Qrels::default(), Qrels::default());
    for query in 0..queries {
        let easy = uniform();
        for document in 0..10 {
            let grade = (uniform() * 4.0) as Grade;
            let said = if uniform() < easy { grade } else { (uniform() * 4.0) as Grade };
            truth.insert(&query.to_string(), &document.to_string(), grade);
            other.insert(&query.to_string(), &document.to_string(), said);
        }
    }
    (truth, other)
}

/// The judge's chance-corrected agreement is the mean easiness, a half; the share of equal grades is 0.5 + 0.5 / 4.
/// Documents of a query share its easiness, so intervals over documents would be too narrow.
#[test]
fn about_95_of_100_intervals_hold_the_truth() {
    for queries in [6, 40] {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let (mut kappa, mut exact, mut alpha) = (0, 0, 0);
        for _ in 0..300 {
            let (truth, other) = judged(&mut rng, queries);
            let ci = label_agreement(&truth, &other, &options(400)).unwrap().ci.unwrap().labels;
            let holds =
                |ends: Option<[f64; 2]>, value| ends.is_some_and(|[low, high]| low <= value && value <= high);
            kappa += u32::from(holds(ci.kappa.plain, 0.5));
            exact += u32::from(holds(ci.exact, 0.625));
            alpha += u32::from(holds(ci.alpha.nominal, 0.5));
        }
        // 285 of 300 are 95%; three standard errors are 11.
        for covered in [kappa, exact, alpha] {
            assert!((270..=297).contains(&covered), "{queries} queries: {covered} of 300");
        }
    }
}

#[test]
fn the_seed_alone_decides() {
    let (truth, other) = judged(&mut ChaCha8Rng::seed_from_u64(1), 30);
    let first = label_agreement(&truth, &other, &options(500)).unwrap();
    assert_eq!(first, label_agreement(&truth, &other, &options(500)).unwrap());
    let another = BootstrapOptions { seed: Seed(6), ..bootstrap(500) };
    let other_seed =
        label_agreement(&truth, &other, &AgreementOptions { bootstrap: Some(another), clamp: None }).unwrap();
    assert_eq!(first.figures, other_seed.figures);
    assert_ne!(first.ci, other_seed.ci);
    // The same on one core.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(first, pool.install(|| label_agreement(&truth, &other, &options(500)).unwrap()));
}

#[test]
fn one_query_says_nothing_about_its_like() {
    let (truth, other) = judged(&mut ChaCha8Rng::seed_from_u64(2), 1);
    let agreement = label_agreement(&truth, &other, &options(100)).unwrap();
    assert!(agreement.figures.exact.is_some());
    assert_eq!(agreement.ci.unwrap().labels.exact, None);
}

/// Five queries lie on one side of the truth in one case of sixteen.
#[test]
fn nor_do_five_queries_say_so_much() {
    for (queries, has) in [(5, false), (6, true)] {
        let (truth, other) = judged(&mut ChaCha8Rng::seed_from_u64(2), queries);
        let agreement = label_agreement(&truth, &other, &options(100)).unwrap();
        assert_eq!(agreement.ci.unwrap().labels.exact.is_some(), has, "{queries}");
    }
}

#[test]
fn ends_enclose_the_figures_and_the_same_labels_have_no_doubt() {
    let (truth, other) = judged(&mut ChaCha8Rng::seed_from_u64(3), 60);
    let agreement = label_agreement(&truth, &other, &options(1000)).unwrap();
    let LabelFigures { exact, bias, kappa_at, f1_at, .. } = agreement.figures;
    let ci = agreement.ci.unwrap().labels;
    let enclosed = |figure: Option<f64>, ends: Option<[f64; 2]>| {
        let (figure, [low, high]) = (figure.unwrap(), ends.unwrap());
        assert!(low < figure && figure < high, "{low} {figure} {high}");
    };
    enclosed(exact, ci.exact);
    enclosed(bias, ci.bias);
    for cut in [1, 2, 3] {
        enclosed(kappa_at[&cut], ci.kappa_at[&cut]);
        enclosed(f1_at[&cut], ci.f1_at[&cut]);
    }
    let same = label_agreement(&truth, &truth, &options(100)).unwrap().ci.unwrap().labels;
    assert_eq!((same.exact, same.alpha.ordinal, same.bias), (Some([1.0; 2]), Some([1.0; 2]), Some([0.0; 2])));
}

/// Eight queries of which one alone has anything relevant: in about a third of the resamples it is not drawn, and
/// recall is undefined.
#[test]
fn what_many_resamples_leave_undefined_has_no_interval() {
    let (mut truth, mut other) = (Qrels::default(), Qrels::default());
    for query in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        for document in ["1", "2", "3"] {
            let relevant = query == "a" && document != "3";
            truth.insert(query, document, Grade::from(relevant));
            other.insert(query, document, Grade::from(relevant && document == "1"));
        }
    }
    let agreement = label_agreement(&truth, &other, &options(500)).unwrap();
    assert_eq!(agreement.figures.recall_at[&1], Some(0.5));
    let ci = agreement.ci.unwrap().labels;
    assert_eq!((ci.recall_at[&1], ci.kappa.plain), (None, None));
    assert!(ci.exact.is_some());
}

/// 40 documents by five raters, each its own cluster: percentiles of a bootstrap that draws documents and computes
/// alpha anew, with other draws, lie where the interval does.
#[test]
fn alphas_interval_is_that_of_drawing_units() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut below = |n: u32| ((u64::from(rng.next_u32()) * u64::from(n)) >> 32) as usize;
    let units: Vec<Vec<Grade>> = (0..200)
        .map(|_| {
            let grade = below(4) as Grade;
            (0..2 + below(4)).map(|_| if below(3) == 0 { below(4) as Grade } else { grade }).collect()
        })
        .collect();
    let ratings = PanelRatings::new(units.iter().map(|unit| [unit.clone()])).unwrap();
    let ci = panel_agreement(&ratings, Some(&bootstrap(4000))).unwrap().ci.unwrap();
    let mut alphas: Vec<f64> = (0..2000)
        .map(|_| {
            let drawn: Vec<Vec<Grade>> = (0..200).map(|_| units[below(200)].clone()).collect();
            krippendorff_alpha(&PanelRatings::new([drawn]).unwrap(), Level::Ordinal).unwrap()
        })
        .collect();
    alphas.sort_by(f64::total_cmp);
    let [low, high] = ci.alpha.ordinal.unwrap();
    assert!(
        (low - alphas[50]).abs() < 0.012 && (high - alphas[1949]).abs() < 0.012,
        "{low} {high} {} {}",
        alphas[50],
        alphas[1949]
    );
}

#[test]
fn options_that_cannot_be_are_errors() {
    let (truth, other) = judged(&mut ChaCha8Rng::seed_from_u64(1), 3);
    let few = label_agreement(&truth, &other, &options(10));
    assert!(matches!(few, Err(AgreementError::Bootstrap(StatsError::Resamples { .. }))));
}
