//! Success at k: 1 when a relevant document is among the first k, else 0; its mean is the share of topics served,
//! also called hit rate.
//!
//! Craswell and Hawking, Overview of the TREC-2004 Web track; trec_eval's `success`.

use super::{View, is_relevant};
use crate::measure::{Cutoff, Relevant};

pub(super) fn value(view: &View<'_>, rel: Relevant, cutoff: Cutoff) -> f64 {
    let found = view.top(Some(cutoff)).iter().any(|grade| is_relevant(*grade, rel));
    f64::from(u8::from(found))
}
