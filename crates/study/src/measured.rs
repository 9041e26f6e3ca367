//! Measures systems under a study's labels.

use llull_core::{LabelSet, Run};
use llull_metrics::{Measure, Scores, evaluate_all};

/// Measures runs under labels. Compat reads an order, and follows human preferences better by the tiers than by ratings
/// (TREC DL 2021: tau .91 and .83), so it takes the tiers behind the labels.
pub(crate) fn measured(measures: &[Measure], labels: &LabelSet, runs: &[Run]) -> Vec<Scores> {
    let mut scores = evaluate_all(measures, labels.qrels(), runs);
    let by_tiers = measures.iter().position(|measure| measure.family() == "Compat");
    if by_tiers.is_none() || std::ptr::eq(labels.tiers(), labels.qrels()) {
        return scores;
    }
    for (scores, tiers) in scores.iter_mut().zip(evaluate_all(measures, labels.tiers(), runs)) {
        for topic in &mut scores.topics {
            let Some(by_tiers) = tiers.topics.iter().find(|other| other.topic == topic.topic) else {
                continue;
            };
            for ((measure, cell), of_tiers) in measures.iter().zip(&mut topic.cells).zip(&by_tiers.cells) {
                if measure.family() == "Compat" {
                    *cell = *of_tiers;
                }
            }
        }
    }
    scores
}
