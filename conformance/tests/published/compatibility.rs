//! Compatibility on TREC Deep Learning 2019.
//!
//! It checks every figure of 37 runs under human labels and four kinds of labels by GPT-4o, and the published
//! correlation of the systems' order.

use std::collections::BTreeMap;
use std::io::Read as _;

use llull::files::{read_labels, read_systems};
use llull::metrics::{Measure, Scores, evaluate_all};
use llull::stats::kendall_tau_b;
use llull_conformance::{data, dl19_runs, read_to_string};

fn measured(labels: &str, measure: &str) -> Vec<Scores> {
    let measures: Vec<Measure> = vec![measure.parse().unwrap()];
    let qrels = read_labels(&data(labels)).unwrap().value;
    let runs = read_systems(&dl19_runs(), &measures, Default::default(), []).unwrap().value;
    assert_eq!(runs.len(), 37);
    evaluate_all(&measures, &qrels, &runs)
}

/// Reads `runid,topic,compatibility` as compatibility.py prints it with `-p 0.9`. Each run's last line is its mean.
fn published(name: &str) -> BTreeMap<(String, String), f64> {
    let path = data(&format!("dl19/reference/compatibility.{name}.csv.gz"));
    let mut text = String::new();
    llull::data::open(&path).unwrap().read_to_string(&mut text).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with("runid,"));
    rows.map(|line| {
        let columns: Vec<&str> = line.split(',').collect();
        ((columns[0].to_owned(), columns[1].to_owned()), columns[2].parse().unwrap())
    })
    .collect()
}

/// Figures are compared to the last bit, and means, which were summed in another order, to 1e-14.
fn reproduces(name: &str, labels: &str) {
    let mut expected = published(name);
    for scores in measured(labels, "Compat(p=0.9)") {
        for topic in &scores.topics {
            let key = (scores.run.clone(), topic.topic.clone());
            let Some(figure) = expected.remove(&key) else { panic!("{key:?} is not in the reference") };
            assert_eq!(topic.cells[0].value, figure, "{key:?}");
        }
        let figure = expected.remove(&(scores.run.clone(), "average".to_owned())).unwrap();
        assert!((scores.mean(0).unwrap() - figure).abs() < 1e-14, "{}: {figure}", scores.run);
    }
    assert!(expected.is_empty(), "not compared: {:?}", expected.keys().next());
}

#[test]
fn under_human_labels() {
    reproduces("original", "dl19/human.qrels");
}

#[test]
fn under_preferences() {
    reproduces("preferences", "dl19/labels/preferences.gpt-4o.qrels.gz");
}

#[test]
fn under_binary_labels() {
    reproduces("binary", "dl19/labels/binary.gpt-4o.qrels.gz");
}

#[test]
fn under_umbrela() {
    reproduces("umbrela_zeroshot", "dl19/labels/umbrela.gpt-4o.qrels.gz");
}

#[test]
fn under_graded_nuggets() {
    reproduces("exam_graded_max", "dl19/labels/exam_graded_max.gpt-4o.qrels.gz");
}

/// Rounds a figure as trec_eval prints it.
fn printed(value: f64) -> f64 {
    format!("{value:.4}").parse().unwrap()
}

/// `published_taus.csv`: Kendall's tau-b, to three decimals, between the systems' order by NDCG@10 under human labels
/// and by compatibility under labels of language models. NDCG@10 was taken as trec_eval prints it, to four decimals,
/// which ties systems; unrounded, tau is lower by one pair or two: .907 instead of .911 for preferences.
#[test]
fn the_published_order_of_the_systems() {
    let human = measured("dl19/human.qrels", "nDCG@10");
    let csv = read_to_string("dl19/reference/published_taus.csv");
    let mut compared = 0;
    for (name, labels) in [
        ("original", "dl19/human.qrels"),
        ("preferences", "dl19/labels/preferences.gpt-4o.qrels.gz"),
        ("binary", "dl19/labels/binary.gpt-4o.qrels.gz"),
        ("umbrela zeroshot", "dl19/labels/umbrela.gpt-4o.qrels.gz"),
        ("exam graded max", "dl19/labels/exam_graded_max.gpt-4o.qrels.gz"),
    ] {
        let line = csv.lines().find_map(|line| line.strip_prefix(&format!("DL19,{name},")));
        let expected: f64 = line.unwrap().parse().unwrap();
        let pairs: Vec<(f64, f64)> = human
            .iter()
            .zip(measured(labels, "Compat(p=0.9)"))
            .map(|(human, model)| {
                assert_eq!(human.run, model.run);
                (printed(human.mean(0).unwrap()), model.mean(0).unwrap())
            })
            .collect();
        let tau = kendall_tau_b(&pairs).unwrap();
        assert!((tau - expected).abs() <= 0.0005, "{name}: {tau} instead of {expected}");
        compared += 1;
    }
    assert_eq!(compared, 5);
}
