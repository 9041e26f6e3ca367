//! Judging that is stopped by a budget or from outside, and goes on: the labels are those of a run that was not
//! stopped.

use std::sync::{Arc, Mutex};

use llull::config::{BudgetSettings, TournamentSettings};
use llull::core::Paradigm;
use llull::label::TierScheme;
use llull::runner::{Cancel, Event, Limit, Reporter, StopReason};
use llull::store::LedgerWriter;
use llull::{BudgetScope, Study, StudyBuilder};

use crate::collection::{PAIRS, judged, study, tournament, untimed_report};
use crate::shared_ledger::shared_ledger;
use crate::simulated_judge::SimulatedJudge;

fn calls(calls: u64) -> BudgetSettings {
    BudgetSettings { calls: Some(calls), ..BudgetSettings::default() }
}

fn graded() -> StudyBuilder {
    study().judge(SimulatedJudge::grading("one", 0.0)).judge(SimulatedJudge::grading("two", 1.0))
}

fn compared(paradigm: Paradigm) -> StudyBuilder {
    study().tournament(tournament(paradigm)).judge(SimulatedJudge::comparing("fair", paradigm))
}

fn anchored() -> StudyBuilder {
    let settings = TournamentSettings { labels: TierScheme::Anchored, ..tournament(Paradigm::Listwise) };
    study()
        .tournament(settings)
        .judge(SimulatedJudge::grading("grader", 0.0))
        .graders()
        .judge(SimulatedJudge::comparing("fair", Paradigm::Listwise))
}

/// Runs a study in parts, so many calls each, and checks that it ends as one that was not stopped.
#[track_caller]
fn in_parts(builder: impl Fn() -> StudyBuilder, budget: u64) {
    let undisturbed = builder().build().unwrap();
    let (inputs, whole) = judged(&undisturbed);
    assert!(whole.stopped.is_none());
    let (ledger, _) = shared_ledger();
    let parts = builder().shared_ledger(Arc::clone(&ledger)).run_limits(calls(budget)).build().unwrap();
    let (mut spent, mut runs) = (0, 0);
    let last = loop {
        let outcome = parts.judge(&inputs).run().unwrap();
        spent += outcome.spent.attempts;
        runs += 1;
        if outcome.stopped.is_none() {
            break outcome;
        }
        assert_eq!(outcome.stopped, Some(StopReason::Budget(Limit::Attempts)));
        assert_eq!(outcome.spent.attempts, budget);
        assert!(!outcome.evidence.is_complete());
        let read = parts.evidence(&inputs).unwrap();
        assert_eq!(
            read.labels, outcome.evidence.labels,
            "what a stopped run has settled is what can be read"
        );
    };
    assert!(runs > 2, "{runs}");
    assert_eq!(spent, whole.spent.attempts, "nothing is asked twice");
    assert_eq!(last.evidence.labels, whole.evidence.labels);
    let report =
        |study: &Study, outcome: &llull::JudgingOutcome| untimed_report(study, &inputs, &outcome.evidence);
    assert_eq!(report(&parts, &last), report(&undisturbed, &whole));
}

#[test]
fn grading_goes_on_where_a_budget_stopped_it() {
    in_parts(graded, 5);
}

#[test]
fn comparing_goes_on_where_a_budget_stopped_it() {
    in_parts(|| compared(Paradigm::Pairwise), 4);
    in_parts(|| compared(Paradigm::Listwise), 1);
}

/// After 120 requests, all 40 queries were unsettled.
#[test]
fn a_limited_run_finishes_queries_one_after_the_other() {
    let whole = judged(&compared(Paradigm::Pairwise).build().unwrap()).1;
    let complete = |outcome: &llull::JudgingOutcome| -> Vec<bool> {
        outcome.evidence.compared().into_iter().flatten().map(|query| query.outcome.complete).collect()
    };
    assert!(complete(&whole).len() > 1 && complete(&whole).iter().all(|complete| *complete));
    let first = whole.evidence.compared().unwrap()[0].questions as u64;
    let limited = judged(&compared(Paradigm::Pairwise).run_limits(calls(first)).build().unwrap()).1;
    assert_eq!(limited.spent.attempts, first);
    assert_eq!(complete(&limited)[..2], [true, false]);
}

#[test]
fn a_budget_is_for_comparing_and_grading_together() {
    in_parts(anchored, 2);
}

/// `[budget] usd = 0.05` was spent twice.
#[test]
fn a_budget_of_the_study_is_spent_once() {
    let budgets = [
        (calls(5), Limit::Attempts),
        (BudgetSettings { tokens: Some(35), ..BudgetSettings::default() }, Limit::Tokens),
        (BudgetSettings { usd: Some(1.0), ..BudgetSettings::default() }, Limit::Usd),
    ];
    for (budget, limit) in budgets {
        let (ledger, _) = shared_ledger();
        let builder = || graded().shared_ledger(Arc::clone(&ledger));
        let study = builder().budget(budget).build().unwrap();
        let (inputs, first) = judged(&study);
        assert_eq!(first.stopped, Some(StopReason::Budget(limit)));
        let end = first.budget.unwrap();
        assert_eq!((end.scope, end.limit), (BudgetScope::Study, limit));
        let again = study.judge(&inputs).run().unwrap();
        assert_eq!(again.spent.attempts, 0, "{limit:?}");
        assert_eq!(again.stopped, Some(StopReason::Budget(limit)));
        let said = again.budget.unwrap().to_string();
        assert!(said.contains("the study's budget of") && said.contains("raise "), "{said}");
        let unlimited = builder().build().unwrap();
        assert!(unlimited.judge(&inputs).run().unwrap().stopped.is_none());
    }
}

#[test]
fn a_limit_of_a_run_holds_for_that_run() {
    let (ledger, _) = shared_ledger();
    let study = graded().shared_ledger(ledger).budget(calls(9)).run_limits(calls(4)).build().unwrap();
    let (inputs, first) = judged(&study);
    let said: Vec<_> = [first, study.judge(&inputs).run().unwrap(), study.judge(&inputs).run().unwrap()]
        .into_iter()
        .map(|outcome| (outcome.spent.attempts, outcome.budget.unwrap()))
        .collect();
    let scopes: Vec<_> = said.iter().map(|(asked, end)| (*asked, end.scope)).collect();
    assert_eq!(scopes, [(4, BudgetScope::Run), (4, BudgetScope::Run), (1, BudgetScope::Study)]);
    assert!(said[0].1.to_string().contains("this run's limit of 4 requests (--max-calls)"), "{}", said[0].1);
    assert!(said[2].1.to_string().contains("its ledger records 9 requests"), "{}", said[2].1);
}

#[test]
fn tokens_and_dollars_are_budgets_too() {
    let spent = |budget| judged(&graded().budget(budget).build().unwrap()).1;
    let tokens = spent(BudgetSettings { tokens: Some(35), ..BudgetSettings::default() });
    assert_eq!(tokens.stopped, Some(StopReason::Budget(Limit::Tokens)));
    assert!((4..8).contains(&tokens.spent.attempts), "{:?}", tokens.spent);
    let dollars = spent(BudgetSettings { usd: Some(1.0), ..BudgetSettings::default() });
    assert_eq!(dollars.stopped, Some(StopReason::Budget(Limit::Usd)));
    assert!(dollars.spent.usd >= Some(1.0) && dollars.spent.attempts < PAIRS as u64, "{:?}", dollars.spent);
}

/// Stops a run after so many answers.
struct StopsAfter<'a> {
    answers: Mutex<usize>,
    cancel: &'a Cancel,
}

impl Reporter for StopsAfter<'_> {
    fn event(&self, event: Event<'_>) {
        if let Event::Judged { .. } = event {
            let mut left = self.answers.lock().unwrap();
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.cancel.stop();
            }
        }
    }
}

#[test]
fn a_run_that_is_cancelled_goes_on_later() {
    for builder in [graded, || compared(Paradigm::Pairwise), anchored] {
        let (inputs, whole) = judged(&builder().build().unwrap());
        let ledger: Arc<Mutex<dyn LedgerWriter>> = shared_ledger().0;
        let study = builder().shared_ledger(ledger).build().unwrap();
        let cancel = Cancel::new();
        let reporter = StopsAfter { answers: Mutex::new(3), cancel: &cancel };
        let stopped = study.judge(&inputs).cancel(&cancel).reporter(&reporter).run().unwrap();
        assert_eq!(stopped.stopped, Some(StopReason::Cancelled));
        let last = study.judge(&inputs).run().unwrap();
        assert_eq!(last.evidence.labels, whole.evidence.labels);
        assert_eq!(stopped.spent.attempts + last.spent.attempts, whole.spent.attempts);
    }
}

#[test]
fn half_a_panel_settles_nothing() {
    let contrary = SimulatedJudge::new("contrary", Paradigm::Listwise, |case, _| {
        crate::simulated_judge::ordered(case, |query, id| -crate::collection::truth(query, id))
    });
    let study = compared(Paradigm::Listwise).judge(contrary).budget(calls(3)).build().unwrap();
    let (inputs, outcome) = judged(&study);
    assert!(outcome.stopped.is_some());
    let settled =
        outcome.evidence.compared().into_iter().flatten().filter(|query| query.outcome.complete).count();
    assert!(
        settled <= 1,
        "every query is one question to each of two judges, and three were answered: {settled}"
    );
    assert_eq!(study.evidence(&inputs).unwrap().labels, outcome.evidence.labels);
}

#[test]
fn one_order_of_two_settles_nothing() {
    let settings = TournamentSettings { orders: 2, ..tournament(Paradigm::Listwise) };
    let judge = SimulatedJudge::comparing("fair", Paradigm::Listwise);
    let (_, outcome) = judged(&study().tournament(settings).judge(judge).budget(calls(1)).build().unwrap());
    assert_eq!(outcome.evidence.labels.labelled(), 0);
}
