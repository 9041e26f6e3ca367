//! What is counted: documents retrieved, all or relevant ones, and retrieved documents that are labelled not relevant. A run's
//! figure is the sum over its topics.
//!
//! trec_eval's `num_ret`, `num_rel_ret` and `num_nonrel_judged_ret`; ir_measures' NumRet.

use super::view::{View, found, is_relevant, lacks_label};
use crate::parameter::{Cutoff, Relevant, Unjudged};

pub(super) fn retrieved(view: &View<'_>, rel: Option<Relevant>, cutoff: Option<Cutoff>) -> f64 {
    let list = view.top(Unjudged::NotRelevant, cutoff);
    rel.map_or(list.len(), |rel| found(list, rel, Unjudged::NotRelevant).0) as f64
}

pub(super) fn nonrelevant(view: &View<'_>, rel: Relevant) -> f64 {
    let nonrelevant = |grade: &&Option<_>| !is_relevant(**grade, rel) && !lacks_label(**grade);
    view.retrieved.iter().filter(nonrelevant).count() as f64
}
