//! Rndcg: the mean of nDCG at the ends of grades.
//!
//! The mean of nDCG at the ranks where the best list ends one grade and begins the next, the last of which is where it
//! runs out of documents that gain anything; and at the end of the list, if that is two ranks or more further down.
//! From 0 to 1.
//!
//! By trec_eval's text, the end of the list is always one of the ranks; its program leaves it out if the list is longer
//! by a single document, and so does this one.

use super::discounted_gain::ideal_gains;
use super::trec_eval_name::{gains_behind, with_gains};
use crate::definition::{Definition, WrittenBehind};
use crate::graded_ranking::GradedRanking;
use crate::parameters::{DCG, GAINS, MIN_REL, Parameters};

pub(super) static DEFINITION: Definition = Definition {
    name: "Rndcg",
    summary: "The mean of nDCG over the ranks where the best list changes its grade; experimental in trec_eval",
    source: "Buckley's trec_eval: Rndcg",
    value,
    written_behind: &[WrittenBehind { name: "Rndcg", arguments: gains_behind }],
    parameters: &[DCG, GAINS, MIN_REL],
    trec_eval_name: |parameters| with_gains("Rndcg", &parameters.gain),
    ..Definition::USUAL
};

/// 0 if no label gains anything.
fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let gain = &parameters.gain;
    let ideal = ideal_gains(gain, ranking.ideal);
    let ideal: Vec<f64> = ideal.into_iter().filter(|gain| *gain > 0.0).collect();
    let list: Vec<f64> =
        ranking.retrieved.iter().map(|grade| grade.map_or(0.0, |grade| gain.of(grade))).collect();
    let (mut reached, mut best, mut total, mut ranks) = (0.0, 0.0, 0.0, 0);
    for at in 0..ideal.len().max(list.len()) {
        let discount = ((at + 2) as f64).log2();
        reached += list.get(at).copied().unwrap_or(0.0) / discount;
        best += ideal.get(at).copied().unwrap_or(0.0) / discount;
        let ends_a_grade = at < ideal.len() && ideal.get(at + 1) != ideal.get(at);
        let ends_the_list = at + 1 == list.len() && list.len() > ideal.len() + 1;
        if !ideal.is_empty() && (ends_a_grade || ends_the_list) {
            total += reached / best;
            ranks += 1;
        }
    }
    if ranks == 0 { 0.0 } else { total / f64::from(ranks) }
}
