//! One topic as a measure sees it.

use llull_core::Grade;

use crate::measure::Measure;
use crate::parameter::{Cutoff, Relevant, Unjudged};

/// One topic as a measure sees it.
#[derive(Default)]
pub(crate) struct View<'a> {
    /// The grade of every retrieved document, best rank first; `None` when it has no label.
    pub(crate) retrieved: &'a [Option<Grade>],
    /// The same, but documents with one score in ascending order of their identifiers; empty unless a measure
    /// [wants it](super::wants_ties_ascending).
    pub(crate) ascending: &'a [Option<Grade>],
    /// The same without the documents that [lack a label](lacks_label); empty unless a measure leaves them out.
    pub(crate) condensed: &'a [Option<Grade>],
    /// All grades above 0 that the labels of the topic hold, highest first.
    pub(crate) ideal: &'a [Grade],
    /// How many labels of the topic are 0.
    pub(crate) zeros: usize,
    /// The highest grade that the labels of any topic hold, 1 at least.
    pub(crate) highest: Grade,
}

impl View<'_> {
    /// The retrieved documents down to the cutoff, those without a label left out or not.
    pub(crate) fn top(&self, unjudged: Unjudged, cutoff: Option<Cutoff>) -> &[Option<Grade>] {
        let list = if unjudged == Unjudged::Excluded { self.condensed } else { self.retrieved };
        let depth = cutoff.map_or(usize::MAX, |cutoff| cutoff.rank() as usize);
        list.get(..depth).unwrap_or(list)
    }

    /// The retrieved documents that the measure looks at.
    pub(crate) fn seen(&self, measure: &Measure) -> &[Option<Grade>] {
        match measure {
            Measure::NumQ | Measure::NumRel { .. } => &[],
            _ if measure.unjudged() == Unjudged::Excluded => self.top(Unjudged::Excluded, measure.cutoff()),
            _ => self.retrieved.get(..measure.depth().unwrap_or(usize::MAX)).unwrap_or(self.retrieved),
        }
    }

    /// How many relevant documents the labels know.
    pub(crate) fn relevant(&self, rel: Relevant) -> usize {
        self.ideal.partition_point(|grade| *grade >= rel.grade())
    }
}

/// Whether a label says relevant; a missing one does not.
pub(super) fn is_relevant(grade: Option<Grade>, rel: Relevant) -> bool {
    grade.is_some_and(|grade| grade >= rel.grade())
}

/// Whether nobody judged the document: it has no label, or a negative one, by which trec_eval marks what is in the pool and was not judged.
pub(super) fn lacks_label(grade: Option<Grade>) -> bool {
    grade.is_none_or(|grade| grade < 0)
}

/// How many documents of a list are relevant, and how many relevant ones there are besides those that the labels know: none,
/// or every document without a label.
pub(super) fn found(list: &[Option<Grade>], rel: Relevant, unjudged: Unjudged) -> (usize, usize) {
    let relevant = list.iter().filter(|grade| is_relevant(**grade, rel)).count();
    let more = match unjudged {
        Unjudged::Best => list.iter().filter(|grade| lacks_label(**grade)).count(),
        Unjudged::NotRelevant | Unjudged::Excluded => 0,
    };
    (relevant + more, more)
}

/// `a / b`, and 0 when nothing can be found.
pub(super) fn share(a: usize, b: usize) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}
