//! Anchored labels: judges that compare, and graders who grade a few documents of each tier.

use llull::StudyBuilder;
use llull::config::TournamentSettings;
use llull::core::{FailureKind, Paradigm};
use llull::label::TierScheme;

use crate::collection::{judged, label_lines, study, tournament};
use crate::simulated_judge::{SimulatedJudge, failed};

fn anchored(anchors: usize) -> TournamentSettings {
    TournamentSettings { labels: TierScheme::Anchored, anchors, ..tournament(Paradigm::Listwise) }
}

fn with(grader: SimulatedJudge, comparer: SimulatedJudge) -> StudyBuilder {
    study().tournament(anchored(1)).judge(grader).graders().judge(comparer)
}

fn fair() -> SimulatedJudge {
    SimulatedJudge::comparing("fair", Paradigm::Listwise)
}

#[test]
fn labels_are_the_grades_of_a_few_documents_of_each_tier() {
    let grader = SimulatedJudge::grading("grader", 0.0);
    let (graded, comparer) = (grader.log(), fair());
    let compared = comparer.log();
    let study = with(grader, comparer).build().unwrap();
    let (inputs, outcome) = judged(&study);
    let truth = ["q1: a1 3, a2 1, a3 0, a4 2", "q2: b1 2, b2 3, b3 0, b4 1", "q3: c1 3, c2 0, c3 1"];
    assert_eq!(label_lines(&outcome.evidence), truth);
    assert_eq!(graded.calls(), 4 + 4 + 3, "one of each tier");
    let names: Vec<&str> = outcome.evidence.panel().map(|judge| judge.name()).collect();
    assert_eq!(names, ["fair", "grader"]);
    assert_eq!(outcome.tallies.iter().map(|tally| tally.judge.as_str()).collect::<Vec<_>>(), names);
    let totals =
        study.report(&inputs, &outcome.evidence).unwrap().summary().tournaments.clone().unwrap().totals;
    assert_eq!(totals.anchors.unwrap().wrong, 0);

    let calls = (graded.calls(), compared.calls());
    let again = study.judge(&inputs).run().unwrap();
    assert_eq!((graded.calls(), compared.calls()), calls, "what was graded is in the ledger");
    assert_eq!(again.evidence.labels, outcome.evidence.labels);
}

#[test]
fn a_grader_who_contradicts_the_tiers_is_fitted_and_counted() {
    let contrary = SimulatedJudge::new("contrary", Paradigm::Graded, |case, _| {
        crate::simulated_judge::graded(3 - crate::collection::truth(&case.topic.id, case.document_id()))
    });
    let study = with(contrary, fair()).build().unwrap();
    let (inputs, outcome) = judged(&study);
    let labels = |document| outcome.evidence.labels.get("q1", document).unwrap().grade;
    assert!(labels("a1") >= labels("a4") && labels("a4") >= labels("a2"), "a label never contradicts a tier");
    let totals =
        study.report(&inputs, &outcome.evidence).unwrap().summary().tournaments.clone().unwrap().totals;
    assert!(totals.anchors.unwrap().wrong > 0, "{totals:?}");
}

#[test]
fn nobody_is_paid_to_grade_tiers_that_will_change() {
    let locked = SimulatedJudge::new("locked", Paradigm::Listwise, |_, _| failed(FailureKind::Unauthorized));
    let grader = SimulatedJudge::grading("grader", 0.0);
    let graded = grader.log();
    let (_, outcome) = judged(&with(grader, locked).build().unwrap());
    assert!(outcome.stopped.is_some());
    assert_eq!(graded.calls(), 0);
}

#[test]
fn a_grader_who_fails_is_why_it_stopped() {
    let locked = SimulatedJudge::new("locked", Paradigm::Graded, |_, _| failed(FailureKind::Unauthorized));
    let (_, outcome) = judged(&with(locked, fair()).build().unwrap());
    let stopped = outcome.stopped.unwrap();
    assert!(
        matches!(&stopped, llull::runner::StopReason::Judge { judge, .. } if judge == "locked"),
        "{stopped:?}"
    );
    assert_eq!(outcome.evidence.labels.labelled(), 0);
    assert!(!outcome.evidence.is_complete());
}
