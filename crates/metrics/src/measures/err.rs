//! Expected reciprocal rank.
//!
//! A reader goes down the list and stops at a document with probability (2^grade - 1) / 2^max_rel; the value is the
//! mean of 1 / the rank where that happens, 0 if it never does. From 0 to 1 - 2^-max_rel. So a document behind good
//! ones counts little.
//!
//! `max_rel` is a parameter and never read off the labels: with another highest grade the same documents would have
//! another value without a visible reason.

use llull_core::Grade;

use crate::definition::{Alias, Definition, Suffix};
use crate::graded_ranking::{GradedRanking, lacks_label};
use crate::parameters::{JUDGED_ONLY, MAX_REL, MIN_REL, MaxGrade, Parameters, UNJUDGED, Unjudged};

pub(super) static DEFINITION: Definition = Definition {
    name: "ERR",
    summary: "Expected reciprocal rank",
    source: "Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009, \
             equations 4 to 6; with max_rel 4 gdeval.pl's err, which ir_measures prints to five decimals",
    value,
    aliases: &[Alias::same("expected_reciprocal_rank")],
    parameters: &[MAX_REL, MIN_REL, JUDGED_ONLY, UNJUDGED],
    defaults: Parameters { max_rel: Some(MaxGrade::GDEVAL), ..Parameters::NONE },
    suffix: Suffix::OptionalCutoff,
    convention: |parameters| Some(convention(parameters)),
    retrieved_only: true,
    ..Definition::USUAL
};

pub(super) fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let (max_rel, unjudged) = (parameters.highest_grade(), parameters.unjudged);
    let best = unjudged == Unjudged::Best;
    expected(ranking.top(unjudged, parameters.cutoff).iter().map(|grade| match *grade {
        grade if best && lacks_label(grade) => stops(max_rel.grade(), max_rel),
        Some(grade) => stops(grade, max_rel),
        None => 0.0,
    }))
}

/// The mean of 1 / the rank at which a reader stops, for these probabilities of stopping.
pub(super) fn expected(stops: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut reads_on) = (0.0, 1.0);
    for (index, stops) in stops.enumerate().filter(|(_, stops)| *stops > 0.0) {
        sum += reads_on * stops / (index + 1) as f64;
        reads_on *= 1.0 - stops;
    }
    sum
}

/// The probability that a reader stops at a document of this grade. In powers of two that cannot overflow.
pub(super) fn stops(grade: Grade, max_rel: MaxGrade) -> f64 {
    let highest = f64::from(max_rel.grade());
    if grade <= 0 {
        0.0
    } else {
        (f64::from(grade.min(max_rel.grade())) - highest).exp2() - (-highest).exp2()
    }
}

pub(super) fn convention(parameters: &Parameters) -> String {
    format!("highest grade {}", parameters.highest_grade().grade())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // grades 3, 2, 0, 4 with max_rel 4: stops at 7/16, 3/16, 0, 15/16
        let ranking = GradedRanking {
            retrieved: &[Some(3), Some(2), None, Some(4)],
            ideal: &[4, 3, 2],
            ..GradedRanking::default()
        };
        let expected = 7.0 / 16.0
            + (9.0 / 16.0) * (3.0 / 16.0) / 2.0
            + (9.0 / 16.0) * (13.0 / 16.0) * (15.0 / 16.0) / 4.0;
        let reached = value(&ranking, &DEFINITION.defaults);
        assert!((reached - expected).abs() < 1e-15, "{reached} {expected}");
    }

    #[test]
    fn a_grade_above_the_highest_counts_as_it() {
        assert_eq!(stops(9, MaxGrade::GDEVAL), stops(4, MaxGrade::GDEVAL));
        assert_eq!(stops(Grade::MAX, MaxGrade::from_grade(Grade::MAX).unwrap()), 1.0);
    }
}
