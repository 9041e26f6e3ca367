//! A benchmark that is judged anew: the pool has its own pairs, and its figures are beside the new ones.

use llull::Study;
use llull::core::Qrels;
use llull::report::{ComparisonFinding, ReferenceSection};

use crate::collection::{judged, label_lines, labels, study};
use crate::simulated_judge::SimulatedJudge;

/// Binary labels of six pairs; no system returned `c4`.
fn benchmark() -> Qrels {
    labels([
        ("q1", "a1", 1),
        ("q1", "a2", 1),
        ("q1", "a3", 0),
        ("q2", "b2", 1),
        ("q3", "c1", 1),
        ("q3", "c3", 0),
    ])
}

/// The same study by this measure alone.
fn by(measure: &str) -> Study {
    llull::Study::builder()
        .topics(crate::collection::topics())
        .corpus(crate::collection::corpus())
        .run(crate::collection::old_run())
        .run(crate::collection::new_run())
        .measure(measure.parse().unwrap())
        .recheck(0.0)
        .pool_of_reference()
        .reference(benchmark())
        .judge(SimulatedJudge::grading("fair", 0.0))
        .build()
        .unwrap()
}

fn anew(measure: Option<&str>) -> Study {
    let study = measure.iter().fold(study(), |study, name| study.measure(name.parse().unwrap()));
    let study = study.pool_of_reference().reference(benchmark());
    study.judge(SimulatedJudge::grading("fair", 0.0)).build().unwrap()
}

fn reference(study: &Study) -> ReferenceSection {
    let (inputs, outcome) = judged(study);
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    report.summary().reference.clone().unwrap()
}

#[test]
fn the_pairs_of_the_reference_are_judged_and_no_others() {
    let study = anew(None);
    let (inputs, outcome) = judged(&study);
    assert_eq!(label_lines(&outcome.evidence), ["q1: a1 3, a2 1, a3 0", "q2: b2 3", "q3: c1 3, c3 1"]);
    assert_eq!((inputs.pool.pairs(), inputs.pooled().as_str()), (6, "(the pairs of the reference)"));
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    let comparison = &report.summary().decision.comparisons[0];
    assert_eq!(comparison.missing, None, "what the benchmark does not label is not missing");
    assert_eq!(report.summary().provenance.pool_depth, None);
}

/// By hand, with an ideal of 3 + 1/log2 3 for q1 and q3 by grades. Old by grades: (1 + 3/log2 3)/ideal, 0.5,
/// (1 + 3/2)/ideal; in binary labels 1, 0.5, 0.5. New by grades: 1, 1/log2 3, (3 + 1/2)/ideal; in binary 1, 1/log2 3,
/// 1.
#[test]
fn old_and_new_figures_are_beside_each_other() {
    let found = reference(&anew(None)).systems;
    let rounded = |value: Option<f64>| (value.unwrap() * 1e4).round() / 1e4;
    let means: Vec<_> = found.means.iter().map(|mean| (rounded(mean.here), rounded(mean.there))).collect();
    assert_eq!(means, [(0.6617, 0.6667), (0.865, 0.877)]);
    let labelled: Vec<_> = found.means.iter().map(|mean| (mean.here_labelled, mean.there_labelled)).collect();
    assert_eq!(labelled, [(Some(6.0 / 9.0), Some(6.0 / 9.0)), (Some(5.0 / 9.0), Some(5.0 / 9.0))]);
    let [comparison] = found.comparisons.as_slice() else { panic!("{:?}", found.comparisons) };
    assert_eq!(rounded(comparison.here.mean_difference), 0.2032);
    assert_eq!(rounded(comparison.there.mean_difference), 0.2103);
    assert_eq!((comparison.there.n, comparison.there.decision), (3, ComparisonFinding::Inconclusive));
}

#[test]
fn binary_labels_are_not_taken_for_grades() {
    let found = reference(&anew(None));
    let why = "Grades are not compared one by one: the reference has 0 and 1, and these labels go to 3.";
    assert_eq!(found.not_compared.as_deref(), Some(why));
    assert_eq!((found.agreement.both, found.agreement.exact, found.agreement.kappa), (6, None, None));
    assert_eq!(found.agreement.confusion.counts, [[1, 0, 0], [1, 1, 0], [0, 3, 0]]);
    assert_eq!(found.disagreements.differ, 0);
}

/// Under the rubric's cutoff of 2 no binary label was relevant, and every system had 0.
#[test]
fn a_binary_reference_has_its_own_relevance() {
    let found = reference(&anew(Some("P@1"))).systems;
    assert_eq!(found.measure, "nDCG@3");
    let found = reference(&by("P@1")).systems;
    assert_eq!((found.measure.as_str(), found.measure_there.as_deref()), ("P(rel=2)@1", Some("P@1")));
    assert_eq!(found.means[1].there, Some(2.0 / 3.0));
}

/// Two grades are binary whatever they are called, and a third one makes grades of them.
#[test]
fn two_grades_are_binary() {
    let with = |grade: i32, other: i32| {
        let of = labels([("q1", "a1", grade), ("q1", "a3", 0), ("q2", "b2", other), ("q3", "c1", grade)]);
        let study = study().measure("P@1".parse().unwrap()).pool_of_reference().reference(of);
        reference(&study.judge(SimulatedJudge::grading("fair", 0.0)).build().unwrap())
    };
    let why = "Grades are not compared one by one: the reference has 0 and 3, and these labels go to 3.";
    assert_eq!(with(3, 3).not_compared.as_deref(), Some(why));
    assert_eq!(with(3, 2).not_compared, None);
}

/// Every system had 0, without a word.
#[test]
fn a_level_that_the_reference_lacks_has_no_figures() {
    let found = reference(&by("P(rel=2)@1")).systems;
    assert!(found.means.iter().all(|mean| mean.here.is_some() && mean.there.is_none()), "{found:?}");
    assert!(found.comparisons.is_empty());
    let why = found.not_measured.unwrap();
    assert!(why.contains("its highest grade is 1, and to P(rel=2)@1 2 is the lowest relevant one"), "{why}");
}

#[test]
fn queries_without_a_pair_are_counted_and_named() {
    let of = labels([("q1", "a1", 1), ("q1", "a3", 0)]);
    let study = study().pool_of_reference().reference(of);
    let inputs = study.judge(SimulatedJudge::grading("fair", 0.0)).build().unwrap().inputs().unwrap();
    assert_eq!((inputs.pool.pairs(), inputs.pooled_queries()), (2, 1));
    let notes: Vec<String> = inputs.notes.iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|note| note.contains("2 of 3 queries have no pair in")), "{notes:?}");
}

#[test]
fn a_reference_of_other_queries_is_refused() {
    let other = labels([("x1", "a1", 1)]);
    let study = study().pool_of_reference().reference(other);
    let study = study.judge(SimulatedJudge::grading("fair", 0.0)).build().unwrap();
    let error = study.inputs().unwrap_err().to_string();
    assert!(error.contains("x1"), "{error}");
}
