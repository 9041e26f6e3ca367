//! One measure a file: its definition, range and source.

mod ap;
mod compat;
mod judged;
mod ndcg;
mod precision;
mod recall;
mod rr;
mod success;

pub(crate) use compat::DEPTH as COMPAT_DEPTH;
use llull_core::Grade;

use crate::measure::{Cutoff, Measure, Relevant};

/// One topic as a measure sees it.
pub(crate) struct View<'a> {
    /// The grade of every retrieved document, best rank first; `None` when it has no label.
    pub(crate) retrieved: &'a [Option<Grade>],
    /// The same, but documents with one score in ascending order of their identifiers; empty unless a measure
    /// [wants it](wants_ties_ascending).
    pub(crate) ascending: &'a [Option<Grade>],
    /// All grades above 0 that the labels of the topic hold, highest first.
    pub(crate) ideal: &'a [Grade],
}

impl View<'_> {
    /// The retrieved documents down to the cutoff.
    pub(crate) fn top(&self, cutoff: Option<Cutoff>) -> &[Option<Grade>] {
        self.first(cutoff.map_or(usize::MAX, |cutoff| cutoff.rank() as usize))
    }

    /// The first `depth` retrieved documents, or all of them.
    pub(crate) fn first(&self, depth: usize) -> &[Option<Grade>] {
        &self.retrieved[..self.retrieved.len().min(depth)]
    }

    /// How many relevant documents the labels know.
    pub(crate) fn relevant(&self, rel: Relevant) -> usize {
        self.ideal.partition_point(|grade| *grade >= rel.grade())
    }
}

/// Whether a label says relevant; a missing one does not.
fn is_relevant(grade: Option<Grade>, rel: Relevant) -> bool {
    grade.is_some_and(|grade| grade >= rel.grade())
}

/// Whether the measure's definition has its own order of documents with one score, the reverse of the official one.
pub(crate) fn wants_ties_ascending(measure: &Measure) -> bool {
    matches!(measure, Measure::Compat { .. })
}

/// The value of `measure` for one topic, from 0 to 1.
pub(crate) fn value(measure: &Measure, view: &View<'_>) -> f64 {
    match *measure {
        Measure::Ndcg { gain, cutoff } => ndcg::value(view, gain, cutoff),
        Measure::Ap { rel, cutoff } => ap::value(view, rel, cutoff),
        Measure::Rr { rel, cutoff } => rr::value(view, rel, cutoff),
        Measure::Precision { rel, cutoff } => precision::value(view, rel, cutoff),
        Measure::Recall { rel, cutoff } => recall::value(view, rel, cutoff),
        Measure::Success { rel, cutoff } => success::value(view, rel, cutoff),
        Measure::Judged { cutoff } => judged::value(view, cutoff),
        Measure::Compat { p, normalize } => compat::value(view, p, normalize),
    }
}
