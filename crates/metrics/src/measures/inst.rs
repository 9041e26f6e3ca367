//! INSQ and INST: weighted precision of a reader who is after T documents of the best grade. At rank i such a reader goes on with
//! probability ((i + T + t - 1) / (i + T + t))², where t = T in INSQ, and in INST what is still to be found, T less the gain so far: who
//! finds nothing reads on, who has found enough stops. Each rank weighs as much as the reader is likely to see it, down to
//! rank 1,000, weights adding up to 1; a document gains its grade's share of `max_rel`. From 0 to 1.
//!
//! Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012 (INSQ); Moffat, Bailey, Scholer and Thomas, INST: an adaptive
//! metric for information retrieval evaluation, ADCS 2015. As cwl_eval and, through it, ir_measures, which end at rank 1,000 too.

use super::compat::DEPTH;
use super::view::View;
use crate::parameter::{MaxGrade, Target};

pub(super) fn insq(view: &View<'_>, target: Target, max_rel: MaxGrade) -> f64 {
    weighted(view, max_rel, |_| 2.0 * target.get())
}

pub(super) fn inst(view: &View<'_>, target: Target, max_rel: MaxGrade) -> f64 {
    weighted(view, max_rel, |gained| 2.0 * target.get() - gained)
}

/// The mean gain, where `wanted` is T + t after so much gain.
fn weighted(view: &View<'_>, max_rel: MaxGrade, wanted: impl Fn(f64) -> f64) -> f64 {
    let highest = max_rel.grade();
    let share = |grade: i32| f64::from(grade.clamp(0, highest)) / f64::from(highest);
    let mut gains = view.retrieved.iter().map(|grade| grade.map_or(0.0, share));
    let (mut sum, mut total, mut weight, mut gained) = (0.0, 0.0, 1.0, 0.0);
    for rank in 1..=DEPTH {
        let gain = gains.next().unwrap_or(0.0);
        sum += weight * gain;
        total += weight;
        gained += gain;
        let reach = rank as f64 + wanted(gained);
        weight *= ((reach - 1.0) / reach).powi(2);
    }
    sum / total
}
