//! TREC Deep Learning 2019, passages: 37 runs, human labels, and labels of language models.

use std::collections::BTreeMap;

use llull::metrics::{Measure, Scores, evaluate_all};
use llull::plain::{read_labels, read_systems};
use llull::stats::kendall_tau_b;
use llull_conformance::{data, dl19_runs};

fn measured(labels: &str, measure: &str) -> Vec<Scores> {
    let measures: Vec<Measure> = vec![measure.parse().unwrap()];
    let qrels = read_labels(&data(labels)).unwrap().value;
    let runs = read_systems(&dl19_runs(), &measures).unwrap().value;
    assert_eq!(runs.len(), 37);
    evaluate_all(&measures, &qrels, &runs)
}

/// `reference/ndcg_cut_10.csv` holds NDCG@10 of every run and topic to four decimals.
#[test]
fn ndcg_at_10_of_every_run_and_topic() {
    let csv = std::io::read_to_string(std::fs::File::options().read(true).open(data("dl19/reference/ndcg_cut_10.csv")).unwrap()).unwrap();
    let mut expected: BTreeMap<(String, String), f64> = BTreeMap::new();
    for line in csv.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        expected.insert((columns[0].into(), columns[1].into()), columns[2].parse().unwrap());
    }
    let mut compared = 0;
    for scores in measured("dl19/human.qrels", "nDCG@10") {
        for topic in &scores.topics {
            let key = (scores.run.clone(), topic.topic.clone());
            let Some(expected) = expected.get(&key) else { panic!("{key:?} is not in the reference") };
            let value = topic.cells[0].value;
            assert!((value - expected).abs() <= 0.00005 + 1e-9, "{key:?}: {value} instead of {expected}");
            compared += 1;
        }
    }
    assert_eq!(compared, expected.len());
}

fn tau_under(labels: &str) -> f64 {
    let means = |scores: Vec<Scores>| scores.iter().map(|scores| scores.mean(0).unwrap()).collect::<Vec<_>>();
    let human = means(measured("dl19/human.qrels", "nDCG@10"));
    let other = means(measured(labels, "nDCG@10"));
    kendall_tau_b(&human, &other).unwrap()
}

/// Issue 1: tau-b between the rankings of the 37 systems under UMBRELA's labels by GPT-4o, whole file, and under human labels.
#[test]
fn umbrela_orders_the_systems_as_people_do() {
    let tau = tau_under("dl19/labels/umbrela.gpt-4o.qrels.gz");
    assert!((tau - 0.916).abs() < 0.0005, "{tau}");
}
