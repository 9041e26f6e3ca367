//! Rank-biased precision.
//!
//! The mean worth of the documents that a reader sees who goes on from each rank to the next with probability p, (1 -
//! p) · Σ p^(rank - 1) · worth. From 0 to 1. A document is worth 1 if it is relevant (`rel`), or its grade's share of
//! the highest grade (`max_rel`).
//!
//! trec_eval 10 has `rbp` with p 0.9. If a query has grades above 1 it divides by a highest grade that it starts from
//! uninitialised memory, so its graded values are undefined. ranx multiplies by the grades themselves, so that its
//! values can exceed 1. Both agree with this one on labels of 0 and 1.

use llull_core::Grade;

use crate::definition::{Alias, Definition, Linear, Suffix, WrittenBehind};
use crate::graded_ranking::{GradedRanking, is_relevant, lacks_label};
use crate::parameters::{
    JUDGED_ONLY, MAX_REL, MIN_REL, P, Parameters, Persistence, REL, Relevant, UNJUDGED, Unjudged,
};

pub(super) static DEFINITION: Definition = Definition {
    name: "RBP",
    summary: "Rank-biased precision",
    source: "Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008, \
             equation 3; trec_eval 10's rbp",
    value,
    aliases: &[Alias::exact_case("rbp", "p=0.9"), Alias::same("rank_biased_precision")],
    written_behind: &[WrittenBehind { name: "rbp", arguments: p_behind }],
    // the tools' defaults of p differ, so it is always printed
    parameters: &[REL, P.always_printed(), MAX_REL, MIN_REL, JUDGED_ONLY, UNJUDGED],
    defaults: Parameters { p: Persistence::RBP, ..Parameters::BINARY },
    suffix: Suffix::OptionalCutoff,
    convention: |parameters| Some(convention(parameters)),
    trec_eval_name: |parameters| match (parameters.rel, parameters.cutoff) {
        // trec_eval's `-l` has no effect on it
        (Some(Relevant::GRADE_1), None) if parameters.p == Persistence::TREC_EVAL => Some("rbp".to_owned()),
        (Some(Relevant::GRADE_1), None) => Some(format!("rbp_p={}", parameters.p.get())),
        _ => None,
    },
    linear: Some(&Linear {
        weight: |rank, _, parameters| {
            let p = parameters.p.get();
            (1.0 - p) * p.powi(i32::try_from(rank - 1).unwrap_or(i32::MAX))
        },
        worth: |grade, parameters| worth(grade, parameters),
    }),
    retrieved_only: true,
    ..Definition::USUAL
};

fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let unjudged = parameters.unjudged;
    let best = unjudged == Unjudged::Best;
    let worth = |grade: Option<_>| match grade {
        grade if best && lacks_label(grade) => 1.0,
        Some(grade) => worth(grade, parameters),
        None => 0.0,
    };
    let p = parameters.p.get();
    let (mut sum, mut weight) = (0.0, 1.0);
    for grade in ranking.top(unjudged, parameters.cutoff) {
        sum += weight * worth(*grade);
        weight *= p;
    }
    (1.0 - p) * sum
}

/// The worth of a document of this grade.
fn worth(grade: Grade, parameters: &Parameters) -> f64 {
    match parameters.max_rel {
        None => f64::from(u8::from(is_relevant(Some(grade), parameters.relevant()))),
        Some(highest) => f64::from(grade.clamp(0, highest.grade())) / f64::from(highest.grade()),
    }
}

fn convention(parameters: &Parameters) -> String {
    let p = parameters.p.get();
    match parameters.max_rel {
        None => format!("p = {p}, worth 1 from grade {} on, else 0", parameters.relevant().grade()),
        Some(max_rel) => format!("p = {p}, worth grade / {}", max_rel.grade()),
    }
}

/// trec_eval's `rbp_p=0.8`, and ranx's `rbp.95`, whose point is the decimal one.
fn p_behind(behind: &str) -> Option<String> {
    match behind.get(1..) {
        Some(p) if p.starts_with("p=") => Some(p.to_owned()),
        _ => behind.starts_with('.').then(|| format!("p={behind}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::MaxGrade;

    #[test]
    fn by_hand() {
        let ranking = GradedRanking {
            retrieved: &[Some(3), None, Some(1)],
            ideal: &[3, 1],
            ..GradedRanking::default()
        };
        let binary = Parameters { p: Persistence::new(0.5).unwrap(), ..DEFINITION.defaults };
        let graded = Parameters { rel: None, max_rel: MaxGrade::from_grade(3), ..binary };
        assert_eq!(value(&ranking, &binary), 0.5 + 0.125);
        assert_eq!(value(&ranking, &graded), 0.5 + 0.125 / 3.0);
        let bound = Parameters { unjudged: Unjudged::Best, ..graded };
        assert_eq!(value(&ranking, &bound), 0.5 + 0.25 + 0.125 / 3.0);
    }
}
