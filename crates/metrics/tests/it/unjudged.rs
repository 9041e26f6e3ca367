//! Documents that nobody judged: condensed lists and bounds.

use llull_core::Grade;
use llull_metrics::evaluate;
use proptest::prelude::*;

use crate::lists::{grades, measures, topic, values};

/// Those that have a bound which some labels reach.
const REACHED: [&str; 16] = [
    "AP",
    "AP@5",
    "RR",
    "RR@5",
    "P@5",
    "P(relative=True)@5",
    "R@5",
    "Success@5",
    "SetP",
    "SetP(relative=True)",
    "SetF(beta=2)",
    "SetAP",
    "DCG@5",
    "ERR(max_rel=1)@5",
    "RBP(p=0.8)",
    "RBP(p=0.8,max_rel=1)@5",
];

/// The name with one more parameter.
fn with(name: &str, parameter: &str) -> String {
    let (head, at) =
        name.split_once('@').map_or((name, String::new()), |(head, at)| (head, format!("@{at}")));
    match head.strip_suffix(')') {
        Some(open) => format!("{open},{parameter}){at}"),
        None => format!("{head}({parameter}){at}"),
    }
}

proptest! {
    /// A condensed list is the list without what nobody judged.
    #[test]
    fn judged_only_is_a_shorter_list(grades in grades(), elsewhere in proptest::collection::vec(-1..4i32, 0..9)) {
        let judged: Vec<_> = grades.iter().copied().filter(|grade| grade.is_some_and(|grade| grade >= 0)).collect();
        // negative labels stay labels of documents that are not retrieved
        let negative = grades.iter().flatten().filter(|grade| **grade < 0);
        let labels: Vec<Grade> = elsewhere.iter().chain(negative).copied().collect();
        let plain = [
            "nDCG@5", "DCG", "AP", "AP(rel=2)@5", "RR", "P@5", "R@5", "Success@1", "Rprec", "IPrec@0.4",
            "11pt_avg", "SetP", "SetF", "SetAP", "ERR@5", "nERR", "RBP(p=0.9)", "P(relative=True)@5",
        ];
        let condensed: Vec<String> = plain.iter().map(|name| with(name, "judged_only=True")).collect();
        let condensed: Vec<&str> = condensed.iter().map(String::as_str).collect();
        prop_assert_eq!(values(&condensed, &grades, &elsewhere), values(&plain, &judged, &labels));
    }

    /// Whatever the documents without a label turn out to be, and whatever else turns up.
    #[test]
    fn bounds_hold(
        grades in proptest::collection::vec(proptest::option::weighted(0.6, 0..4i32), 0..20),
        elsewhere in proptest::collection::vec(0..4i32, 0..6),
        truth in proptest::collection::vec(0..4i32, 20),
        found_later in proptest::collection::vec(0..4i32, 0..6),
    ) {
        let highest = grades.iter().flatten().chain(&elsewhere).copied().max().unwrap_or(1).max(1);
        let labelled = grades.iter().zip(&truth);
        let labelled: Vec<_> =
            labelled.map(|(grade, truth)| Some(grade.unwrap_or(*truth.min(&highest)))).collect();
        let all: Vec<Grade> = elsewhere.iter().chain(&found_later).map(|grade| *grade.min(&highest)).collect();
        let plain = [
            "nDCG", "nDCG@5", "nDCG(dcg='exp-log2')@5", "nDCG(gains={1:7,2:1})@5", "nERR(max_rel=3)@5", "nERR",
            "DCG", "DCG(gains={1:7,2:1})@5", "ERR@5", "RBP(p=0.8,max_rel=3)", "AP", "AP(rel=2)@5", "RR",
            "RR(rel=2)@5", "P@5", "R@5", "R(rel=2)@5", "Success@5", "SetP", "SetF", "SetAP",
        ];
        let bound: Vec<String> = plain.iter().map(|name| with(name, "unjudged='best'")).collect();
        let bound: Vec<&str> = bound.iter().map(String::as_str).collect();
        let highest_possible = values(&bound, &grades, &elsewhere);
        for ((name, value), bound) in plain.iter().zip(values(&plain, &labelled, &all)).zip(highest_possible) {
            prop_assert!(value <= bound + 1e-12, "{} {} {}", name, value, bound);
        }
        let rising = ["DCG", "ERR@5", "RBP(p=0.8,max_rel=3)", "RBP(p=0.8)", "RR", "P@5", "Success@5", "SetP"];
        let before = values(&rising, &grades, &elsewhere);
        for ((name, low), value) in rising.iter().zip(&before).zip(values(&rising, &labelled, &all)) {
            prop_assert!(*low <= value + 1e-12, "{} {} {}", name, low, value);
        }
        let residual = values(&["RBPResidual(p=0.8)"], &grades, &elsewhere)[0];
        let judged = values(&["RBP(p=0.8,max_rel=3)"], &labelled, &all)[0];
        prop_assert!(grades.is_empty() || judged <= before[2] + residual + 1e-12);
    }

    #[test]
    fn bounds_are_reached(
        grades in proptest::collection::vec(proptest::option::weighted(0.6, 0..2i32), 0..12),
        elsewhere in proptest::collection::vec(0..2i32, 0..4),
    ) {
        let missing: Vec<usize> = (0..grades.len()).filter(|place| grades[*place].is_none()).take(7).collect();
        let mut grades = grades;
        for (place, grade) in grades.iter_mut().enumerate() {
            if !missing.contains(&place) {
                *grade = grade.or(Some(0));
            }
        }
        let mut most = vec![0f64; REACHED.len()];
        for relevant in 0..1u32 << missing.len() {
            let mut labelled = grades.clone();
            for (bit, place) in missing.iter().enumerate() {
                labelled[*place] = Some(i32::from(relevant >> bit & 1 == 1));
            }
            for (most, value) in most.iter_mut().zip(values(&REACHED, &labelled, &elsewhere)) {
                *most = most.max(value);
            }
        }
        let bound: Vec<String> = REACHED.iter().map(|name| with(name, "unjudged='best'")).collect();
        let bound: Vec<&str> = bound.iter().map(String::as_str).collect();
        for ((name, most), bound) in bound.iter().zip(most).zip(values(&bound, &grades, &elsewhere)) {
            prop_assert!((most - bound).abs() < 1e-12, "{} {} {}", name, most, bound);
        }
    }
}

#[test]
fn what_was_left_out_was_not_seen() {
    let grades = [Some(1), None, Some(0), Some(-1), Some(2), None];
    let (qrels, run) = topic(&grades, &[]);
    let names = ["P(judged_only=True)@2", "AP(judged_only=True)", "P(unjudged='best')@2", "NumRel", "Bpref"];
    let cells = evaluate(&measures(&names), &qrels, &run).topics[0].cells.clone();
    let counts: Vec<(u32, u32)> = cells.iter().map(|cell| (cell.seen, cell.unjudged)).collect();
    assert_eq!(counts, [(2, 0), (3, 0), (2, 1), (0, 0), (6, 2)]);
}
