//! G: gain discounted by the missed gain.
//!
//! The sum over the list of gain / log2(2 + the cost of the best list down to here - the gain of this list
//! down to here), divided by the sum of all gains. A rank of the best list costs its gain, and 1 if it gains less. So a
//! document is discounted by how much better the list could have been, and not by its rank. From 0 to 1.

use super::discounted_gain::ideal_gains;
use super::trec_eval_name::{gains_behind, with_gains};
use crate::definition::{Definition, WrittenBehind};
use crate::graded_ranking::GradedRanking;
use crate::parameters::{DCG, GAINS, MIN_REL, Parameters};

pub(super) static DEFINITION: Definition = Definition {
    name: "G",
    summary: "Gains discounted by what a better list would have found by then; experimental in trec_eval",
    source: "Buckley's trec_eval: G",
    value,
    written_behind: &[WrittenBehind { name: "G", arguments: gains_behind }],
    parameters: &[DCG, GAINS, MIN_REL],
    trec_eval_name: |parameters| with_gains("G", &parameters.gain),
    ..Definition::USUAL
};

/// 0 if no label gains anything.
fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let ideal = ideal_gains(&parameters.gain, ranking.ideal);
    let (mut sum, mut cost, mut gained) = (0.0, 0.0, 0.0);
    for (at, grade) in ranking.retrieved.iter().enumerate() {
        let here = grade.map_or(0.0, |grade| parameters.gain.of(grade));
        gained += here;
        cost += ideal.get(at).map_or(1.0, |best| best.max(1.0));
        if here > 0.0 {
            sum += here / (2.0 + cost - gained).log2();
        }
    }
    if sum > 0.0 { sum / ideal.iter().sum::<f64>() } else { 0.0 }
}
