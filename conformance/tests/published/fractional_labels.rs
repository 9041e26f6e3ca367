//! Fractional labels of language models on TREC Deep Learning 2019.
//!
//! It checks the published correlation of the systems' order.

use llull::files::{LabelsFile, WithNotes, measure_systems, read_labels_for};
use llull::metrics::Measure;
use llull::stats::kendall_tau_b;
use llull_conformance::{data, dl19_runs, read_to_string};

/// Returns the mean of every run, in the order of their names.
fn means(labels: &str, measure: &str) -> Vec<f64> {
    let measures: Vec<Measure> = vec![measure.parse().unwrap()];
    let qrels = read_labels_for(&data(labels), &measures, Default::default()).unwrap().value;
    let path = data(labels);
    let labels = LabelsFile { path: &path, qrels: &qrels };
    let WithNotes { value: scores, notes } =
        measure_systems(&labels, &dl19_runs(), &measures, None, Default::default()).unwrap();
    // Some of the runs have scores that tie as 32-bit numbers, which one note reports.
    assert!(scores.len() == 37 && notes.len() == 1 && notes[0].contains("--order score32"), "{notes:?}");
    scores.iter().map(|scores| scores.mean(0).unwrap()).collect()
}

/// Rounds a figure as trec_eval prints it.
fn printed(value: f64) -> f64 {
    format!("{value:.4}").parse().unwrap()
}

/// Every line of `published_taus.csv` whose labels are in the data: Kendall's tau-b, to three decimals, between the
/// order of the systems by NDCG@10 under human labels, as trec_eval prints it, and by compatibility (p = 0.9) under
/// the labels of a language model.
#[test]
fn the_published_order_of_the_systems_under_every_label_set() {
    let human: Vec<f64> = means("dl19/human.qrels", "nDCG@10").into_iter().map(printed).collect();
    let (mut compared, mut absent, mut wrong) = (0, Vec::new(), Vec::new());
    for line in read_to_string("dl19/reference/published_taus.csv").lines() {
        let [_, name, expected] = line.split(',').collect::<Vec<_>>()[..] else { continue };
        let labels = match name {
            "original" => "dl19/human.qrels".to_owned(),
            // Their labels are not published with the others.
            strict if strict.ends_with("strict") => {
                absent.push(strict.to_owned());
                continue;
            }
            "umbrela zeroshot" => "dl19/labels/umbrela.gpt-4o.qrels.gz".to_owned(),
            name => format!("dl19/labels/{}.gpt-4o.qrels.gz", name.replace(' ', "_")),
        };
        let pairs: Vec<(f64, f64)> = human.iter().copied().zip(means(&labels, "Compat(p=0.9)")).collect();
        let tau = kendall_tau_b(&pairs).unwrap();
        if (tau - expected.parse::<f64>().unwrap()).abs() > 0.0005 {
            wrong.push(format!("{name}: {tau} instead of {expected}"));
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(absent, ["nuggets all strict", "nuggets vital strict", "nuggets weighted strict"]);
    assert_eq!(compared, 10);
}

/// A measure that computes with grades returns an error instead of guessing the gain of a fractional grade.
#[test]
fn fractions_are_refused_where_grades_are_computed_with() {
    let measures: Vec<Measure> = ["Compat(p=0.9)", "nDCG@10"].map(|name| name.parse().unwrap()).into();
    let labels = data("dl19/labels/nuggets_all.gpt-4o.qrels.gz");
    let error = read_labels_for(&labels, &measures, Default::default()).unwrap_err().to_string();
    assert!(error.contains("column 4 (grade): found \"0.1\"") && error.contains("nDCG@10 needs"), "{error}");
    let notes = read_labels_for(&labels, &measures[..1], Default::default()).unwrap().notes;
    assert!(notes.len() == 1 && notes[0].contains("levels above 0"), "{notes:?}");
}
