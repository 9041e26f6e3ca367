//! The comparisons of a ledger: the votes that the study's own tournament counted.

use llull::LedgerError;
use std::collections::BTreeMap;

use llull::config::{CustomJudge, JudgeKind, JudgeSettings, TournamentSettings};
use llull::core::{Ballot, Outcome, Paradigm, Verdict};
use llull::{Study, StudyError};

use crate::collection::{judged, study, tournament, truth};
use crate::simulated_judge::{SimulatedJudge, order_of, ordered};

/// Returns how much weight each query's ballots give to one document before another.
fn preferences(study: &Study, names: &[String]) -> BTreeMap<(String, String), f64> {
    let ballots = study.attempts().ballots(names).unwrap().ballots;
    let mut preferences = BTreeMap::new();
    for (_, topic) in ballots.iter() {
        for Ballot { groups, rest, weight, .. } in &topic.ballots {
            let mut groups: Vec<_> = groups.clone();
            groups.push(rest.clone());
            for (at, group) in groups.iter().enumerate() {
                for (better, worse) in group
                    .iter()
                    .flat_map(|better| groups[at + 1..].iter().flatten().map(move |worse| (better, worse)))
                {
                    let name = |item| topic.id(item).unwrap().to_owned();
                    *preferences.entry((name(*better), name(*worse))).or_default() += weight;
                }
            }
        }
    }
    preferences
}

#[test]
fn every_answer_votes_as_it_voted_in_the_tournament() {
    for paradigm in [Paradigm::Pairwise, Paradigm::Listwise] {
        let study =
            study().tournament(tournament(paradigm)).judge(SimulatedJudge::comparing("fair", paradigm));
        let study = study.build().unwrap();
        let (_, outcome) = judged(&study);
        let found = preferences(&study, &[]);
        assert!(found.iter().all(|((better, worse), weight)| {
            let query = if better.starts_with('a') {
                "q1"
            } else if better.starts_with('b') {
                "q2"
            } else {
                "q3"
            };
            truth(query, better) > truth(query, worse) && *weight == 1.0
        }));
        let questions: usize =
            outcome.evidence.compared().into_iter().flatten().map(|query| query.questions).sum();
        let ballots = study.attempts().ballots(&[]).unwrap();
        assert_eq!(ballots.judges, ["fair"]);
        assert_eq!(ballots.ballots.iter().map(|(_, topic)| topic.ballots.len()).sum::<usize>(), questions);
    }
}

#[test]
fn with_a_double_check_a_preference_that_the_swap_overturns_is_a_tie() {
    let first = SimulatedJudge::new("first", Paradigm::Pairwise, |_, _| order_of(vec![vec![0], vec![1]]));
    let settings = TournamentSettings { double_check: true, ..tournament(Paradigm::Pairwise) };
    let study = study().tournament(settings).judge(first).build().unwrap();
    judged(&study);
    assert!(preferences(&study, &[]).is_empty());
    let ballots = study.attempts().ballots(&[]).unwrap().ballots;
    assert!(ballots.iter().all(|(_, topic)| topic.ballots.iter().all(|ballot| ballot.groups.len() == 1)));
}

#[test]
fn probabilities_split_a_vote() {
    let unsure = SimulatedJudge::new("unsure", Paradigm::Pairwise, |case, _| {
        let Outcome::Judged { verdict: Verdict::Compared(mut verdict) } = ordered(case, truth) else {
            unreachable!()
        };
        let first = if verdict.order[0] == [0] { 0.75 } else { 0.25 };
        verdict.probabilities = vec![first, 1.0 - first];
        Outcome::Judged { verdict: Verdict::Compared(verdict) }
    });
    let study = study().tournament(tournament(Paradigm::Pairwise)).judge(unsure).build().unwrap();
    judged(&study);
    let found = preferences(&study, &[]);
    for ((better, worse), weight) in &found {
        let other = found[&(worse.clone(), better.clone())];
        assert_eq!((weight + other).fract(), 0.0, "a question is worth 1: {found:?}");
    }
    assert_eq!(found[&("a1".into(), "a2".into())] / found[&("a2".into(), "a1".into())], 3.0);
}

#[test]
fn judges_are_chosen_by_name_and_weigh_what_the_study_says() {
    let kind = JudgeKind::Custom {
        judge: CustomJudge(std::sync::Arc::new(SimulatedJudge::comparing("heavy", Paradigm::Pairwise))),
    };
    let heavy =
        JudgeSettings { name: "heavy".into(), model: "heavy".into(), kind, concurrency: 1, weight: 3.0 };
    let study = study()
        .tournament(tournament(Paradigm::Pairwise))
        .judge(SimulatedJudge::comparing("light", Paradigm::Pairwise))
        .judge_settings(heavy)
        .build()
        .unwrap();
    judged(&study);
    let weights = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let found = preferences(&study, &names);
        found.values().map(|weight| weight.to_string()).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(weights(&["light"]), ["1".to_owned()].into());
    assert_eq!(weights(&["heavy"]), ["3".to_owned()].into());
    assert_eq!(weights(&[]), ["4".to_owned()].into());
    let error = study.attempts().ballots(&["nobody".to_owned()]).unwrap_err();
    let StudyError::Ledger(LedgerError::NotComparing { judge, known }) = error else { panic!("{error}") };
    assert_eq!((judge.as_str(), known), ("nobody", vec!["light".to_owned(), "heavy".to_owned()]));
}
