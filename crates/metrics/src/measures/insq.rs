//! INSQ: weighted precision of a reader with a fixed target.
//!
//! Weighted precision of a reader who looks for T documents of the best grade. At rank i such a reader goes on with
//! probability ((i + 2T - 1) / (i + 2T))². Each rank weighs as much as the reader is likely to see it, down to rank
//! 1,000, and the weights add up to 1; a document gains its grade's share of `max_rel`. From 0 to 1.

use crate::definition::{Definition, Depth};
use crate::graded_ranking::GradedRanking;
use crate::parameters::{MAX_REL, MIN_REL, MaxGrade, Parameters, TARGET};

/// The last rank that is seen, as in cwl_eval and, through it, ir_measures.
pub(super) const DEPTH: usize = 1000;

pub(super) static DEFINITION: Definition = Definition {
    name: "INSQ",
    summary: "Weighted precision of a reader who looks for a number of documents",
    source: "Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012; cwl_eval's \
             INSQ",
    value,
    parameters: &[TARGET, MAX_REL.needed(), MIN_REL],
    example: "INSQ(max_rel=3)",
    depth: Depth::Rank(DEPTH),
    ..Definition::USUAL
};

fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    weighted(ranking, parameters.highest_grade(), |_| 2.0 * parameters.target.get())
}

/// The mean gain of a reader who goes on from rank i with probability ((i + w - 1) / (i + w))², where w is `wanted` of
/// the gain so far.
pub(super) fn weighted(ranking: &GradedRanking<'_>, max_rel: MaxGrade, wanted: impl Fn(f64) -> f64) -> f64 {
    let highest = max_rel.grade();
    let share = |grade: i32| f64::from(grade.clamp(0, highest)) / f64::from(highest);
    let mut gains = ranking.retrieved.iter().map(|grade| grade.map_or(0.0, share));
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
