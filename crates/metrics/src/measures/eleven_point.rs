//! The mean of interpolated precision at recall 0, 0.1, ..., 1. From 0 to 1. For comparison with old figures; AP took its place.
//!
//! trec_eval's `11pt_avg`.

use super::iprec;
use super::view::View;
use crate::parameter::{Relevant, Rounding};

pub(super) fn value(view: &View<'_>, rel: Relevant, rounding: Rounding, judged_only: bool) -> f64 {
    let levels = (0..=10).map(|tenth| f64::from(tenth) / 10.0);
    levels.map(|recall| iprec::value(view, rel, recall, rounding, judged_only)).sum::<f64>() / 11.0
}
