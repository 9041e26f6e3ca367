//! TREC Deep Learning 2019: 37 runs, human labels, and models' labels.

use std::collections::BTreeMap;

use llull::files::{read_labels, read_systems};
use llull::metrics::{Measure, Scores, evaluate_all};
use llull::stats::kendall_tau_b;
use llull_conformance::{data, dl19_runs, dl19_study, read_to_string};

fn measured(labels: &str) -> Vec<Scores> {
    let measures: Vec<Measure> = vec!["nDCG@10".parse().unwrap()];
    let qrels = read_labels(&data(labels)).unwrap().value;
    let runs = read_systems(&dl19_runs(), &measures, Default::default(), []).unwrap().value;
    assert_eq!(runs.len(), 37);
    evaluate_all(&measures, &qrels, &runs)
}

fn tau(a: &[Scores], b: &[Scores]) -> f64 {
    let pairs: Vec<(f64, f64)> = a
        .iter()
        .map(|a| (a.mean(0).unwrap(), b.iter().find(|b| b.run == a.run).unwrap().mean(0).unwrap()))
        .collect();
    assert_eq!(pairs.len(), 37);
    kendall_tau_b(&pairs).unwrap()
}

/// `reference/ndcg_cut_10.csv` has NDCG@10 of every run and query to four decimals, and each run's mean as query
/// `average`.
#[test]
fn ndcg_at_10_of_every_run_and_topic() {
    let csv = read_to_string("dl19/reference/ndcg_cut_10.csv");
    let mut expected: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for line in csv.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        expected.insert((columns[0], columns[1]), columns[2].parse().unwrap());
    }
    let mut compared = 0;
    let mut check = |run: &str, topic: &str, value: f64| {
        let Some(expected) = expected.get(&(run, topic)) else {
            panic!("{run} {topic} is not in the reference")
        };
        assert!((value - expected).abs() <= 0.00005, "{run} {topic}: {value} instead of {expected}");
        compared += 1;
    };
    for scores in measured("dl19/human.qrels") {
        for topic in &scores.topics {
            check(&scores.run, &topic.topic, topic.cells[0].value);
        }
        check(&scores.run, "average", scores.mean(0).unwrap());
    }
    assert_eq!((compared, expected.len()), (37 * 44, 37 * 44));
}

/// Published: tau-b between the rankings of the 37 systems by NDCG@10 under UMBRELA's labels by GPT-4o (whole file)
/// and under human labels is .916.
#[test]
fn umbrela_orders_the_systems_as_people_do() {
    let tau = tau(&measured("dl19/human.qrels"), &measured("dl19/labels/umbrela.gpt-4o.qrels.gz"));
    assert!((tau - 0.916).abs() < 0.0005, "{tau}");
}

/// The whole pipeline: 37 runs pooled at depth 10, every pair judged by replaying UMBRELA's labels, labels written,
/// read back and used for measuring. Every label must equal that of the file.
#[test]
fn a_study_by_replay_gives_the_labels_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let config = format!(
        "version = 1\ntopics = {:?}\nreference = {:?}\nmeasures = [\"nDCG@10\", \"Judged@10\"]\n[pool]\ndepth = 10\n\
         [[judges]]\nname = \"umbrela\"\nmodel = \"replay\"\nlabels = {:?}\n",
        data("dl19/topics.tsv"),
        data("dl19/human.qrels"),
        data("dl19/labels/umbrela.gpt-4o.qrels.gz")
    );
    let study = dl19_study(folder.path(), config);
    let inputs = study.inputs().unwrap();
    let evidence = study.judge(&inputs).run().unwrap().evidence;
    let report = study.report(&inputs, &evidence).unwrap();
    let files = study.reports().write(&inputs, &report).unwrap();
    let report = report.summary();

    let umbrela = read_labels(&data("dl19/labels/umbrela.gpt-4o.qrels.gz")).unwrap().value;
    let labels = read_labels(&files.labels).unwrap().value;
    assert_eq!(labels.pairs(), report.coverage.labelled);
    for (topic, documents) in labels.iter() {
        for (document, grade) in documents {
            assert_eq!(umbrela.grade(topic, document), Some(*grade), "{topic} {document}");
        }
    }
    // Pairs that are not in the file are counted as missing, and have no grade.
    let absent =
        inputs.pool.iter().filter(|(topic, document)| umbrela.grade(topic, &document.id).is_none()).count();
    assert_eq!((report.coverage.missing, absent), (1, 1), "{:?}", report.coverage.judges);
    let under_pool = study.measure(&inputs, &evidence.labels);

    // Under the whole label file the ranking is the published one. Under the pool's labels the ideal lists are shorter,
    // which hardly changes the ranking.
    let tau_pool = tau(&measured("dl19/human.qrels"), &under_pool);
    assert!((tau_pool - 0.916).abs() < 0.02, "{tau_pool}");
    let reference = report.reference.as_ref().unwrap();
    assert_eq!(reference.agreement.only_there + reference.agreement.both, 9260);
}
