//! Compatibility.
//!
//! The rank-biased overlap of a ranking with the nearest ideal order. The ideal orders hold every document with a grade
//! above 0, best grade first; among documents of one grade the nearest of them follows the ranking, and puts those that
//! were not retrieved last. From 0 to 1. Only the order of the grades counts, never their distance, so it measures with
//! preferences and tiers as well as with grades.
//!
//! Rank-biased overlap down to rank 1,000 is Σ p^(i-1) · overlap(i) / i divided by Σ p^(i-1), where overlap(i) is
//! the number of documents that the first i of both lists share. It is divided by the overlap of the ideal order with
//! itself, which is below 1 because that order ends; not so with `normalize=False`.
//!
//! Depth, default of p, order of summation and the order of documents with one score, ascending by identifier, are
//! those of the authors' compatibility.py, whose figures are reproduced bit for bit. (ir_measures has that order, too.
//! It ends at the longer of the two lists instead of at rank 1,000, so it differs from the authors if both are short.)

use llull_core::Grade;

use crate::definition::{Alias, Definition, Depth, LabelsRead, Ties};
use crate::graded_ranking::GradedRanking;
use crate::parameters::{NORMALIZE, P, Parameters};

/// The rank at which the overlap ends.
const DEPTH: usize = 1000;

pub(super) static DEFINITION: Definition = Definition {
    name: "Compat",
    summary: "Compatibility with the nearest ideal order, for preferences and tiers as for grades",
    source: "Clarke, Vtyurina and Smucker, Assessing top-k preferences, TOIS 39(3), 2021 (arXiv 2007.11682); with \
             normalize=False: the same, Offline evaluation without gain, ICTIR 2020; overlap: Webber, Moffat and \
             Zobel, A similarity measure for indefinite rankings, TOIS 28(4), 2010",
    value,
    aliases: &[Alias::same("compatibility")],
    parameters: &[P, NORMALIZE],
    example: "Compat(p=0.9)",
    depth: Depth::Rank(DEPTH),
    ties: Ties::Ascending,
    labels: LabelsRead::Order,
    convention: |parameters| Some(format!("p = {}, tied scores by ascending id", parameters.p.get())),
    ..Definition::USUAL
};

/// 0 if no label is above 0, because then there is no ideal order.
fn value(graded: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let entries = entries(graded);
    let p = parameters.p.get();
    let (mut overlap, mut sum, mut best, mut total, mut weight) = (0u32, 0.0, 0.0, 0.0, 1.0);
    for (index, entering) in entries.iter().enumerate() {
        let rank = (index + 1) as f64;
        overlap += entering;
        sum += weight * f64::from(overlap) / rank;
        best += weight * graded.ideal.len().min(index + 1) as f64 / rank;
        total += weight;
        weight *= p;
    }
    match (parameters.normalize, best > 0.0) {
        (_, false) => 0.0,
        (true, true) => (sum / total) / (best / total),
        (false, true) => sum / total,
    }
}

/// How many documents enter the overlap at each depth: each at the deeper of its two ranks. The n-th retrieved document
/// of a grade has the n-th of the grade's places in the ideal order, so one pass over the ranking finds them all.
fn entries(graded: &GradedRanking<'_>) -> [u32; DEPTH] {
    let mut entries = [0; DEPTH];
    // where each grade's next document goes, by the grade's first place in the ideal order
    let mut next: Vec<usize> = (0..graded.ideal.len().min(DEPTH)).collect();
    for (rank, grade) in graded.ascending.iter().take(DEPTH).enumerate() {
        let Some(first) = grade.and_then(|grade| first_place(graded.ideal, grade)) else { continue };
        let Some(place) = next.get_mut(first) else { continue };
        if let Some(entering) = entries.get_mut(rank.max(*place)) {
            *entering += 1;
        }
        *place += 1;
    }
    entries
}

/// The place, from 0, of the first document of this grade in the ideal order; `None` for grades that are not in it.
fn first_place(ideal: &[Grade], grade: Grade) -> Option<usize> {
    (grade > 0).then(|| ideal.partition_point(|better| *better > grade))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::parameters::Persistence;

    fn with(p: f64, normalize: bool) -> Parameters {
        Parameters { p: Persistence::new(p).unwrap(), normalize, ..DEFINITION.defaults }
    }

    /// A ranking without ties.
    fn ranked<'a>(retrieved: &'a [Option<Grade>], ideal: &'a [Grade]) -> GradedRanking<'a> {
        GradedRanking { retrieved, ascending: retrieved, ideal, ..GradedRanking::default() }
    }

    /// The definition, list against list: documents are numbers, those that were not retrieved come behind the others.
    fn by_definition(graded: &GradedRanking<'_>, p: f64) -> f64 {
        let mut missing: Vec<Grade> = graded.ideal.to_vec();
        let mut placed: Vec<(Grade, usize)> = Vec::new();
        for (rank, grade) in graded.retrieved.iter().enumerate() {
            if let Some(grade) = grade.filter(|grade| *grade > 0) {
                missing.remove(missing.iter().position(|other| *other == grade).unwrap());
                placed.push((grade, rank));
            }
        }
        placed.extend(
            missing.into_iter().enumerate().map(|(index, grade)| (grade, graded.retrieved.len() + index)),
        );
        placed.sort_by_key(|(grade, place)| (std::cmp::Reverse(*grade), *place));
        let ideal: Vec<usize> = placed.into_iter().map(|(_, document)| document).collect();
        let ranking: Vec<usize> = (0..graded.retrieved.len()).collect();
        overlap(&ranking, &ideal, p) / overlap(&ideal, &ideal, p)
    }

    fn overlap(a: &[usize], b: &[usize], p: f64) -> f64 {
        let top =
            |list: &[usize], depth: usize| -> BTreeSet<usize> { list.iter().take(depth).copied().collect() };
        let shared = |depth: usize| top(a, depth).intersection(&top(b, depth)).count() as f64;
        (1..=DEPTH).map(|depth| p.powi(depth as i32 - 1) * shared(depth) / depth as f64).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn one_pass_is_the_definition(
            retrieved in proptest::collection::vec(proptest::option::weighted(0.8, -1..4i32), 0..30),
            elsewhere in proptest::collection::vec(1..4i32, 1..9),
            p in 0.5..0.99f64,
        ) {
            let found = retrieved.iter().flatten().filter(|grade| **grade > 0);
            let mut ideal: Vec<Grade> = found.chain(&elsewhere).copied().collect();
            ideal.sort_unstable_by(|a, b| b.cmp(a));
            let graded = ranked(&retrieved, &ideal);
            let reached = value(&graded, &with(p, true));
            prop_assert!((reached - by_definition(&graded, p)).abs() < 1e-9, "{}", reached);
        }
    }

    #[test]
    fn by_hand() {
        // ideal: 2 1; the ranking has the 1 first, nothing second, the 2 third: overlaps 0, 1, 2, 2, ... and the ideal
        // order's 1, 2, 2, 2, ...
        let graded = ranked(&[Some(1), None, Some(2)], &[2, 1]);
        let p = 0.5;
        let rest: f64 = (3..=40).map(|depth| f64::powi(p, depth - 1) * 2.0 / f64::from(depth)).sum();
        let expected = (p / 2.0 + rest) / (1.0 + p + rest);
        let reached = value(&graded, &with(p, true));
        assert!((reached - expected).abs() < 1e-10, "{reached} {expected}");
        // 1 + p + p^2 + ... = 2
        let plain = value(&graded, &with(p, false));
        assert!((plain - (p / 2.0 + rest) / 2.0).abs() < 1e-10, "{plain}");
    }

    #[test]
    fn more_documents_than_the_depth_are_no_trouble() {
        let retrieved = vec![Some(1); 2 * DEPTH];
        let ideal = vec![1; 3 * DEPTH];
        let graded = ranked(&retrieved, &ideal);
        assert_eq!(value(&graded, &DEFINITION.defaults), 1.0);
    }
}
