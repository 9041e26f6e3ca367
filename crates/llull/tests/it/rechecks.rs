//! Questions that are asked again, to learn how judges answer. None of the answers is a vote.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use llull::audit::{AskedAs, CheckKind, CheckOutcome};
use llull::config::{BudgetSettings, TournamentSettings};
use llull::core::{Document, Paradigm, Ranking, Run, Topic, Topics};
use llull::rank::Schedule;
use llull::store::{LedgerWriter, MemoryLedger};
use llull::{Estimate, LEAST_RECHECKS, Recheck, Study, StudyBuilder, StudyEvidence};
use llull_testkit::middle_last;

use crate::collection::{PAIRS, judged, known, label_lines, study, tournament, untimed_report};
use crate::simulated_judge::{SimulatedJudge, graded, order_of};

type SharedLedger = Arc<Mutex<dyn LedgerWriter>>;

/// A judge that always takes the document that is shown first.
fn first_shown() -> SimulatedJudge {
    SimulatedJudge::new("first", Paradigm::Pairwise, |_, _| order_of(vec![vec![0], vec![1]]))
}

fn exhaustive() -> TournamentSettings {
    TournamentSettings { schedule: Schedule::Exhaustive, rejudge: Some(0), ..tournament(Paradigm::Pairwise) }
}

/// Twelve queries, with so many documents each.
fn many_documents(documents: usize) -> StudyBuilder {
    let queries: Vec<String> = (0..12).map(|query| format!("q{query}")).collect();
    let topics: Topics =
        queries.iter().map(|id| Topic { id: id.clone(), text: format!("about {id}") }).collect();
    let id = |query: &str, at: usize| format!("{query}-{at}");
    let mut run = Run::new("run");
    let mut corpus = Vec::new();
    for query in &queries {
        let ids: Vec<String> = (0..documents).map(|at| id(query, at)).collect();
        let scored = ids.iter().zip(0..).map(|(id, at)| (id.as_str(), -f64::from(at)));
        run.insert(query.as_str(), Ranking::from_scored(scored));
        let texts = ids.iter().map(|id| (id.clone(), format!("the text of {id}")));
        corpus.extend(texts.map(|(id, text)| Document { id, text, ..Document::default() }));
    }
    Study::builder().topics(topics).corpus(corpus).run(run)
}

/// The same, of which every pair is a question.
fn every_pair(documents: usize) -> StudyBuilder {
    many_documents(documents).tournament(exhaustive())
}

fn ledger() -> SharedLedger {
    Arc::new(Mutex::new(MemoryLedger::default()))
}

fn asked_as(evidence: &StudyEvidence, way: AskedAs) -> Vec<Recheck<'_>> {
    evidence.rechecks().filter(|recheck| recheck.of.asked_as == way).collect()
}

fn estimate(study: &Study) -> Estimate {
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    study.estimates().open(&inputs, &evidence).unwrap().remove(0)
}

#[test]
fn a_judge_that_compares_is_asked_again_in_reverse_and_as_before() {
    let (judge, other) = (first_shown(), first_shown());
    let (log, plain) = (judge.log(), other.log());
    let study = every_pair(4).judge(judge).build().unwrap();
    let (inputs, outcome) = judged(&study);
    let (_, without) = judged(&every_pair(4).recheck(0.0).judge(other).build().unwrap());
    let (votes, half) = (12 * 6, LEAST_RECHECKS / 2);
    assert_eq!((plain.calls(), log.calls()), (votes, votes + LEAST_RECHECKS + half));
    assert_eq!(log.asked()[..votes], plain.asked(), "the votes come first, and are the same");

    let evidence = &outcome.evidence;
    assert_eq!(label_lines(evidence), label_lines(&without.evidence));
    assert_eq!(without.evidence.rechecks().count(), 0);
    let questions: Vec<_> = evidence.judges.questions().collect();
    let reversed = asked_as(evidence, AskedAs::Reversed);
    assert_eq!(reversed.len(), LEAST_RECHECKS);
    for recheck in &reversed {
        let vote = questions[recheck.of.vote];
        assert_eq!(vote.topic, recheck.question.topic);
        assert!(vote.documents.iter().rev().eq(recheck.question.documents));
        assert_eq!(recheck.status.order().unwrap().order, [[0], [1]], "the first again, so the other one");
    }
    let repeated = asked_as(evidence, AskedAs::Repeated);
    assert_eq!(repeated.len(), half);
    let of_reversed: BTreeSet<usize> = reversed.iter().map(|recheck| recheck.of.vote).collect();
    for recheck in &repeated {
        assert_eq!(questions[recheck.of.vote], recheck.question);
        assert!(of_reversed.contains(&recheck.of.vote), "the same questions, so that both can be compared");
    }
    // Checks count each of them once.
    let checks = study.judge_checks(&inputs, evidence);
    let n = |kind: CheckKind| checks.iter().find(|check| check.kind == kind).map(|check| check.n);
    assert_eq!(n(CheckKind::PositionFlip), Some(LEAST_RECHECKS));
    assert_eq!(n(CheckKind::RepeatFlip), Some(half));
    // What is left of it in the ledger alone.
    let ballots = study.attempts().ballots(&[]).unwrap().ballots;
    assert_eq!(ballots.iter().map(|(_, topic)| topic.ballots.len()).sum::<usize>(), votes);
    assert_eq!((outcome.tallies[0].planned, outcome.rechecked[0].planned), (votes, LEAST_RECHECKS + half));
    assert_eq!(outcome.rechecked[0].judged, LEAST_RECHECKS + half);
}

#[test]
fn half_of_the_lists_are_rotated_so_that_the_middle_shows() {
    let judge = SimulatedJudge::new("middle last", Paradigm::Listwise, |case, _| {
        let places: Vec<u16> = (0..case.document_count() as u16).collect();
        order_of(middle_last(&places).into_iter().map(|place| vec![place]).collect())
    });
    let settings = TournamentSettings { window: 5, ..tournament(Paradigm::Listwise) };
    let study = many_documents(15).tournament(settings).judge(judge).build().unwrap();
    let (inputs, outcome) = judged(&study);
    let evidence = &outcome.evidence;
    let questions: Vec<_> = evidence.judges.questions().collect();
    let [reversed, rotated] = [AskedAs::Reversed, AskedAs::Rotated].map(|way| asked_as(evidence, way));
    assert_eq!(reversed.len() + rotated.len(), LEAST_RECHECKS);
    assert!(rotated.len() >= 8, "{}", rotated.len());
    for recheck in &rotated {
        let mut shown = questions[recheck.of.vote].documents.to_vec();
        let half = shown.len() / 2;
        shown.rotate_left(half);
        assert_eq!(shown, recheck.question.documents);
    }
    let checks = study.judge_checks(&inputs, evidence);
    let of = |kind: CheckKind| checks.iter().find(|check| check.kind == kind).unwrap();
    assert_eq!(of(CheckKind::PositionFlip).n, LEAST_RECHECKS);
    assert_eq!(
        of(CheckKind::MiddlePlaces).outcome,
        CheckOutcome::Failed,
        "{:?}",
        of(CheckKind::MiddlePlaces)
    );
}

#[test]
fn what_was_asked_again_is_asked_once() {
    let ledger = ledger();
    let study = |documents| every_pair(documents).shared_ledger(Arc::clone(&ledger));
    judged(&study(4).judge(first_shown()).build().unwrap());
    let again = first_shown();
    let log = again.log();
    judged(&study(4).judge(again).build().unwrap());
    assert_eq!(log.calls(), 0);

    // With more questions others would have been drawn; those that were paid for stay.
    let joined = first_shown();
    let log = joined.log();
    let (_, outcome) = judged(&study(5).judge(joined).build().unwrap());
    assert_eq!(log.calls(), 12 * 4, "the pairs with the document that joined");
    assert_eq!(asked_as(&outcome.evidence, AskedAs::Reversed).len(), LEAST_RECHECKS);

    let (read, none) = (every_pair(5).recheck(0.0), first_shown());
    let log = none.log();
    let (_, outcome) = judged(&read.shared_ledger(Arc::clone(&ledger)).judge(none).build().unwrap());
    assert_eq!(log.calls(), 0);
    assert_eq!(
        asked_as(&outcome.evidence, AskedAs::Reversed).len(),
        LEAST_RECHECKS,
        "they are known all the same"
    );
}

#[test]
fn a_run_that_stopped_goes_on_asking_again() {
    let ledger = ledger();
    let mut calls = 0;
    let mut stopped = 0;
    while stopped < 10 {
        let judge = first_shown();
        let log = judge.log();
        let limits = BudgetSettings { calls: Some(20), ..BudgetSettings::default() };
        let study = every_pair(4).shared_ledger(Arc::clone(&ledger)).run_limits(limits).judge(judge);
        let (_, outcome) = judged(&study.build().unwrap());
        calls += log.calls();
        if outcome.stopped.is_none() {
            break;
        }
        stopped += 1;
    }
    assert_eq!((stopped, calls), (5, 12 * 6 + LEAST_RECHECKS + LEAST_RECHECKS / 2));
}

#[test]
fn the_price_of_asking_again_is_known_before() {
    let ledger = ledger();
    let study = |share: f64| {
        let study = every_pair(4).shared_ledger(Arc::clone(&ledger)).recheck(share);
        study.judge(first_shown()).build().unwrap()
    };
    let (votes, again) = (12 * 6, 30 + 15);
    let before = estimate(&study(0.05));
    assert_eq!(before.rechecks, again);
    assert_eq!(before.calls_lowest, Some(12 * 3 + 30 + 15));
    let without = estimate(&study(0.0));
    assert_eq!((without.rechecks, without.calls + again), (0, before.calls));
    judged(&study(0.0));
    let after = estimate(&study(0.05));
    assert_eq!((after.calls, after.rechecks, after.calls_highest), (again, again, Some(again)));
    // A share of more than the least.
    let (half, quarter) = (votes / 2, votes / 4);
    assert_eq!(estimate(&study(0.5)).calls, half + quarter);
    let (inputs, outcome) = judged(&study(0.5));
    assert_eq!(outcome.spent.attempts, half + quarter);
    let report = untimed_report(&study(0.5), &inputs, &outcome.evidence);
    assert_eq!(report["cost"]["judges"][0]["attempts"], votes + half + quarter, "{}", report["cost"]);
}

#[test]
fn where_both_orders_are_votes_only_the_noise_is_asked_for() {
    let judge = first_shown();
    let log = judge.log();
    let settings = TournamentSettings { double_check: true, ..exhaustive() };
    let (_, outcome) = judged(&every_pair(4).tournament(settings).judge(judge).build().unwrap());
    assert_eq!(log.calls(), 2 * 12 * 6 + LEAST_RECHECKS / 2);
    assert_eq!(asked_as(&outcome.evidence, AskedAs::Reversed).len(), 0);
    assert_eq!(asked_as(&outcome.evidence, AskedAs::Repeated).len(), LEAST_RECHECKS / 2);
}

/// Grades by how often they were asked for.
fn grader(grade: impl Fn(usize) -> i32 + Send + Sync + 'static) -> SimulatedJudge {
    SimulatedJudge::new("grader", Paradigm::Graded, move |_, times| graded(grade(times)))
}

#[test]
fn what_was_graded_again_counts_once_in_a_check() {
    let judge = grader(|times| times as i32);
    let log = judge.log();
    let study = many_documents(4).judge(judge).build().unwrap();
    let (inputs, outcome) = judged(&study);
    assert_eq!(log.calls(), 48 + LEAST_RECHECKS, "by default");
    let checks = study.judge_checks(&inputs, &outcome.evidence);
    let again = checks.iter().find(|check| check.kind == CheckKind::RepeatFlip).unwrap();
    assert_eq!((again.n, again.value), (LEAST_RECHECKS, Some(1.0)));
}

#[test]
fn fewer_grades_than_show_anything_are_asked_again_only_if_that_is_wanted() {
    let judge = SimulatedJudge::grading("grader", 0.0);
    let log = judge.log();
    judged(&study().judge(judge).build().unwrap());
    assert_eq!(log.calls(), PAIRS);

    let judge = SimulatedJudge::grading("grader", 0.0);
    let log = judge.log();
    let (_, outcome) = judged(&study().recheck(0.05).judge(judge).build().unwrap());
    assert_eq!(log.calls(), 2 * PAIRS, "fewer than the least are all");
    assert_eq!(outcome.evidence.judges.len(), PAIRS);
    for recheck in outcome.evidence.rechecks() {
        assert_eq!(recheck.of.asked_as, AskedAs::Repeated);
        assert_eq!(recheck.status, outcome.evidence.judges.judges()[0].status(recheck.of.vote));
    }
}

#[test]
fn a_judge_that_computes_its_answers_is_not_asked_again() {
    let study = study().recheck(1.0).tournament(tournament(Paradigm::Pairwise)).replay("known", known());
    let (_, outcome) = judged(&study.judge(first_shown()).build().unwrap());
    let judges: BTreeSet<usize> = outcome.evidence.rechecks().map(|recheck| recheck.judge).collect();
    assert_eq!(judges, BTreeSet::from([1]));
}
