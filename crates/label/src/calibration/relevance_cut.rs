//! Compares cuts of the judge's grades with human relevance.

use std::collections::BTreeSet;

use llull_core::Grade;
use serde::Serialize;

use super::calibrate::GradedTwice;

/// How well "the judge's grade is at least `cut`" agrees with human relevance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CutAgreement {
    /// The judge's lowest grade that counts as relevant.
    pub cut: Grade,
    /// Cohen's kappa of the two; `None` if both sides are constant and equal.
    pub kappa: Option<f64>,
}

/// The agreement at every cut of the judge's grades, with human relevance from the grade `relevant` on.
///
/// ```
/// use llull_label::{GradedTwice, cut_agreements};
/// let pairs = [(0, 0), (1, 0), (2, 1), (3, 2)].map(|(judge, human)| GradedTwice { judge, human, weight: 1.0 });
/// let found: Vec<_> = cut_agreements(&pairs, 1).iter().map(|found| (found.cut, found.kappa)).collect();
/// assert_eq!(found, [(1, Some(0.5)), (2, Some(1.0)), (3, Some(0.5))]);
/// ```
pub fn cut_agreements(pairs: &[GradedTwice], relevant: Grade) -> Vec<CutAgreement> {
    let cuts: BTreeSet<Grade> = pairs.iter().map(|pair| pair.judge).collect();
    cuts.into_iter().skip(1).map(|cut| CutAgreement { cut, kappa: kappa(pairs, cut, relevant) }).collect()
}

fn kappa(pairs: &[GradedTwice], cut: Grade, relevant: Grade) -> Option<f64> {
    let weight = |of: &dyn Fn(&GradedTwice) -> bool| -> f64 {
        pairs.iter().filter(|pair| of(pair)).map(|pair| pair.weight).sum()
    };
    let all = weight(&|_| true);
    let judge = weight(&|pair| pair.judge >= cut) / all;
    let human = weight(&|pair| pair.human >= relevant) / all;
    let alike = weight(&|pair| (pair.judge >= cut) == (pair.human >= relevant)) / all;
    let chance = judge * human + (1.0 - judge) * (1.0 - human);
    (chance < 1.0).then(|| (alike - chance) / (1.0 - chance))
}
