//! Measures systems under a study's labels.

use llull_core::{LabelSet, Run};
use llull_metrics::{Measure, Scores, evaluate_all};

/// Measures runs under labels. Compat reads an order, and follows human preferences better by the tiers than by ratings
/// (TREC DL 2021: tau .91 and .83), so it takes the tiers behind the labels.
pub(crate) fn measured(measures: &[Measure], labels: &LabelSet, runs: &[Run]) -> Vec<Scores> {
    let mut scores = evaluate_all(measures, labels.qrels(), runs);
    let of_order =
        |(at, measure): (usize, &Measure)| (measure.family() == "Compat").then_some((at, *measure));
    let (places, there): (Vec<usize>, Vec<Measure>) =
        measures.iter().enumerate().filter_map(of_order).unzip();
    if std::ptr::eq(labels.tiers(), labels.qrels()) || there.is_empty() {
        return scores;
    }
    for (scores, others) in scores.iter_mut().zip(evaluate_all(&there, labels.tiers(), runs)) {
        for topic in &mut scores.topics {
            let Some(other) = others.topics.iter().find(|other| other.topic == topic.topic) else { continue };
            for (place, cell) in places.iter().zip(&other.cells) {
                if let Some(own) = topic.cells.get_mut(*place) {
                    *own = *cell;
                }
            }
        }
    }
    scores
}
