//! ndcg_rel: the mean of nDCG at several ranks.
//!
//! The mean of nDCG over the ranks of the relevant documents, those whose label gains something. For a document that is
//! not retrieved it is the DCG of the whole list divided by that of the best possible list. From 0 to 1.
//!
//! The idea: nDCG at one cutoff jumps where the best list runs out of a grade, which is at another rank for every
//! query.

use super::discounted_gain::{ideal_gains, sum};
use super::trec_eval_name::{gains_behind, with_gains};
use crate::definition::{Definition, WrittenBehind};
use crate::graded_ranking::GradedRanking;
use crate::parameters::{DCG, GAINS, MIN_REL, Parameters};

pub(super) static DEFINITION: Definition = Definition {
    name: "ndcg_rel",
    summary: "The mean of nDCG over the ranks of the relevant documents; experimental in trec_eval",
    source: "Buckley's trec_eval: ndcg_rel",
    value,
    written_behind: &[WrittenBehind { name: "ndcg_rel", arguments: gains_behind }],
    parameters: &[DCG, GAINS, MIN_REL],
    trec_eval_name: |parameters| with_gains("ndcg_rel", &parameters.gain),
    ..Definition::USUAL
};

/// 0 if no label gains anything.
fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let gain = &parameters.gain;
    let ideal = ideal_gains(gain, ranking.ideal);
    let ideal: Vec<f64> = ideal.into_iter().filter(|gain| *gain > 0.0).collect();
    if ideal.is_empty() {
        return 0.0;
    }
    let (mut reached, mut best, mut total, mut found) = (0.0, 0.0, 0.0, 0);
    for (at, grade) in ranking.retrieved.iter().enumerate() {
        let discount = ((at + 2) as f64).log2();
        best += ideal.get(at).copied().unwrap_or(0.0) / discount;
        let here = grade.map_or(0.0, |grade| gain.of(grade));
        if here > 0.0 {
            reached += here / discount;
            total += reached / best;
            found += 1;
        }
    }
    let missed = ideal.len().saturating_sub(found) as f64;
    (total + missed * reached / sum(ideal.iter().copied())) / ideal.len() as f64
}
