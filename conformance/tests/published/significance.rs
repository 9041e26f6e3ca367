//! `llull compare` on TREC Deep Learning 2019, compared with scipy.

use llull::core::Seed;
use llull::files::{read_labels, read_systems};
use llull::metrics::{Measure, evaluate_all};
use llull::report::{ComparisonFinding, SignificanceOptions, SignificanceTable, significance};
use llull::stats::{BootstrapOptions, PairTest};
use llull_conformance::data;

fn table(test: PairTest) -> SignificanceTable {
    let measures: Vec<Measure> = vec!["nDCG@10".parse().unwrap()];
    let qrels = read_labels(&data("dl19/human.qrels")).unwrap().value;
    let runs = ["bm25base_p", "p_bert", "idst_bert_p1"].map(|run| data(&format!("dl19/runs/{run}.run.gz")));
    let runs = read_systems(&runs, &measures, Default::default(), []).unwrap().value;
    let scores = evaluate_all(&measures, &qrels, &runs);
    let options = SignificanceOptions::new(BootstrapOptions::new(Seed(42)));
    significance(&scores, 0, "bm25base_p", &SignificanceOptions { test, ..options }).unwrap()
}

/// Checks p to ten significant digits.
#[track_caller]
fn equals(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}");
}

/// scipy 1.17.1, `ttest_rel` on nDCG@10 by query, computed in Python from the same files; corrected by statsmodels
/// 0.15.0, `multipletests(method='holm')`.
#[test]
fn the_t_test_is_scipys() {
    let table = table(PairTest::T);
    assert_eq!((table.n, table.tests.pairs, table.tests.tested), (43, 3, 3));
    let means: Vec<f64> = table.systems.iter().map(|row| row.figure.mean.unwrap()).collect();
    for (mean, expected) in
        means.into_iter().zip([0.5058310024399073, 0.7379749834937342, 0.7644751776018358])
    {
        equals(Some(mean), expected);
    }
    let expected = [3.399637292798841e-8, 9.558926755856586e-9, 0.0865759044524879];
    let holm = [6.799274585597681e-8, 2.867678026756976e-8, 0.0865759044524879];
    for ((pair, p), adjusted) in table.pairs.iter().zip(expected).zip(holm) {
        equals(pair.p, p);
        equals(pair.p_adjusted, adjusted);
    }
    let [p_bert, idst] = &table.comparisons[..] else { panic!("{table:?}") };
    equals(p_bert.test.statistic, 6.742348034706802);
    equals(idst.test.statistic, 7.127458536867577);
    equals(p_bert.effect.dz.value, 1.028198435977634);
    let letters: Vec<&str> = table.systems.iter().map(|row| row.letters.as_str()).collect();
    assert_eq!(letters, ["", "a", "a"]);
    assert!([p_bert, idst].iter().all(|tested| tested.comparison.decision == ComparisonFinding::Better));
}

/// scipy 1.17.1, `wilcoxon(method='exact')` on the same differences, rounded to twelve digits, without those of 0 (one,
/// none and six). There are no ties. scipy's statistic is the smaller sum of ranks: 51 of 903, 40 of 946, 246 of 703.
#[test]
fn the_wilcoxon_test_is_scipys() {
    let table = table(PairTest::Wilcoxon);
    let expected = [1.6186277207452804e-8, 1.9774688553297892e-9, 0.11392522342794109];
    for (pair, p) in table.pairs.iter().zip(expected) {
        equals(pair.p, p);
    }
    equals(table.comparisons[0].test.statistic, 903.0 - 51.0);
    equals(table.comparisons[1].test.statistic, 946.0 - 40.0);
    assert_eq!((table.pairs[2].wins, table.pairs[2].ties, table.pairs[2].losses), (22, 6, 15));
}
