//! Judges that compare: tiers, labels, windows and orders.

use std::sync::Arc;

use llull::config::TournamentSettings;
use llull::core::{Paradigm, Reason};
use llull::label::TierScheme;
use llull::rank::Schedule;
use llull_testkit::{ScriptedModel, Taste, compared_json, reply};

use crate::collection::{PAIRS, corpus, judged, known, label_lines, study, tournament, truth};
use crate::simulated_judge::{SharedModel, SimulatedJudge, failed, order_of, ordered, unusable};

/// The tiers of the true grades, the worst of them 0.
const TIERS: [&str; 3] = ["q1: a1 3, a2 1, a3 0, a4 2", "q2: b1 2, b2 3, b3 0, b4 1", "q3: c1 2, c2 0, c3 1"];

#[test]
fn listwise_and_pairwise_judges_arrive_at_the_same_tiers() {
    for paradigm in [Paradigm::Listwise, Paradigm::Pairwise] {
        let judge = SimulatedJudge::comparing("fair", paradigm);
        let log = judge.log();
        let study = study().tournament(tournament(paradigm)).judge(judge).build().unwrap();
        let (_, outcome) = judged(&study);
        assert_eq!(label_lines(&outcome.evidence), TIERS);
        assert!(outcome.evidence.is_complete());
        let shown = log.asked().iter().map(|asked| asked.split(' ').count() - 1).max().unwrap();
        assert_eq!(shown, if paradigm == Paradigm::Pairwise { 2 } else { 4 }, "{:?}", log.asked());
    }
}

#[test]
fn every_schedule_arrives_at_the_same_tiers_and_few_pairs_are_asked_twice() {
    for schedule in [Schedule::Sequential, Schedule::Balanced, Schedule::Parallel, Schedule::Exhaustive] {
        let judge = SimulatedJudge::comparing("fair", Paradigm::Pairwise);
        let log = judge.log();
        let settings = TournamentSettings { schedule, ..tournament(Paradigm::Pairwise) };
        let (_, outcome) = judged(&study().tournament(settings).judge(judge).build().unwrap());
        assert_eq!(label_lines(&outcome.evidence), TIERS, "{schedule:?}");
        let mut asked = log.asked();
        asked.sort();
        asked.dedup();
        assert_eq!(asked.len(), log.calls(), "{schedule:?}");
        if schedule == Schedule::Exhaustive {
            assert_eq!(log.calls(), 6 + 6 + 3, "every pair");
        }
    }
}

#[test]
fn compat_measures_by_tiers_where_labels_are_ratings() {
    let scores = |labels: TierScheme, measure: &str| {
        let settings = TournamentSettings { labels, ..tournament(Paradigm::Listwise) };
        let study = study().tournament(settings).measure(measure.parse().unwrap()).replay("known", known());
        let study = study.build().unwrap();
        let (inputs, outcome) = judged(&study);
        let at = study.settings().measures.iter().position(|it| it.to_string() == measure).unwrap();
        let measured = study.measure(&inputs, &outcome.evidence.labels);
        let report = study.report(&inputs, &outcome.evidence).unwrap();
        let shown: Vec<f64> =
            report.summary().systems.iter().map(|system| system.figures[at].mean.unwrap()).collect();
        let values: Vec<f64> = measured.iter().map(|run| run.mean(at).unwrap()).collect();
        assert_eq!(shown, values);
        values
    };
    assert_eq!(scores(TierScheme::Rating, "Compat(p=0.9)"), scores(TierScheme::Ordinal, "Compat(p=0.9)"));
    assert_ne!(scores(TierScheme::Rating, "nDCG@3"), scores(TierScheme::Ordinal, "nDCG@3"));
}

#[test]
fn tiers_become_labels_by_the_scheme() {
    let labels = |labels: TierScheme| {
        let settings = TournamentSettings { labels, ..tournament(Paradigm::Listwise) };
        let study = study().tournament(settings).replay("known", known()).build().unwrap();
        label_lines(&judged(&study).1.evidence)
    };
    assert_eq!(labels(TierScheme::Ordinal), TIERS);
    let rating = labels(TierScheme::Rating);
    assert!(rating[0].contains("a1 10") && rating[0].contains(" 0"), "{rating:?}");
    assert_eq!(labels(TierScheme::Binary { top: 2 })[0], "q1: a1 1, a2 0, a3 0, a4 1");
    let geometric = labels(TierScheme::Geometric);
    assert_ne!(geometric, TIERS);
    assert!(geometric[0].contains("a3 0"), "{geometric:?}");
}

#[test]
fn equal_documents_share_a_tier() {
    let judge = SimulatedJudge::new("coarse", Paradigm::Listwise, |case, _| {
        ordered(case, |query, document| truth(query, document) / 2)
    });
    let (_, outcome) =
        judged(&study().tournament(tournament(Paradigm::Listwise)).judge(judge).build().unwrap());
    assert_eq!(label_lines(&outcome.evidence)[0], "q1: a1 1, a2 0, a3 0, a4 1");
}

#[test]
fn only_the_top_that_is_wanted_is_put_in_order() {
    let calls = |top| {
        let judge = SimulatedJudge::comparing("fair", Paradigm::Pairwise);
        let log = judge.log();
        let settings = TournamentSettings { top, ..tournament(Paradigm::Pairwise) };
        let (_, outcome) = judged(&study().tournament(settings).judge(judge).build().unwrap());
        assert!(outcome.evidence.compared().into_iter().flatten().all(|query| query.outcome.complete));
        log.calls()
    };
    assert!(calls(1) < calls(10), "{} {}", calls(1), calls(10));
}

#[test]
fn a_preference_counts_when_checked_only_if_it_survives_the_swap() {
    let first_shown =
        || SimulatedJudge::new("first", Paradigm::Pairwise, |_, _| order_of(vec![vec![0], vec![1]]));
    let settings = TournamentSettings { double_check: true, ..tournament(Paradigm::Pairwise) };
    let judge = first_shown();
    let log = judge.log();
    let (_, outcome) = judged(&study().tournament(settings.clone()).judge(judge).build().unwrap());
    assert_eq!(outcome.evidence.labels.labelled(), 0, "what comes first decides nothing");
    let mut asked = log.asked();
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), log.calls(), "each order once");
    let swapped = |asked: &String| {
        let words: Vec<&str> = asked.split(' ').collect();
        format!("{} {} {}", words[0], words[2], words[1])
    };
    assert!(asked.iter().all(|question| asked.contains(&swapped(question))), "{asked:?}");

    let fair = SimulatedJudge::comparing("fair", Paradigm::Pairwise);
    let (_, outcome) = judged(&study().tournament(settings).judge(fair).build().unwrap());
    assert_eq!(label_lines(&outcome.evidence), TIERS);
}

#[test]
fn two_orders_are_two_votes() {
    let judge = SimulatedJudge::comparing("fair", Paradigm::Listwise);
    let log = judge.log();
    let settings = TournamentSettings { orders: 2, ..tournament(Paradigm::Listwise) };
    let (_, outcome) = judged(&study().tournament(settings).judge(judge).build().unwrap());
    assert_eq!(label_lines(&outcome.evidence), TIERS);
    assert_eq!(log.calls(), 2 * 3, "each query is one set of documents, shown in two orders");
    assert_eq!(outcome.evidence.compared().unwrap()[0].questions, 2);
}

/// The votes are split by the probabilities, so that a judge who doubts its own order outvotes itself.
#[test]
fn probabilities_split_the_votes_of_a_pair() {
    let half_sure = |sure: f64| {
        SimulatedJudge::new("half sure", Paradigm::Pairwise, move |case, _| {
            let llull::core::Outcome::Judged { verdict: llull::core::Verdict::Compared(mut verdict) } =
                ordered(case, truth)
            else {
                unreachable!()
            };
            let first = if verdict.order[0] == [0] { sure } else { 1.0 - sure };
            verdict.probabilities = vec![first, 1.0 - first];
            llull::core::Outcome::Judged { verdict: llull::core::Verdict::Compared(verdict) }
        })
    };
    let lines = |sure| {
        let (_, outcome) = judged(
            &study().tournament(tournament(Paradigm::Pairwise)).judge(half_sure(sure)).build().unwrap(),
        );
        label_lines(&outcome.evidence)
    };
    assert_eq!(lines(0.75), TIERS);
    assert_ne!(lines(0.25), TIERS, "the words say one thing and the probabilities another");
}

#[test]
fn a_window_narrows_until_its_documents_fit() {
    let model = Arc::new(ScriptedModel::answering("scripted", |request| {
        let prompt = llull_testkit::prompt_of(&request.messages);
        Ok(reply(compared_json(&prompt, Taste::Merit, llull::core::Scale::default()).unwrap()))
    }));
    let mut corpus = corpus();
    let long = corpus.iter_mut().find(|document| document.id == "a2").unwrap();
    long.text = long.text.repeat(8);
    let settings = TournamentSettings { window_tokens: 100, ..tournament(Paradigm::Listwise) };
    let judge = SharedModel(Arc::clone(&model));
    let study =
        study().corpus(corpus).tournament(settings).model("scripted", judge, "listwise").build().unwrap();
    let (_, outcome) = judged(&study);
    let windows: Vec<usize> =
        outcome.evidence.compared().into_iter().flatten().map(|query| query.window).collect();
    assert!(windows[0] < windows[1], "{windows:?}");
    let shown = |query: &str| {
        let prompts = model.requests().into_iter().map(|request| llull_testkit::prompt_of(&request.messages));
        prompts
            .filter(|prompt| prompt.contains(query))
            .map(|prompt| prompt.matches("</document-").count())
            .max()
    };
    assert_eq!(shown("reset a forgotten"), Some(windows[0].min(4)));
    assert!(outcome.evidence.is_complete());
}

#[test]
fn a_document_without_a_text_and_a_query_with_one_or_none_take_part_as_far_as_they_can() {
    let mut corpus = corpus();
    corpus.iter_mut().find(|document| document.id == "a2").unwrap().text.clear();
    let run = crate::collection::run("one", [&["a1", "a2", "a4"], &[], &["c1"]]);
    let study = llull::Study::builder()
        .topics(crate::collection::topics())
        .corpus(corpus)
        .run(run)
        .measure("nDCG@3".parse().unwrap())
        .tournament(tournament(Paradigm::Listwise))
        .judge(SimulatedJudge::comparing("fair", Paradigm::Listwise))
        .build()
        .unwrap();
    let (_, outcome) = judged(&study);
    assert_eq!(outcome.evidence.labels.get("q1", "a2"), None, "nothing to show");
    assert_eq!(label_lines(&outcome.evidence)[0], "q1: a1 1, a4 0");
    let compared = outcome.evidence.compared().unwrap();
    assert_eq!(compared.iter().map(|query| query.documents.len()).collect::<Vec<_>>(), [2, 0, 1]);
}

#[test]
fn answers_that_are_no_orders_are_asked_once_more_and_settle_nothing() {
    let judge = SimulatedJudge::new("moody", Paradigm::Listwise, |case, _| match case.topic.id.as_str() {
        "q1" => unusable(Reason::NotAnOrder),
        "q2" => failed(llull::core::FailureKind::Rejected),
        _ => ordered(case, truth),
    });
    let study = study().tournament(tournament(Paradigm::Listwise)).judge(judge).build().unwrap();
    let (inputs, outcome) = judged(&study);
    assert_eq!(label_lines(&outcome.evidence), ["q1: ", "q2: ", TIERS[2]]);
    let tally = &outcome.tallies[0];
    assert!(tally.judged == 1 && tally.unusable > 0 && tally.gave_up > 0, "{tally:?}");
    assert_eq!(tally.planned, tally.judged + tally.unusable + tally.gave_up);
    assert!(!outcome.evidence.is_complete());
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    let totals = report.summary().tournaments.clone().unwrap().totals;
    assert_eq!((totals.unanswered, totals.topics_provisional), (tally.planned as u64 - 1, 2));
}

#[test]
fn what_a_replay_judge_does_not_know_takes_no_part() {
    let known: llull::core::Qrels = crate::collection::labels(
        crate::collection::TRUTH.into_iter().filter(|(_, document, _)| *document != "a4"),
    );
    let study = study().tournament(tournament(Paradigm::Listwise)).replay("known", known).build().unwrap();
    let (_, outcome) = judged(&study);
    assert_eq!(outcome.evidence.labels.labelled(), PAIRS - 1);
    let note = outcome.evidence.notes.iter().map(ToString::to_string).collect::<String>();
    assert!(
        note.contains("1 pooled document is not in the labels") && note.contains("document a4"),
        "{note}"
    );
}
