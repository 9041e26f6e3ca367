//! ndcg_rel: the mean of nDCG over the ranks of the relevant documents, those whose label gains something. For one that is not retrieved it is the DCG of the whole
//! list over that of the best possible one. From 0 to 1.
//!
//! Buckley's trec_eval, which calls it experimental. The idea: nDCG at one cutoff jumps where the best list runs out of a grade, which is at another
//! rank for every topic.

use super::ndcg::{ordered, sum};
use super::view::View;
use crate::gain::Gain;

/// 0 when no label gains anything.
pub(super) fn value(view: &View<'_>, gain: &Gain) -> f64 {
    let ideal: Vec<f64> = ordered(gain, view.ideal).into_iter().filter(|gain| *gain > 0.0).collect();
    if ideal.is_empty() {
        return 0.0;
    }
    let (mut reached, mut best, mut total, mut found) = (0.0, 0.0, 0.0, 0);
    for (at, grade) in view.retrieved.iter().enumerate() {
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
