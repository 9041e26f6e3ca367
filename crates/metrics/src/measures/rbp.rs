//! Rank-biased precision: the mean worth of what a reader sees who goes on from each rank to the next with probability p,
//! (1 - p) · Σ p^(rank - 1) · worth. From 0 to 1. A document is worth 1 when it is relevant (`rel`) or its grade's share of the
//! highest grade (`max_rel`). Its residual is the most that it could still gain: the weight of the documents that nobody
//! judged and of all ranks below the end of the list, or below the cutoff.
//!
//! Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008, equations 3 and 5. trec_eval 10 has
//! `rbp` with p 0.9; where a topic has grades above 1 it divides by a highest grade that it starts from uninitialised memory, so
//! its graded values are undefined, and its `rbp_resid` leaves the end of the list out when every retrieved document is judged. ranx multiplies by
//! the grades themselves, so that its values can exceed 1. Both agree with this one on labels of 0 and 1. A topic that is not answered has a
//! residual of 0 and not the 1 of the definition, because trec_eval's tests have that under `-c`.

use super::view::{View, is_relevant, lacks_label};
use crate::measure::Worth;
use crate::parameter::{Cutoff, Persistence, Unjudged};

pub(super) fn value(
    view: &View<'_>,
    p: Persistence,
    worth: Worth,
    cutoff: Option<Cutoff>,
    unjudged: Unjudged,
) -> f64 {
    let best = unjudged == Unjudged::Best;
    let worth = |grade: Option<_>| match (grade, worth) {
        (grade, _) if best && lacks_label(grade) => 1.0,
        (grade, Worth::Binary(rel)) => f64::from(u8::from(is_relevant(grade, rel))),
        (Some(grade), Worth::Graded(highest)) => {
            f64::from(grade.clamp(0, highest.grade())) / f64::from(highest.grade())
        }
        (None, Worth::Graded(_)) => 0.0,
    };
    let (mut sum, mut weight) = (0.0, 1.0);
    for grade in view.top(unjudged, cutoff) {
        sum += weight * worth(*grade);
        weight *= p.get();
    }
    (1.0 - p.get()) * sum
}

pub(super) fn residual(view: &View<'_>, p: Persistence, cutoff: Option<Cutoff>) -> f64 {
    let (mut sum, mut weight) = (0.0, 1.0);
    for grade in view.top(Unjudged::NotRelevant, cutoff) {
        if lacks_label(*grade) {
            sum += weight;
        }
        weight *= p.get();
    }
    (1.0 - p.get()) * sum + weight
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::{MaxGrade, Relevant};

    #[test]
    fn by_hand() {
        let view = View { retrieved: &[Some(3), None, Some(1)], ideal: &[3, 1], ..View::default() };
        let p = Persistence::new(0.5).unwrap();
        let of = |worth, unjudged| value(&view, p, worth, None, unjudged);
        let graded = Worth::Graded(MaxGrade::from_grade(3).unwrap());
        assert_eq!(of(Worth::Binary(Relevant::default()), Unjudged::NotRelevant), 0.5 + 0.125);
        assert_eq!(of(graded, Unjudged::NotRelevant), 0.5 + 0.125 / 3.0);
        assert_eq!(of(graded, Unjudged::Best), 0.5 + 0.25 + 0.125 / 3.0);
        assert_eq!(residual(&view, p, None), 0.25 + 0.125);
    }
}
