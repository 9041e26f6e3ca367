//! Several judges that compare: weights, majorities with cycles, and answers that one leaves out.

use llull::config::{CustomJudge, JudgeKind, JudgeSettings};
use llull::core::{FailureKind, Grade, Outcome, Paradigm, Reason, Unusable};

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
fn cycle() -> [SimulatedJudge; 3] {
    [("one", [3, 2, 1]), ("two", [1, 3, 2]), ("three", [2, 1, 3])]
        .map(|(name, [a, b, c])| opinionated(name, [("a1", a), ("a2", b), ("a3", c)]))
}

fn weighted(judge: SimulatedJudge, weight: f64) -> JudgeSettings {
    let name = llull::runner::JudgeIdentity::name(&judge).to_owned();
    let kind = JudgeKind::Custom { judge: CustomJudge(std::sync::Arc::new(judge)) };
    JudgeSettings { model: name.clone(), name, kind, concurrency: 1, weight }
}

#[test]
fn a_majority_with_a_cycle_is_one_tier() {
    let [one, two, three] = cycle();
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
        "1 triangle goes in a cycle for no judge alone: there the judges disagree, and none contradicts";
    assert!(report.markdown().unwrap().contains(said), "{}", report.markdown().unwrap());
    assert!(report.markdown().unwrap().contains("A cycle among 3"), "{}", report.markdown().unwrap());
}

#[test]
fn who_weighs_more_than_the_others_together_decides() {
    let [one, two, three] = cycle();
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
    let partial: Vec<u64> =
        outcome.evidence.compared().into_iter().flatten().map(|query| query.partial).collect();
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
    let tiers = outcome
        .evidence
        .compared()
        .unwrap()
        .iter()
        .map(|query| query.outcome.tiers.len())
        .collect::<Vec<_>>();
    assert_eq!(tiers, [1, 1, 1], "two opposites of equal weight leave one tier");
}

/// Two judges who know, and one who says the contrary: of each pair the two are ahead.
fn two_against_one() -> [SimulatedJudge; 3] {
    let fair = |name: &str| SimulatedJudge::comparing(name, Paradigm::Listwise);
    let contrary = |case: &llull::runner::Case<'_>, _| ordered(case, |query, id| -truth(query, id));
    [fair("one"), fair("two"), SimulatedJudge::new("contrary", Paradigm::Listwise, contrary)]
}

#[test]
fn what_follows_without_each_judge_and_how_far_the_judges_agree() {
    let [one, two, contrary] = two_against_one();
    let study = study()
        .tournament(tournament(Paradigm::Listwise))
        .judge(one)
        .judge(two)
        .judge(contrary)
        .build()
        .unwrap();
    let (inputs, outcome) = judged(&study);
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    let panel = report.summary().panel.clone().unwrap();
    let agreement: Vec<_> =
        panel.agreement.iter().map(|two| (two.judge.as_str(), two.other.as_str(), two.kappa)).collect();
    assert_eq!(agreement[0], ("one", "two", Some(1.0)));
    assert!(agreement[1].2.unwrap() < 0.0 && agreement[2].2.unwrap() < 0.0, "{agreement:?}");
    assert!(panel.agreement.iter().all(|two| two.n as usize == panel.pairs && two.n > 0));
    let votes = panel.votes.unwrap();
    assert_eq!((votes.method.as_str(), votes.split), ("majority", 0));
    let discrimination: Vec<f64> = votes.judges.iter().filter_map(|judge| judge.discrimination).collect();
    assert!(discrimination[0] > discrimination[2] && discrimination[0] == discrimination[1], "{votes:?}");
    let without: Vec<&str> = panel.without.iter().map(|without| without.sentence.as_str()).collect();
    // One who knows and one who says the contrary cancel out on every pair.
    assert!(without[0].starts_with("Without judge one, where the others' votes on "), "{without:?}");
    assert!(without[1].starts_with("Without judge two, where the others' votes on "), "{without:?}");
    assert_eq!(without[2], "Without judge contrary every finding is the same.");
    let markdown = report.markdown().unwrap();
    assert!(markdown.contains("## Panel\n\nOf each pair the document is ahead for which more"), "{markdown}");
    assert!(report.html().unwrap().contains("same preference"));
}

#[test]
fn judges_count_by_how_well_they_tell_documents_apart() {
    let build = |method: Option<llull::config::PanelRule>| {
        let [one, two, contrary] = two_against_one();
        // By its weight alone the contrary one would decide.
        let study = study()
            .tournament(tournament(Paradigm::Listwise))
            .judge(one)
            .judge(two)
            .judge_settings(weighted(contrary, 3.0));
        let study = method.into_iter().fold(study, |study, method| study.panel_method(method));
        study.build().unwrap()
    };
    let tiers = |study: &llull::Study| label_lines(&judged(study).1.evidence)[0].clone();
    assert_eq!(tiers(&build(None)), "q1: a1 0, a2 2, a3 3, a4 1");
    let aware = build(Some("judge-aware".parse().unwrap()));
    assert_eq!(tiers(&aware), "q1: a1 3, a2 1, a3 0, a4 2");
    let (inputs, outcome) = judged(&aware);
    let votes = aware.report(&inputs, &outcome.evidence).unwrap().summary().panel.clone().unwrap().votes;
    assert_eq!(votes.unwrap().method, "judge-aware");
}

#[test]
fn votes_are_counted_only_where_judges_compare() {
    let study = study().judge(SimulatedJudge::comparing("fair", Paradigm::Graded));
    let error = study.panel_method("judge-aware".parse().unwrap()).build().unwrap_err().to_string();
    assert!(error.contains("judge-aware counts votes, and here judges grade"), "{error}");
}

/// The three of a cycle, and a stronger judge that is asked about cycles.
fn asking_about_cycles(strong: SimulatedJudge) -> llull::Study {
    let [one, two, three] = cycle();
    let tournament = tournament(Paradigm::Listwise);
    let study = study().tournament(tournament).judge(one).judge(two).judge(three).judge(strong);
    study.escalate("cycle".parse().unwrap()).build().unwrap()
}

#[test]
fn a_stronger_judge_is_asked_about_the_cycle_alone_and_puts_it_in_order() {
    let study = asking_about_cycles(SimulatedJudge::comparing("strong", Paradigm::Listwise));
    let (inputs, outcome) = judged(&study);
    let evidence = &outcome.evidence;
    // By the truth a1 is before a2 before a3; a4 is below the cycle by every vote of the three.
    assert_eq!(label_lines(evidence)[0], "q1: a1 3, a2 2, a3 1, a4 0");
    assert!(evidence.is_complete());
    let asked = evidence.graders.as_ref().unwrap();
    let shown: Vec<usize> = asked.questions().map(|question| question.documents.len()).collect();
    assert_eq!(shown, [3]);
    let report = study.report(&inputs, evidence).unwrap();
    let said = "strong judges 1 tier, 3 documents of 1 query, whose documents the others' votes put in a cycle; it \
                puts 1 in order.";
    let cycles = report.summary().tournaments.clone().unwrap().cycles.unwrap();
    assert_eq!((cycles.sentences[0].as_str(), cycles.cost.calls), (said, 1));
    assert!(report.summary().decision.notes.contains(&said.to_owned()));
    assert!(report.markdown().unwrap().contains(&format!("## Escalation\n\n- {said}")));
    // Without one of the three there is no cycle, and the strong one is not needed.
    let panel = report.summary().panel.clone().unwrap();
    assert_eq!(panel.without.len(), 3);
}

#[test]
fn a_cycle_stands_where_the_stronger_judge_has_no_usable_answer_or_none_yet() {
    let unusable = || Outcome::Unusable(Unusable { reason: Reason::NoAnswer, detail: String::new() });
    for (broken, said) in [
        (failed(FailureKind::Rejected), "1 it has yet to judge, and the others' tier counts until then."),
        (unusable(), "1 its answers do not settle, and the others' tier counts."),
    ] {
        let strong = SimulatedJudge::new("strong", Paradigm::Listwise, move |_, _| broken.clone());
        let study = asking_about_cycles(strong);
        let (inputs, outcome) = judged(&study);
        assert_eq!(label_lines(&outcome.evidence)[0], "q1: a1 1, a2 1, a3 1, a4 0");
        let report = study.report(&inputs, &outcome.evidence).unwrap();
        let cycles = report.summary().tournaments.clone().unwrap().cycles.unwrap();
        assert!(cycles.sentences[0].ends_with(said), "{}", cycles.sentences[0]);
    }
}
