//! How often human labels confirmed verdicts of the 13 label sets of TREC Deep Learning 2019.
//!
//! It reproduces that collection's part of the track records that reports show.

use std::collections::BTreeMap;
use std::path::Path;

use llull::core::Qrels;
use llull::files::read_systems;
use llull::metrics::{Measure, Scores, evaluate_all};
use llull::report::TrackRecord;
use llull::stats::VerdictMargin;
use llull_conformance::audited::{files, qrels};
use llull_conformance::{data, dl19_runs};

/// Grades that are fractions, in millionths: nDCG with linear gains is the same in any unit.
const UNIT: f64 = 1e6;

/// Labels with the grades from `relevant` on as 2, or in millionths without one. Of a repeated pair the first counts.
fn labels(path: &Path, relevant: Option<f64>) -> Qrels {
    let (mut labels, mut seen) = (Qrels::default(), BTreeMap::new());
    for (query, document, grade) in qrels(path.to_owned()) {
        if seen.insert((query.clone(), document.clone()), ()).is_none() {
            let grade = match relevant {
                Some(least) => 2 * i32::from(grade >= least),
                None => (grade * UNIT).round() as i32,
            };
            labels.insert(&query, &document, grade);
        }
    }
    labels
}

/// The lowest relevant grade of a label set; `None` if it decides by nDCG only.
fn relevant(name: &str) -> Option<f64> {
    match name.split('.').next() {
        Some("binary") => Some(1.0),
        Some("umbrela") => Some(2.0),
        Some("exam_graded_max") => Some(4.0),
        _ => None,
    }
}

/// The verdicts of all label sets on a measure, by the record's part: all, confirmed, of the same direction, opposite.
fn verdicts(measure: &str) -> BTreeMap<usize, [usize; 4]> {
    let parsed: Vec<Measure> = vec![measure.parse().unwrap()];
    let binary = measure != "nDCG@10";
    let runs = read_systems(&dl19_runs(), &parsed, Default::default(), []).unwrap().value;
    let human = labels(&data("dl19/human.qrels"), binary.then_some(2.0));
    let queries: Vec<String> = human.iter().map(|(topic, _)| topic.to_owned()).collect();
    let differences = |labels: &Qrels| -> Vec<Vec<f64>> {
        let scores: Vec<Scores> = evaluate_all(&parsed, labels, &runs);
        let values = |scores: &Scores| -> Vec<f64> {
            let by_query: BTreeMap<&str, f64> =
                scores.topics.iter().map(|topic| (topic.topic.as_str(), topic.cells[0].value)).collect();
            queries.iter().map(|query| by_query.get(query.as_str()).copied().unwrap_or(0.0)).collect()
        };
        let values: Vec<Vec<f64>> = scores.iter().map(values).collect();
        let pairs = (0..values.len()).flat_map(|a| (a + 1..values.len()).map(move |b| (a, b)));
        pairs
            .map(|(a, b)| values[a].iter().zip(&values[b]).map(|(one, other)| one - other).collect())
            .collect()
    };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let by_humans: Vec<(f64, bool)> = differences(&human)
        .iter()
        .map(|values| (mean(values), VerdictMargin::of(values).is_some_and(|found| found.x > 0.0)))
        .collect();
    let mut counts: BTreeMap<usize, [usize; 4]> = BTreeMap::new();
    for path in files("dl19/labels") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let least = relevant(&name);
        if binary && least.is_none() {
            continue;
        }
        let judged = labels(&path, least.filter(|_| binary));
        for (values, (human, decided)) in differences(&judged).iter().zip(&by_humans) {
            let Some(record) = TrackRecord::of(&parsed[0], values, None) else { continue };
            let same = mean(values) * human > 0.0;
            // The part is named by what the product says of this collection.
            let found = counts.entry(record.collections[0].verdicts).or_default();
            let add = [true, *decided && same, same, *decided && !same && *human != 0.0];
            found.iter_mut().zip(add).for_each(|(sum, one)| *sum += usize::from(one));
        }
    }
    counts
}

/// Every part of the product's table for DL 2019 has as many verdicts as there are, of which as many were confirmed.
fn is_reproduced(measure: &str, expected: &[[usize; 4]]) {
    let found = verdicts(measure);
    let expected: BTreeMap<usize, [usize; 4]> = expected.iter().map(|counts| (counts[0], *counts)).collect();
    assert_eq!(found, expected, "{measure}");
}

/// The table of `ndcg-from-pairs.md`, section 3: 429, 427, 821, 763, 669 and 1,044 verdicts, of which .70, .77, .89,
/// .96, .99 and 1.00 were confirmed, and one was opposite.
#[test]
fn verdicts_by_ndcg() {
    is_reproduced(
        "nDCG@10",
        &[
            [429, 298, 427, 0],
            [427, 328, 426, 0],
            [821, 734, 819, 1],
            [763, 731, 763, 0],
            [669, 663, 669, 0],
            [1_044, 1_044, 1_044, 0],
            [1_484, 1_484, 1_484, 0],
        ],
    );
}

/// numpy, by `experiments/ndcg_from_pairs/track.py`.
#[test]
fn verdicts_by_other_measures() {
    let precision = [
        [232, 169, 221, 1],
        [203, 144, 202, 0],
        [361, 321, 360, 0],
        [367, 343, 367, 0],
        [371, 351, 371, 0],
        [527, 516, 527, 0],
        [675, 674, 675, 0],
    ];
    is_reproduced("P(rel=2)@10", &precision);
    let reciprocal_rank = [
        [299, 127, 291, 0],
        [317, 218, 313, 0],
        [353, 295, 353, 0],
        [201, 182, 201, 0],
        [138, 135, 138, 0],
        [106, 103, 106, 0],
        [270, 270, 270, 0],
    ];
    is_reproduced("RR(rel=2)@10", &reciprocal_rank);
    let average_precision = [
        [183, 105, 159, 6],
        [188, 116, 174, 2],
        [341, 243, 321, 2],
        [281, 226, 275, 2],
        [276, 236, 271, 1],
        [448, 382, 445, 0],
        [1_447, 1_376, 1_446, 0],
    ];
    is_reproduced("AP(rel=2)", &average_precision);
}
