//! A judge's labels, runs, and human labels of a random sample.

use indexmap::IndexMap;
use llull_core::{Grade, Qrels, Run};
use llull_metrics::{LinearForm, Measure};

use super::design::{Design, Unit};
use super::options::CorrectionOptions;

/// A judge's labels, runs, and human labels of a random sample.
pub(super) struct LabelledSample<'a> {
    pub(super) judge: &'a Qrels,
    pub(super) runs: &'a [Run],
    pub(super) human: &'a Qrels,
    pub(super) design: Design<'a>,
    pub(super) options: CorrectionOptions,
    /// The judge's queries, in their order.
    pub(super) queries: Vec<&'a str>,
    /// The highest grade of both.
    pub(super) highest: i32,
}

impl<'a> LabelledSample<'a> {
    /// The pair as a unit of the sample's frame; `None` if it could not be drawn.
    pub(super) fn unit(&self, topic: &str, document: &str) -> Option<Unit> {
        match &self.design {
            Design::PairsOfFrame { units, .. } => units.get(&(topic, document)).copied(),
            _ => {
                self.judge.grade(topic, document).map(|_| Unit { probability: 1.0, drawn: None, stratum: 0 })
            }
        }
    }

    /// The human label of a drawn pair: `Some(None)` if it was drawn and has none.
    pub(super) fn drawn_label(
        &self,
        topic: &str,
        document: &str,
        drawn: Option<bool>,
    ) -> Option<Option<i32>> {
        let label = human_grade(self.human, topic, document);
        match drawn {
            Some(false) => None,
            Some(true) => Some(label.flatten()),
            None => label,
        }
    }
}

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
