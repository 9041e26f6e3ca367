//! INST: weighted precision of a reader who adapts.
//!
//! INSQ with a reader who adapts to the results. At rank i the reader goes on with probability
//! ((i + T + t - 1) / (i + T + t))², where t is the rest of the target, T less the gain so far: a reader who finds
//! nothing reads on, one who has found enough stops. From 0 to 1.

use super::insq;
use crate::definition::{Definition, Depth};
use crate::graded_ranking::GradedRanking;
use crate::parameters::{MAX_REL, MIN_REL, Parameters, TARGET};

pub(super) static DEFINITION: Definition = Definition {
    name: "INST",
    summary: "INSQ with a reader who adapts to what was found",
    source: "Moffat, Bailey, Scholer and Thomas, INST: an adaptive metric for information retrieval evaluation, ADCS \
             2015; cwl_eval's INST",
    value,
    parameters: &[TARGET, MAX_REL.needed(), MIN_REL],
    example: "INST(max_rel=3)",
    depth: Depth::Rank(insq::DEPTH),
    ..Definition::USUAL
};

fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let target = parameters.target.get();
    insq::weighted(ranking, parameters.highest_grade(), |gained| 2.0 * target - gained)
}
