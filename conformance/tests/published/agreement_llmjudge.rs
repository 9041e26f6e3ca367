//! LLMJudge (SIGIR 2024): agreement of 20 label sets with human labels.
//!
//! The label sets are made by language models; the figures are published.

use std::path::PathBuf;

use llull::core::{Qrels, Seed};
use llull::files::read_labels;
use llull::stats::{
    Agreement, AgreementOptions, BootstrapOptions, Clamp, DisagreementWeights, Level, PanelRatings,
    fleiss_kappa, gwet_ac, krippendorff_alpha, label_agreement,
};
use llull_conformance::{data, read_to_string};

fn labels(path: PathBuf) -> Qrels {
    read_labels(&path).unwrap().value
}

fn people() -> Qrels {
    labels(data("llmjudge/llmjudge_test_qrel_idx.txt"))
}

/// One of the sets has two stray 5s on a scale from 0 to 3.
fn options() -> AgreementOptions {
    AgreementOptions { clamp: Some(Clamp::new(0, 3).unwrap()), bootstrap: None }
}

/// Tables 3 and 4 of arXiv 2502.13908, to the four decimals printed there, for the sets that the data has.
#[test]
fn the_published_figures() {
    let people = people();
    let (mut sets, mut clamped) = (0, 0);
    for line in read_to_string("llmjudge/published.tsv").lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, kappa, alpha, _tau, _rho, cuts @ ..] = columns.as_slice() else { panic!("{line}") };
        // Nine of the 29 sets are not public.
        if name.starts_with("llmjudge-") {
            continue;
        }
        let set = labels(data(&format!("llmjudge/submissions/{name}.qrels.gz")));
        let Agreement { n, only_truth, only_other, clamped_other, figures, .. } =
            label_agreement(&people, &set, &options()).unwrap();
        assert_eq!((n, only_truth, only_other), (4423, 0, 0), "{name}");
        let published = |what: &str, printed: &str, figure: Option<f64>| {
            let (printed, figure): (f64, f64) = (printed.parse().unwrap(), figure.unwrap());
            assert!((figure - printed).abs() <= 0.000_051, "{name}, {what}: {figure} instead of {printed}");
        };
        published("kappa", kappa, figures.kappa.plain);
        published("alpha", alpha, figures.alpha.ordinal);
        assert_eq!(cuts.len(), 3);
        for (cut, printed) in [1, 2, 3].into_iter().zip(cuts) {
            published(&format!("kappa from {cut} on"), printed, figures.kappa_at[&cut]);
        }
        sets += 1;
        clamped += clamped_other;
    }
    assert_eq!((sets, clamped), (20, 2));
}

/// People and the 20 sets as one panel. krippendorff 0.9.0 (`alpha`) and irrCAC 0.4.4 (`CAC(...).gwet()` and
/// `.fleiss()`).
#[test]
fn a_panel_of_21() {
    let mut paths: Vec<PathBuf> =
        data("llmjudge/submissions").read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let sets: Vec<Qrels> = std::iter::once(people()).chain(paths.into_iter().map(labels)).collect();
    let ratings = PanelRatings::of_qrels(&sets.iter().collect::<Vec<_>>(), options().clamp).unwrap();
    assert_eq!((ratings.units(), ratings.paired(), ratings.ratings()), (4423, 4423, 92_883));
    for (figure, expected) in [
        (krippendorff_alpha(&ratings, Level::Nominal), 0.2971574667731185),
        (krippendorff_alpha(&ratings, Level::Ordinal), 0.5392785071628474),
        (krippendorff_alpha(&ratings, Level::Interval), 0.522082420826441),
        (fleiss_kappa(&ratings), 0.2971498997253247),
        (gwet_ac(&ratings, DisagreementWeights::None), 0.3879281988289135),
        (gwet_ac(&ratings, DisagreementWeights::Linear), 0.5577247095971691),
        (gwet_ac(&ratings, DisagreementWeights::Quadratic), 0.6865446117920571),
    ] {
        assert!((figure.unwrap() - expected).abs() < 1e-11, "{figure:?} instead of {expected}");
    }
}

/// Intervals over 25 queries contain their figures, and are wider than those over the same number of independent pairs.
#[test]
fn intervals_are_over_queries() {
    let set = labels(data("llmjudge/submissions/h2oloo-zeroshot1.qrels.gz"));
    let options = AgreementOptions { bootstrap: Some(BootstrapOptions::new(Seed(1))), ..options() };
    let agreement = label_agreement(&people(), &set, &options).unwrap();
    assert_eq!(agreement.queries, 25);
    let (share, ci) = (agreement.figures.exact.unwrap(), agreement.ci.unwrap().labels);
    let [low, high] = ci.exact.unwrap();
    let independent = 2.0 * 1.96 * (share * (1.0 - share) / 4423.0).sqrt();
    assert!(low < share && share < high && high - low > 1.5 * independent, "{low} {share} {high}");
    let [low, high] = ci.kappa.plain.unwrap();
    assert!(low < 0.2817 && 0.2817 < high, "{low} {high}");
}
