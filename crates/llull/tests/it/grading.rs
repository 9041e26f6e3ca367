//! Judges that grade: the panel's median, and every way in which an answer can be missing.

use llull::core::{FailureKind, Paradigm, Reason, Status};

use crate::collection::{PAIRS, TRUTH, judged, label_lines, labels, study, truth};
use crate::simulated_judge::{SimulatedJudge, failed, graded, unusable};

const TRUE_LINES: [&str; 3] =
    ["q1: a1 3, a2 1, a3 0, a4 2", "q2: b1 2, b2 3, b3 0, b4 1", "q3: c1 3, c2 0, c3 1"];

#[test]
fn the_median_of_a_panel_counts_and_the_spread_is_kept() {
    let study = study()
        .judge(SimulatedJudge::grading("strict", -1.0))
        .judge(SimulatedJudge::grading("lenient", 1.0))
        .judge(SimulatedJudge::grading("fair", 0.0))
        .build()
        .unwrap();
    let (inputs, outcome) = judged(&study);
    assert_eq!(label_lines(&outcome.evidence), TRUE_LINES);
    let label = outcome.evidence.labels.get("q1", "a4").unwrap();
    assert_eq!((label.grade, label.low, label.high, label.judges), (2, 1, 3, 3));
    assert_eq!(
        outcome.evidence.panel().map(|judge| judge.name()).collect::<Vec<_>>(),
        ["strict", "lenient", "fair"]
    );
    assert!(outcome.evidence.is_complete() && outcome.stopped.is_none());
    assert_eq!(inputs.pool.pairs(), PAIRS);
}

#[test]
fn of_an_even_panel_the_lower_middle_counts() {
    let study = study()
        .judge(SimulatedJudge::grading("strict", -1.0))
        .judge(SimulatedJudge::grading("fair", 0.0))
        .build()
        .unwrap();
    let (_, outcome) = judged(&study);
    assert_eq!(outcome.evidence.labels.get("q1", "a4").unwrap().grade, 1);
}

#[test]
fn a_pair_that_one_judge_leaves_out_has_the_label_of_the_others() {
    let silent = SimulatedJudge::new("silent", Paradigm::Graded, |case, _| match case.document_id() {
        "a4" => failed(FailureKind::Rejected),
        _ => graded(truth(&case.topic.id, case.document_id())),
    });
    let study = study().judge(silent).judge(SimulatedJudge::grading("strict", -1.0)).build().unwrap();
    let (_, outcome) = judged(&study);
    let label = outcome.evidence.labels.get("q1", "a4").unwrap();
    assert_eq!((label.grade, label.judges), (1, 1));
    assert_eq!(outcome.evidence.labels.labelled(), PAIRS);
    assert!(!outcome.evidence.is_complete(), "one judge's answer is missing");
}

#[test]
fn every_way_to_be_missing_is_counted_apart() {
    let moody =
        SimulatedJudge::new("moody", Paradigm::Graded, |case, before| match (case.document_id(), before) {
            ("a1", _) => failed(FailureKind::Rejected),
            ("a2", _) => unusable(Reason::Malformed),
            ("a3", 0) => unusable(Reason::CutOff),
            _ => graded(truth(&case.topic.id, case.document_id())),
        });
    let log = moody.log();
    let mut corpus = crate::collection::corpus();
    corpus.iter_mut().find(|document| document.id == "a4").unwrap().text.clear();
    let study = study().corpus(corpus).judge(moody).build().unwrap();
    let (inputs, outcome) = judged(&study);

    let tally = &outcome.tallies[0];
    assert_eq!((tally.planned, tally.judged, tally.unusable), (PAIRS, 8, 1));
    assert_eq!((tally.gave_up, tally.not_asked, tally.without_text, tally.reused), (1, 0, 1, 0));
    let asked =
        |document: &str| log.asked().iter().filter(|asked| **asked == format!("q1 {document}")).count();
    assert_eq!(
        [asked("a1"), asked("a2"), asked("a3"), asked("a4")],
        [1, 2, 2, 0],
        "an unusable answer is asked once more"
    );
    assert_eq!(label_lines(&outcome.evidence)[0], "q1: a3 0");
    assert!(
        outcome.evidence.notes[0].text.contains("document \"a4\" has neither title nor text"),
        "{:?}",
        outcome.evidence.notes
    );

    let judge = &outcome.evidence.judges.judges()[0];
    let status = |document: &str| {
        let mut cases = outcome.evidence.judges.cases();
        judge.status(cases.position(|case| case.document_id() == document).unwrap()).clone()
    };
    assert_eq!(status("a1"), Status::Failed(FailureKind::Rejected));
    assert_eq!(status("a2"), Status::Unusable { reason: Reason::Malformed, times: 2 });
    assert_eq!((status("a3").grade(), status("a4")), (Some(0), Status::WithoutText));

    let coverage = study.report(&inputs, &outcome.evidence).unwrap().summary().coverage.clone();
    assert_eq!((coverage.pairs, coverage.labelled, coverage.missing), (PAIRS, 8, 3));
}

#[test]
fn what_failed_is_asked_again_by_the_next_run_and_what_was_unusable_is_not() {
    let moody =
        SimulatedJudge::new("moody", Paradigm::Graded, |case, before| match (case.document_id(), before) {
            ("a1", 0) => failed(FailureKind::Rejected),
            ("a2", _) => unusable(Reason::Malformed),
            _ => graded(truth(&case.topic.id, case.document_id())),
        });
    let log = moody.log();
    let study = study().judge(moody).build().unwrap();
    let (inputs, first) = judged(&study);
    assert_eq!((first.tallies[0].gave_up, log.calls()), (1, PAIRS + 1));
    let second = study.judge(&inputs).run().unwrap();
    assert_eq!((second.tallies[0].gave_up, log.calls()), (0, PAIRS + 2));
    assert_eq!(label_lines(&second.evidence)[0], "q1: a1 3, a3 0, a4 2");
}

#[test]
fn a_judge_that_nobody_can_ask_any_more_stops_the_run() {
    let locked = SimulatedJudge::new("locked", Paradigm::Graded, |_, _| failed(FailureKind::Unauthorized));
    let log = locked.log();
    let (_, outcome) = judged(&study().judge(locked).build().unwrap());
    let stopped = outcome.stopped.unwrap();
    assert!(
        matches!(&stopped, llull::runner::StopReason::Judge { judge, .. } if judge == "locked"),
        "{stopped:?}"
    );
    assert_eq!(log.calls(), 1);
    assert_eq!(outcome.tallies[0].not_asked + outcome.tallies[0].gave_up, PAIRS);
}

#[test]
fn replayed_labels_leave_out_what_is_not_in_them_or_off_the_scale() {
    let mut grades = labels(TRUTH.into_iter().filter(|(_, document, _)| *document != "a4"));
    grades.insert("q3", "c2", 9);
    let study = study().replay("known", grades).build().unwrap();
    let (_, outcome) = judged(&study);
    assert_eq!((outcome.tallies[0].judged, outcome.tallies[0].unusable), (9, 2));
    assert_eq!(label_lines(&outcome.evidence)[2], "q3: c1 3, c3 1");
}

#[test]
fn the_similarity_baseline_grades_every_text() {
    let study = study().similarity().build().unwrap();
    let (_, outcome) = judged(&study);
    assert_eq!(outcome.evidence.labels.labelled(), PAIRS);
    let grade = |document| outcome.evidence.labels.get("q2", document).unwrap().grade;
    assert!(grade("b2") > grade("b4"), "it counts the words that query and document share");
}

/// By hand, from the grades. nDCG@3 of q1 has the ideal 3 + 2/log2(3) + 1/log2(4).
#[test]
fn the_figures_are_those_worked_out_by_hand() {
    let study = study()
        .judge(SimulatedJudge::grading("fair", 0.0))
        .measure("P(rel=2)@1".parse().unwrap())
        .build()
        .unwrap();
    let (inputs, outcome) = judged(&study);
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    let l3 = 3f64.log2();
    let ideal = [3.0 + 2.0 / l3 + 0.5, 3.0 + 2.0 / l3 + 0.5, 3.0 + 1.0 / l3];
    let old = [1.0 + 3.0 / l3, 2.0 + 3.0 / 2.0, 1.0 + 3.0 / 2.0];
    let new = [3.0 + 1.0 / l3 + 2.0 / 2.0, 2.0 + 3.0 / l3 + 1.0 / 2.0, 3.0 + 1.0 / 2.0];
    let mean = |dcg: [f64; 3]| dcg.iter().zip(ideal).map(|(dcg, ideal)| dcg / ideal).sum::<f64>() / 3.0;
    let figure =
        |system: usize, figure: usize| report.summary().systems[system].figures[figure].mean.unwrap();
    assert!((figure(0, 0) - mean(old)).abs() < 1e-12, "{}", figure(0, 0));
    assert!((figure(1, 0) - mean(new)).abs() < 1e-12, "{}", figure(1, 0));
    // P(rel=2)@1: of the old system only b1 is good enough, of the new a1, b1 and c1.
    assert_eq!((figure(0, 1), figure(1, 1)), (1.0 / 3.0, 1.0));
}
