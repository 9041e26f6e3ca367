//! Rankings and labels drawn as grades, and what measures make of them.

use llull_core::{Grade, Qrels, Ranking, Run};
use llull_metrics::{Measure, evaluate};
use proptest::prelude::*;

pub(crate) fn measures(names: &[&str]) -> Vec<Measure> {
    names.iter().map(|name| name.parse().expect(name)).collect()
}

/// A ranking given as the grade of each place, and the grades of labelled documents that are not retrieved.
pub(crate) fn topic(grades: &[Option<Grade>], elsewhere: &[Grade]) -> (Qrels, Run) {
    let mut qrels = Qrels::default();
    qrels.touch("t");
    let ids: Vec<String> = (0..grades.len()).map(|place| format!("d{place}")).collect();
    for (id, grade) in ids.iter().zip(grades) {
        if let Some(grade) = grade {
            qrels.insert("t", id, *grade);
        }
    }
    for (index, grade) in elsewhere.iter().enumerate() {
        qrels.insert("t", &format!("e{index}"), *grade);
    }
    let mut run = Run::new("run");
    run.insert(
        "t",
        Ranking::from_ordered(ids.iter().enumerate().map(|(place, id)| (id.as_str(), -(place as f64)))),
    );
    (qrels, run)
}

pub(crate) fn values(names: &[&str], grades: &[Option<Grade>], elsewhere: &[Grade]) -> Vec<f64> {
    let (qrels, run) = topic(grades, elsewhere);
    let scores = evaluate(&measures(names), &qrels, &run);
    scores.topics[0].cells.iter().map(|cell| cell.value).collect()
}

pub(crate) fn grades() -> impl Strategy<Value = Vec<Option<Grade>>> {
    proptest::collection::vec(proptest::option::weighted(0.8, -1..4i32), 0..25)
}
