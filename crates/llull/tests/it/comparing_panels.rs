//! Several judges that compare: weights, majorities that go round in circles, and answers that one leaves out.

use llull::config::{CustomJudge, JudgeKind, JudgeSettings};
use llull::core::{FailureKind, Grade, Paradigm};

use crate::collection::{judged, label_lines, study, tournament, truth};
use crate::simulated_judge::{SimulatedJudge, failed, ordered};

/// A judge that compares by grades of its own for q1.
fn opinionated(name: &str, opinion: [(&'static str, Grade); 3]) -> SimulatedJudge {
    SimulatedJudge::new(name, Paradigm::Listwise, move |case, _| {
        ordered(case, |query, document| {
            let own = opinion.iter().find(|(id, _)| *id == document);
            own.map_or_else(|| if query == "q1" { 0 } else { truth(query, document) }, |(_, grade)| *grade)
        })
    })
}

/// Condorcet's own: a1 over a2 over a3, a2 over a3 over a1, a3 over a1 over a2.
fn circle() -> [SimulatedJudge; 3] {
    [("one", [3, 2, 1]), ("two", [1, 3, 2]), ("three", [2, 1, 3])]
        .map(|(name, [a, b, c])| opinionated(name, [("a1", a), ("a2", b), ("a3", c)]))
}

fn weighted(judge: SimulatedJudge, weight: f64) -> JudgeSettings {
    let name = llull::runner::JudgeIdentity::name(&judge).to_owned();
    let kind = JudgeKind::Custom { judge: CustomJudge(std::sync::Arc::new(judge)) };
    JudgeSettings { model: name.clone(), name, kind, concurrency: 1, weight }
}

#[test]
fn a_majority_that_goes_round_in_a_circle_is_one_tier() {
    let [one, two, three] = circle();
    let study = study()
        .tournament(tournament(Paradigm::Listwise))
        .judge(one)
        .judge(two)
        .judge(three)
        .build()
        .unwrap();
    let (inputs, outcome) = judged(&study);
    assert_eq!(label_lines(&outcome.evidence)[0], "q1: a1 1, a2 1, a3 1, a4 0");
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    let totals = report.summary().tournaments.clone().unwrap().totals;
    assert_eq!((totals.cyclic_triangles, totals.topics_cyclic), (1, 1));
    // It is the majority's, and nobody's own.
    let panel = totals.panel.unwrap();
    let own: Vec<_> = panel.judges.iter().map(|own| (own.judge.as_str(), own.cyclic_triangles)).collect();
    assert_eq!(own, [("one", 0), ("two", 0), ("three", 0)]);
    assert_eq!((panel.cyclic_triangles, panel.of_no_judge), (1, 1));
    let said =
        "1 triangle goes in a circle for no judge alone: there the judges disagree, and none contradicts";
    assert!(report.markdown().unwrap().contains(said), "{}", report.markdown().unwrap());
    assert!(
        report.markdown().unwrap().contains("3 documents with a cycle"),
        "{}",
        report.markdown().unwrap()
    );
}

#[test]
fn who_weighs_more_than_the_others_together_decides() {
    let [one, two, three] = circle();
    let study = study()
        .tournament(tournament(Paradigm::Listwise))
        .judge(one)
        .judge_settings(weighted(two, 3.0))
        .judge(three)
        .build()
        .unwrap();
    let (_, outcome) = judged(&study);
    assert_eq!(label_lines(&outcome.evidence)[0], "q1: a1 1, a2 3, a3 2, a4 0");
}

#[test]
fn tiers_rest_on_the_votes_of_the_others_where_a_judge_fails() {
    let broken = SimulatedJudge::new("broken", Paradigm::Listwise, |case, _| match case.topic.id.as_str() {
        "q1" => failed(FailureKind::Rejected),
        _ => ordered(case, truth),
    });
    let study = study()
        .tournament(tournament(Paradigm::Listwise))
        .judge(SimulatedJudge::comparing("fair", Paradigm::Listwise))
        .judge(broken)
        .build()
        .unwrap();
    let (inputs, outcome) = judged(&study);
    assert_eq!(label_lines(&outcome.evidence)[0], "q1: a1 3, a2 1, a3 0, a4 2");
    let partial: Vec<u64> = outcome.evidence.compared.iter().flatten().map(|query| query.partial).collect();
    assert_eq!(partial[1..], [0, 0]);
    assert!(partial[0] > 0 && !outcome.evidence.is_complete());
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    let totals = report.summary().tournaments.clone().unwrap().totals;
    assert_eq!((totals.partial, totals.topics_partial), (partial[0], 1));
    let markdown = report.markdown().unwrap();
    assert!(
        markdown.contains("lack the answer of a judge of the panel")
            || markdown.contains("lacks the answer of a judge of the panel"),
        "{markdown}"
    );
}

#[test]
fn a_judge_of_another_fingerprint_votes_for_itself() {
    let (fair, contrary) = (
        SimulatedJudge::comparing("fair", Paradigm::Listwise),
        SimulatedJudge::new("contrary", Paradigm::Listwise, |case, _| {
            ordered(case, |query, id| -truth(query, id))
        }),
    );
    let study =
        study().tournament(tournament(Paradigm::Listwise)).judge(fair).judge(contrary).build().unwrap();
    let (_, outcome) = judged(&study);
    let tiers =
        outcome.evidence.compared.unwrap().iter().map(|query| query.outcome.tiers.len()).collect::<Vec<_>>();
    assert_eq!(tiers, [1, 1, 1], "two opposites of equal weight leave one tier");
}
