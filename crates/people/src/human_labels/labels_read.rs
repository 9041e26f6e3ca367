//! The pairs that a measure reads, and their human labels.

use indexmap::IndexMap;
use llull_core::{Grade, Qrels, Run};
use llull_metrics::{LinearForm, Measure};

/// The weight of each document that a linear measure reads, by query: the position of the query and its documents.
/// `signs` has each system with 1, or with -1 for the baseline of a difference.
pub(super) fn weights<'a>(
    form: &LinearForm,
    queries: &[&'a str],
    systems: &[(&'a Run, f64)],
) -> IndexMap<(usize, &'a str), f64> {
    let mut weights = IndexMap::new();
    let share = 1.0 / queries.len().max(1) as f64;
    for (place, query) in queries.iter().enumerate() {
        for (run, sign) in systems {
            let Some(ranking) = run.ranking(query) else { continue };
            for hit in ranking.iter() {
                let weight = form.weight(hit.rank, ranking.len());
                if weight != 0.0 {
                    *weights.entry((place, hit.document)).or_insert(0.0) += sign * weight * share;
                }
            }
        }
    }
    // Two systems that return a document at the same rank do not differ in it, whatever the rounding.
    weights.retain(|_, weight: &mut f64| weight.abs() > 1e-15);
    weights
}

/// The human grade of a pair: `Some(None)` for a negative grade, which means that the annotator has none.
pub(super) fn human_grade(human: &Qrels, topic: &str, document: &str) -> Option<Option<Grade>> {
    human.grade(topic, document).map(|grade| (grade >= 0).then_some(grade))
}

/// The documents whose labels the figure of a query depends on.
///
/// They are the results of the systems down to the measure's depth. If the measure divides by all relevant documents,
/// the judge's labelled documents are among them.
pub(super) fn documents_read<'a>(
    measure: &Measure,
    judge: &'a Qrels,
    systems: &[(&'a Run, f64)],
    query: &str,
) -> Vec<&'a str> {
    let depth = measure.depth().unwrap_or(usize::MAX);
    let retrieved = systems.iter().filter_map(|(run, _)| run.ranking(query));
    let retrieved = retrieved.flat_map(|ranking| ranking.iter().take(depth).map(|hit| hit.document));
    let pool = judge.topic(query).filter(|_| !measure.reads_retrieved_only());
    let mut documents: Vec<&str> =
        retrieved.chain(pool.into_iter().flat_map(|labels| labels.keys().map(AsRef::as_ref))).collect();
    documents.sort_unstable();
    documents.dedup();
    documents
}
