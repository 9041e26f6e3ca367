//! Interpolated precision at a recall level: the highest precision at any rank by which that share of the relevant documents has
//! been found; 0 when it never is. From 0 to 1. Its values at 0, 0.1, ..., 1 draw the classic precision-recall curve.
//!
//! How many documents a share is, where it is not a whole number, depends on the version of trec_eval; see [`Rounding`]. By the
//! definition it is rounded up: to the nearest whole number, a tenth of four documents would be none.
//!
//! Salton and McGill, Introduction to Modern Information Retrieval, 1983; trec_eval's `iprec_at_recall`.

use super::view::{View, is_relevant};
use crate::parameter::{Relevant, Rounding, Unjudged};

pub(super) fn value(
    view: &View<'_>,
    rel: Relevant,
    recall: f64,
    rounding: Rounding,
    judged_only: bool,
) -> f64 {
    let unjudged = if judged_only { Unjudged::Excluded } else { Unjudged::NotRelevant };
    let needed = rounding.documents(recall * view.relevant(rel) as f64);
    let relevant = view.top(unjudged, None).iter().enumerate().filter(|(_, grade)| is_relevant(**grade, rel));
    let precisions = relevant.enumerate().map(|(before, (index, _))| (before + 1, index + 1));
    let reached = precisions.filter(|(found, _)| *found >= needed);
    reached.map(|(found, rank)| found as f64 / rank as f64).fold(0.0, f64::max)
}
