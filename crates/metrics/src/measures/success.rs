//! Success at k: 1 when a relevant document is among the first k, or anywhere without a cutoff, else 0; its mean is the share of topics served,
//! also called hit rate.
//!
//! Craswell and Hawking, Overview of the TREC-2004 Web track; trec_eval's `success`.

use super::rr;
use super::view::View;
use crate::parameter::{Cutoff, Relevant, Unjudged};

pub(super) fn value(view: &View<'_>, rel: Relevant, cutoff: Option<Cutoff>, unjudged: Unjudged) -> f64 {
    f64::from(u8::from(rr::value(view, rel, cutoff, unjudged) > 0.0))
}
