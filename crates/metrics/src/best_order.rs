//! The headroom of a reranker: a run's own results in the best order.

use std::cmp::Reverse;

use llull_core::{GRADE_PARTS, Grade, Qrels, Ranking, Run};

use crate::aggregation::Aggregation;
use crate::definition::LabelsRead;
use crate::evaluation::Evaluator;
use crate::measure::Measure;
use crate::parameters::Unjudged;

/// Returns the figure that a run would have by each measure if the first `depth` results of each query, or all, stood
/// in the best order, the highest grade first. `None` for a measure that ranks no systems or only counts labels, and
/// without queries.
///
/// Documents without a label are placed as the measure counts them: with grade 0, or in front if they count as the
/// best. Results below `depth` keep their places.
///
/// ```
/// use llull_core::{Qrels, Ranking, Run};
/// use llull_metrics::best_order;
///
/// let mut labels = Qrels::default();
/// labels.insert("q1", "d2", 1);
/// labels.insert("q1", "d9", 1);
/// let mut run = Run::new("run");
/// run.insert("q1", Ranking::from_ordered([("d1", 3.0), ("d3", 2.0), ("d2", 1.0)]));
/// let measures = ["RR".parse()?, "R@3".parse()?];
/// assert_eq!(best_order(&measures, &labels, &run, None), [Some(1.0), Some(0.5)]);
/// assert_eq!(best_order(&measures, &labels, &run, Some(2)), [Some(1.0 / 3.0), Some(0.5)]);
/// # Ok::<(), llull_metrics::MeasureError>(())
/// ```
pub fn best_order(measures: &[Measure], labels: &Qrels, run: &Run, depth: Option<usize>) -> Vec<Option<f64>> {
    let mut figures = vec![None; measures.len()];
    let means = labels.in_parts();
    let orders = [Some((labels, false)), means.as_ref().map(|means| (means, true))];
    let rules = [Unjudged::NotRelevant, Unjudged::Excluded, Unjudged::Best];
    for ((order, by_means), rule) in
        orders.into_iter().flatten().flat_map(|order| rules.map(|rule| (order, rule)))
    {
        let is_of = |(_, measure): &(usize, &Measure)| {
            // Labels that are counted whatever they are have no order.
            let reads_grades = !matches!(
                measure.labels_read(),
                LabelsRead::Presence | LabelsRead::Judged | LabelsRead::Nothing
            );
            let reads_means = means.is_some() && measure.in_parts(GRADE_PARTS).is_some();
            measure.unjudged() == rule && measure.ranks_systems() && reads_grades && reads_means == by_means
        };
        let (places, measures): (Vec<usize>, Vec<Measure>) =
            measures.iter().enumerate().filter(is_of).map(|(place, measure)| (place, *measure)).unzip();
        if places.is_empty() {
            continue;
        }
        let scores = Evaluator::new(&measures, labels).evaluate(&reordered(run, order, depth, rule));
        for (at, place) in places.into_iter().enumerate() {
            let is_figure = measures.get(at).is_some_and(|measure| measure.aggregation() != Aggregation::Sum);
            if let Some(figure) = figures.get_mut(place).filter(|_| is_figure) {
                *figure = scores.mean(at);
            }
        }
    }
    figures
}

fn reordered(run: &Run, labels: &Qrels, depth: Option<usize>, rule: Unjudged) -> Run {
    let unjudged: Grade = if rule == Unjudged::Best { Grade::MAX } else { 0 };
    let mut best = Run::new(run.name.as_str());
    for (query, ranking) in run.iter() {
        let mut documents: Vec<&str> = ranking.iter().map(|hit| hit.document).collect();
        let top = documents.len().min(depth.unwrap_or(usize::MAX));
        // A negative label means that the document is in the pool but was not judged.
        let grade =
            |document: &&str| labels.grade(query, document).filter(|grade| *grade >= 0).unwrap_or(unjudged);
        documents[..top].sort_by_key(|document| Reverse(grade(document)));
        let scored = documents.iter().enumerate().map(|(place, document)| (*document, -(place as f64)));
        best.insert(query, Ranking::from_ordered(scored));
    }
    best
}
