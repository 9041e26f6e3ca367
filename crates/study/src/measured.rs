//! Measures systems under a study's labels.

use llull_core::{GRADE_PARTS, LabelSet, Qrels, Run};
use llull_metrics::{Measure, Scores, evaluate_all};

/// Measures runs under labels. Compat reads an order, and follows human preferences better by the tiers than by ratings
/// (TREC DL 2021: tau .91 and .83), so it takes the tiers behind the labels. Other measures take the judges' means, if
/// the labels have them.
pub(crate) fn measured(measures: &[Measure], labels: &LabelSet, runs: &[Run]) -> Vec<Scores> {
    let mut scores = evaluate_all(measures, labels.qrels(), runs);
    if !std::ptr::eq(labels.tiers(), labels.qrels()) {
        let by_tiers = |measure: Measure| (measure.family() == "Compat").then_some(measure);
        replace(&mut scores, measures, (labels.tiers(), by_tiers), runs);
    }
    if let Some(means) = labels.means() {
        replace(&mut scores, measures, (means, |measure: Measure| measure.in_parts(GRADE_PARTS)), runs);
    }
    scores
}

/// Takes the figures of some measures under other labels, each by the measure that it becomes there.
fn replace(
    scores: &mut [Scores],
    measures: &[Measure],
    (labels, becomes): (&Qrels, impl Fn(Measure) -> Option<Measure>),
    runs: &[Run],
) {
    let (places, there): (Vec<usize>, Vec<Measure>) =
        measures.iter().enumerate().filter_map(|(at, measure)| Some((at, becomes(*measure)?))).unzip();
    if there.is_empty() {
        return;
    }
    for (scores, others) in scores.iter_mut().zip(evaluate_all(&there, labels, runs)) {
        for topic in &mut scores.topics {
            let Some(other) = others.topics.iter().find(|other| other.topic == topic.topic) else { continue };
            for (place, cell) in places.iter().zip(&other.cells) {
                if let Some(own) = topic.cells.get_mut(*place) {
                    *own = *cell;
                }
            }
        }
    }
}
