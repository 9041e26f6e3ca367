//! Scores that are given instead of measured.

use llull_metrics::{Cell, Measure, Scores, TopicScores};

/// Scores of queries q0, q1, ... by one measure.
pub(crate) fn measured(measure: &str, systems: &[(&str, &[f64])]) -> Vec<Scores> {
    let measures: Vec<Measure> = vec![measure.parse().unwrap()];
    let topic = |(place, value): (usize, &f64)| TopicScores {
        topic: format!("q{place}"),
        answered: true,
        relevant: 1,
        cells: vec![Cell { value: *value, seen: 10, unjudged: 0, nothing_relevant: false }],
    };
    let of = |(name, values): &(&str, &[f64])| Scores {
        run: (*name).to_owned(),
        measures: measures.clone(),
        topics: values.iter().enumerate().map(topic).collect(),
        unlabelled: Vec::new(),
    };
    systems.iter().map(of).collect()
}
