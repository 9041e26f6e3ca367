//! A ranking with the grades of its query's labels.
//!
//! Measures read grades without documents.

use llull_core::Grade;

use crate::parameters::{Cutoff, Relevant, Unjudged};

/// A ranking and the labels of its query as measures read them.
#[derive(Default)]
pub(crate) struct GradedRanking<'a> {
    /// The grade of every retrieved document, best rank first; `None` if it has no label.
    pub(crate) retrieved: &'a [Option<Grade>],
    /// The same, but with documents of one score in ascending order of their identifiers; empty unless a measure
    /// has that [order of ties](crate::definition::Ties).
    pub(crate) ascending: &'a [Option<Grade>],
    /// The same without the documents that [lack a label](lacks_label); empty unless a measure leaves them out.
    pub(crate) condensed: &'a [Option<Grade>],
    /// All grades above 0 among the labels of the query, highest first.
    pub(crate) ideal: &'a [Grade],
    /// How many labels of the query are 0.
    pub(crate) zeros: usize,
    /// The highest grade among the labels of all queries, 1 at least.
    pub(crate) highest: Grade,
}

impl GradedRanking<'_> {
    /// The retrieved documents down to the cutoff, with or without those that lack a label.
    pub(crate) fn top(&self, unjudged: Unjudged, cutoff: Option<Cutoff>) -> &[Option<Grade>] {
        let list = if unjudged == Unjudged::Excluded { self.condensed } else { self.retrieved };
        let depth = cutoff.map_or(usize::MAX, |cutoff| cutoff.rank() as usize);
        list.get(..depth).unwrap_or(list)
    }

    /// How many relevant documents the labels know.
    pub(crate) fn relevant(&self, rel: Relevant) -> usize {
        self.ideal.partition_point(|grade| *grade >= rel.grade())
    }
}

/// A ranking and labels whose grades count from the lowest of the scale.
pub(crate) struct RaisedRanking {
    retrieved: Vec<Option<Grade>>,
    ascending: Vec<Option<Grade>>,
    condensed: Vec<Option<Grade>>,
    ideal: Vec<Grade>,
    highest: Grade,
}

impl RaisedRanking {
    pub(crate) fn above(lowest: Grade, ranking: &GradedRanking<'_>) -> Self {
        let all = |grades: &[Option<Grade>]| {
            grades.iter().map(|grade| grade.map(|grade| above(grade, lowest))).collect()
        };
        let ideal = ranking.ideal.iter().map(|grade| above(*grade, lowest)).filter(|grade| *grade > 0);
        Self {
            retrieved: all(ranking.retrieved),
            ascending: all(ranking.ascending),
            condensed: all(ranking.condensed),
            ideal: ideal.collect(),
            highest: above(ranking.highest, lowest).max(1),
        }
    }

    pub(crate) fn ranking(&self) -> GradedRanking<'_> {
        GradedRanking {
            retrieved: &self.retrieved,
            ascending: &self.ascending,
            condensed: &self.condensed,
            ideal: &self.ideal,
            zeros: 0,
            highest: self.highest,
        }
    }
}

/// How far a grade is above the lowest of the scale. A negative one, which marks documents that were not judged, stays.
pub(crate) fn above(grade: Grade, lowest: Grade) -> Grade {
    if grade < 0 { grade } else { grade.saturating_sub(lowest).max(0) }
}

/// Whether a label means relevant; a missing one does not.
pub(crate) fn is_relevant(grade: Option<Grade>, rel: Relevant) -> bool {
    grade.is_some_and(|grade| grade >= rel.grade())
}

/// Whether a document was not judged: it has no label, or a negative one, with which trec_eval marks documents that
/// are in the pool and were not judged.
pub(crate) fn lacks_label(grade: Option<Grade>) -> bool {
    grade.is_none_or(|grade| grade < 0)
}

/// How many documents of a list are relevant, and how many of them the labels do not know: none, or every document
/// without a label if these count as the best.
pub(crate) fn found(list: &[Option<Grade>], rel: Relevant, unjudged: Unjudged) -> (usize, usize) {
    let relevant = list.iter().filter(|grade| is_relevant(**grade, rel)).count();
    let unknown = match unjudged {
        Unjudged::Best => list.iter().filter(|grade| lacks_label(**grade)).count(),
        Unjudged::NotRelevant | Unjudged::Excluded => 0,
    };
    (relevant + unknown, unknown)
}

/// `a / b`, and 0 if `b` is 0.
pub(crate) fn share(a: usize, b: usize) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}
