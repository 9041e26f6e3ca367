//! Judged at k: of the first k documents the share that has a label, whatever it says. From 0 to 1. When fewer than k
//! are retrieved it is the share of these, so that a short list does not look unjudged; 0 when nothing is retrieved.
//!
//! As ir_measures' `Judged` (MacAvaney et al., Streamlining evaluation with ir-measures, ECIR 2022).

use super::view::{View, share};
use crate::parameter::{Cutoff, Unjudged};

pub(super) fn value(view: &View<'_>, cutoff: Cutoff) -> f64 {
    let top = view.top(Unjudged::NotRelevant, Some(cutoff));
    share(top.iter().filter(|grade| grade.is_some()).count(), top.len())
}
