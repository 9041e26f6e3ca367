//! Expected reciprocal rank: a reader goes down the list and stops at a document with probability (2^grade - 1) / 2^max_rel; the
//! value is the mean of 1 / the rank where that happens, 0 when it never does. From 0 to 1 - 2^-max_rel. So a document behind
//! good ones counts little. nERR divides by the value of the best order of all labels, down to the same cutoff. From 0 to 1.
//!
//! Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009, equations 4 to 6; with max_rel 4
//! it is gdeval.pl's `err`, which ir_measures prints to five decimals. max_rel is a parameter and never read off the labels: under
//! another highest grade the same documents would have another value, and nobody could see why.

use llull_core::Grade;

use super::view::{View, lacks_label};
use crate::parameter::{Cutoff, MaxGrade, Unjudged};

pub(super) fn value(view: &View<'_>, max_rel: MaxGrade, cutoff: Option<Cutoff>, unjudged: Unjudged) -> f64 {
    let best = unjudged == Unjudged::Best;
    expected(view.top(unjudged, cutoff).iter().map(|grade| match *grade {
        grade if best && lacks_label(grade) => stops(max_rel.grade(), max_rel),
        Some(grade) => stops(grade, max_rel),
        None => 0.0,
    }))
}

/// 0 when no label is above 0.
pub(super) fn normalized(
    view: &View<'_>,
    max_rel: MaxGrade,
    cutoff: Option<Cutoff>,
    unjudged: Unjudged,
) -> f64 {
    let depth = cutoff.map_or(usize::MAX, |cutoff| cutoff.rank() as usize);
    let ideal = expected(view.ideal.iter().take(depth).map(|grade| stops(*grade, max_rel)));
    let reached = value(view, max_rel, cutoff, unjudged);
    match unjudged {
        Unjudged::Best if reached >= ideal => f64::from(u8::from(reached > 0.0)),
        _ if ideal <= 0.0 => 0.0,
        _ => reached / ideal,
    }
}

fn expected(stops: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut reads_on) = (0.0, 1.0);
    for (index, stops) in stops.enumerate().filter(|(_, stops)| *stops > 0.0) {
        sum += reads_on * stops / (index + 1) as f64;
        reads_on *= 1.0 - stops;
    }
    sum
}

/// The probability that a reader stops at a document of this grade. In powers of two that cannot overflow.
fn stops(grade: Grade, max_rel: MaxGrade) -> f64 {
    let highest = f64::from(max_rel.grade());
    if grade <= 0 {
        0.0
    } else {
        (f64::from(grade.min(max_rel.grade())) - highest).exp2() - (-highest).exp2()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // grades 3, 2, 0, 4 with max_rel 4: stops at 7/16, 3/16, 0, 15/16
        let view =
            View { retrieved: &[Some(3), Some(2), None, Some(4)], ideal: &[4, 3, 2], ..View::default() };
        let expected = 7.0 / 16.0
            + (9.0 / 16.0) * (3.0 / 16.0) / 2.0
            + (9.0 / 16.0) * (13.0 / 16.0) * (15.0 / 16.0) / 4.0;
        let reached = value(&view, MaxGrade::GDEVAL, None, Unjudged::NotRelevant);
        assert!((reached - expected).abs() < 1e-15, "{reached} {expected}");
        let ideal = 15.0 / 16.0
            + (1.0 / 16.0) * (7.0 / 16.0) / 2.0
            + (1.0 / 16.0) * (9.0 / 16.0) * (3.0 / 16.0) / 3.0;
        let reached = normalized(&view, MaxGrade::GDEVAL, None, Unjudged::NotRelevant);
        assert!((reached - expected / ideal).abs() < 1e-15, "{reached}");
    }

    #[test]
    fn a_grade_above_the_highest_counts_as_it() {
        assert_eq!(stops(9, MaxGrade::GDEVAL), stops(4, MaxGrade::GDEVAL));
        assert_eq!(stops(Grade::MAX, MaxGrade::from_grade(Grade::MAX).unwrap()), 1.0);
    }
}
