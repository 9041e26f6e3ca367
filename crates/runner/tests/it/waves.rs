//! Questions that depend on answers: waves of comparisons.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use llull_core::{Answer, ComparedVerdict, FailureKind, Outcome, Reason, Status, Verdict};
use llull_runner::{
    Budget, Cancel, Judge, Limit, Pair, Plan, PooledDocument, Reporter, RunOptions, RunOutcome, StopReason,
    WaveAnswers, Workload,
};
use llull_store::{LedgerWriter, MemoryLedger, SqliteLedger};
use llull_testkit::WatchedLedger;

use crate::{
    knockout::{Knockout, QUESTIONS, comparer, order, ordered, steady},
    stage::{
        Stub, Transcript, failed, graded, options, read, run, run_plan, set, statuses, unusable, workload,
    },
};

/// Runs a knockout until it ends or stops.
fn play(
    judge: Stub,
    store: &mut dyn LedgerWriter,
    options: &RunOptions,
) -> (Knockout, RunOutcome, Arc<Stub>) {
    let (judge, mut knockout) = (Arc::new(judge), Knockout::new());
    let judges: [Arc<dyn Judge>; 1] = [judge.clone()];
    let outcome = knockout.run(&judges, store, options, &Transcript::default(), &Cancel::new()).unwrap();
    (knockout, outcome, judge)
}

#[test]
fn questions_follow_from_answers_and_the_outcome_sums_the_waves() {
    let (mut store, transcript) = (MemoryLedger::default(), Transcript::default());
    let judges: [Arc<dyn Judge>; 2] = [
        Arc::new(steady()),
        Arc::new(Stub {
            latency: |_| Duration::from_millis(2),
            ..comparer("k", |case, _| Some(ordered(case)))
        }),
    ];
    let mut knockout = Knockout::new();
    let outcome = knockout.run(&judges, &mut store, &options(), &transcript, &Cancel::new()).unwrap();
    assert_eq!(knockout.left(), [[7], [15], [23]], "the best of each topic");
    assert_eq!(
        (outcome.evidence.waves(), outcome.stopped.clone(), outcome.spent.attempts),
        (3, None, 2 * QUESTIONS as u64)
    );
    assert!(outcome.evidence.is_complete());
    for judge in &outcome.judges {
        assert_eq!((judge.planned, judge.judged, outcome.evidence.len()), (QUESTIONS, QUESTIONS, QUESTIONS));
    }
    assert_eq!(
        knockout.observed[0][0], knockout.observed[0][1],
        "both judges say the same, whichever is faster"
    );
    let observed: Vec<_> = knockout.observed.iter().flat_map(|wave| wave[1].clone()).collect();
    assert_eq!(statuses(&outcome.evidence, 1), observed, "one wave after the other");
    let waves: Vec<_> = transcript.lines().into_iter().filter(|line| line.starts_with("wave")).collect();
    let said =
        ["wave 0: 12 questions, 0 reused", "wave 1: 6 questions, 0 reused", "wave 2: 3 questions, 0 reused"];
    assert_eq!(waves, said);
    assert_eq!((transcript.count("planned"), transcript.count("finished")), (6, 1));
    for (_, attempt) in store.attempts() {
        assert_eq!((attempt.documents.len(), &attempt.documents[0]), (2, &attempt.document));
    }
}

#[test]
fn the_ledger_is_read_once() {
    let mut store = WatchedLedger::default();
    play(steady(), &mut store, &options());
    assert_eq!(store.used().passes(), 1, "three waves, one judge");
}

#[test]
fn a_run_that_was_interrupted_replays_its_waves_without_asking() {
    struct Impatient(Cancel, std::cell::Cell<usize>);
    impl Reporter for Impatient {
        fn event(&self, event: llull_runner::Event<'_>) {
            if let llull_runner::Event::Judged { .. } = event {
                self.1.set(self.1.get() + 1);
                if self.1.get() == 14 {
                    self.0.interrupt();
                }
            }
        }
    }
    let whole = play(steady(), &mut MemoryLedger::default(), &options()).0;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    let judge = Arc::new(Stub { concurrency: 1, ..steady() });
    let judges: [Arc<dyn Judge>; 1] = [judge.clone()];
    let (cancel, mut knockout) = (Cancel::new(), Knockout::new());
    let reporter = Impatient(cancel.clone(), Default::default());
    let mut store = SqliteLedger::open(&path).unwrap();
    let outcome = knockout.run(&judges, &mut store, &options(), &reporter, &cancel).unwrap();
    drop(store);
    assert_eq!((outcome.evidence.waves(), outcome.stopped), (2, Some(StopReason::Cancelled)));
    assert_eq!(knockout.observed.len(), 2, "the plan observes the wave that was cut short");
    assert_eq!((judge.calls(), outcome.judges[0].judged, outcome.judges[0].not_asked), (14, 14, 4));

    let mut store = SqliteLedger::open(&path).unwrap();
    let (resumed, outcome, judge) = play(steady(), &mut store, &options());
    assert_eq!((judge.calls(), outcome.judges[0].reused), (QUESTIONS - 14, 14));
    assert_eq!(resumed.observed, whole.observed);
    let none = RunOptions { budget: Budget { attempts: Some(0), ..Budget::default() }, ..options() };
    let (replayed, outcome, judge) = play(steady(), &mut store, &none);
    assert_eq!((judge.calls(), outcome.stopped, outcome.judges[0].reused), (0, None, QUESTIONS));
    assert_eq!(replayed.observed, whole.observed);
}

#[test]
fn a_budget_is_one_for_all_waves() {
    let budget = Budget { attempts: Some(15), ..Budget::default() };
    let (knockout, outcome, judge) =
        play(steady(), &mut MemoryLedger::default(), &RunOptions { budget, ..options() });
    let spent = StopReason::Budget(Limit::Attempts);
    assert_eq!((judge.calls(), outcome.spent.attempts, outcome.evidence.waves()), (15, 15, 2));
    assert_eq!(knockout.observed.len(), 2);
    assert_eq!((outcome.stopped, outcome.judges[0].not_asked), (Some(spent), 3));
}

#[test]
fn a_judge_that_fails_for_good_ends_the_run_with_its_wave() {
    let judge = comparer("j", |case, _| {
        // d3 is in the second wave.
        let second = case.document_ids().eq(["d1", "d3"]);
        Some(if second { failed(FailureKind::Quota) } else { ordered(case) })
    });
    let (knockout, outcome, judge) =
        play(Stub { concurrency: 1, ..judge }, &mut MemoryLedger::default(), &options());
    assert!(matches!(outcome.stopped, Some(StopReason::Judge { .. })), "{:?}", outcome.stopped);
    assert_eq!((outcome.evidence.waves(), judge.calls()), (2, 12 + 1));
    assert_eq!(knockout.observed[1][0][0], Status::Failed(FailureKind::Quota));
    assert_eq!(knockout.observed[1][0][1..], vec![Status::NotAsked; 5]);
}

#[test]
fn tasks_given_up_in_a_row_are_counted_over_waves() {
    // Three queries: 12, 6, 3 questions. None is answered, so the first document of each wins.
    let judge = comparer("j", |_, _| Some(failed(FailureKind::Rejected)));
    let options = RunOptions { give_up_limit: 15, ..options() };
    let (knockout, outcome, _) =
        play(Stub { concurrency: 1, ..judge }, &mut MemoryLedger::default(), &options);
    assert!(matches!(outcome.stopped, Some(StopReason::Failing { tasks: 15, .. })), "{:?}", outcome.stopped);
    assert_eq!((outcome.evidence.waves(), outcome.judges[0].gave_up, knockout.observed.len()), (2, 15, 2));
}

#[test]
fn an_answer_that_cannot_be_used_is_told_and_kept_with_its_documents() {
    let judge = comparer("j", |case, before| {
        let odd = case.document_ids().eq(["d0", "d1"]);
        Some(if odd && before < 2 { unusable(Reason::NotAnOrder) } else { ordered(case) })
    });
    let mut store = MemoryLedger::default();
    let (knockout, outcome, judge) = play(judge, &mut store, &options());
    let not_an_order = Status::Unusable { reason: Reason::NotAnOrder, times: 2 };
    assert_eq!(knockout.observed[0][0][0], not_an_order);
    assert_eq!((outcome.judges[0].unusable, judge.calls()), (1, QUESTIONS + 1), "it was asked again once");
    let kept: Vec<_> = store.attempts().iter().filter(|(_, attempt)| attempt.document == "d0").collect();
    assert!(kept[..2].iter().all(|(_, attempt)| attempt.documents == ["d0", "d1"]));
}

/// A plan of fixed waves.
struct Fixed(VecDeque<Arc<Workload>>);

impl Plan for Fixed {
    fn next(&mut self) -> Option<Arc<Workload>> {
        self.0.pop_front()
    }

    fn observe(&mut self, _: &WaveAnswers<'_>) {}
}

#[test]
fn what_a_wave_learns_is_not_asked_by_the_next() {
    let stock = workload(1, 3);
    let questions = |orders: &[[u32; 2]]| {
        Arc::new(stock.comparing(orders.iter().map(|order| set(0, order)).collect()).unwrap())
    };
    let judge = Arc::new(steady());
    let judges: [Arc<dyn Judge>; 1] = [judge.clone()];
    let mut plan = Fixed([questions(&[[0, 1]]), questions(&[[0, 1], [1, 0], [2, 1]])].into());
    let (mut store, transcript) = (MemoryLedger::default(), Transcript::default());
    let outcome = run_plan(&mut plan, &judges, &mut store, &options(), &transcript, &Cancel::new()).unwrap();
    let said = ["wave 1: 3 questions, 1 reused", "planned j: 3, 1 reused, 0 shared, 0 without text"];
    assert_eq!(transcript.lines()[3..5], said);
    assert_eq!(judge.calls(), 3, "another order is another question");
    assert_eq!(outcome.judges[0].planned, 4);
}

#[test]
fn every_document_that_a_question_shows_needs_its_text() {
    let topics = workload(1, 1).topics().to_vec();
    let mut documents = workload(1, 2).documents().to_vec();
    documents.push(PooledDocument::IdOnly("d2".into()));
    let stock = Workload::new(topics, documents, Vec::<Pair>::new()).unwrap();
    let workload = Arc::new(stock.comparing(vec![set(0, &[0, 2]), set(0, &[0, 1])]).unwrap());
    let judges: [Arc<dyn Judge>; 1] = [Arc::new(steady())];
    let (mut store, silent) = (MemoryLedger::default(), Transcript::default());
    let outcome = run(&workload, &judges, &mut store, &options(), &silent, &Cancel::new()).unwrap();
    let ends: Vec<_> =
        statuses(&outcome.evidence, 0).iter().map(|status| *status == Status::WithoutText).collect();
    assert_eq!((ends, outcome.judges[0].without_text, outcome.evidence.waves()), (vec![true, false], 1, 1));
}

#[test]
fn a_probability_that_is_no_number_does_not_spoil_the_ledger() {
    let judge = comparer("j", |case, _| {
        let verdict = ComparedVerdict { probabilities: vec![f64::NAN, 0.5], ..order(case) };
        Some(Answer { outcome: Outcome::Judged { verdict: Verdict::Compared(verdict) }, ..graded(0) })
    });
    let folder = tempfile::tempdir().unwrap();
    let mut store = SqliteLedger::open(folder.path().join("ledger.sqlite")).unwrap();
    let (knockout, _, judge) = play(judge, &mut store, &options());
    let kept = read(&store, &[judge], &mut Knockout::new(), &options()).unwrap();
    let statuses = statuses(&kept, 0);
    assert_eq!(statuses.len(), QUESTIONS);
    assert!(statuses.iter().all(|status| status.order().unwrap().probabilities.is_empty()));
    assert_eq!(knockout.left(), [[7], [15], [23]]);
}

/// A user's implementation of a judge may return anything; a verdict that does not answer the question never counts.
#[test]
fn a_verdict_that_is_no_order_of_what_was_shown_is_unusable() {
    let judge = comparer("j", |_, before| {
        let order = if before == 0 { vec![vec![0], vec![2]] } else { vec![vec![1], vec![0], vec![1]] };
        let verdict = ComparedVerdict { order, ..ComparedVerdict::default() };
        Some(Answer { outcome: Outcome::Judged { verdict: Verdict::Compared(verdict) }, ..graded(0) })
    });
    let to_the_end = RunOptions { unusable: None, ..options() };
    let (_, outcome, _) = play(judge, &mut MemoryLedger::default(), &to_the_end);
    assert_eq!((outcome.judges[0].judged, outcome.judges[0].unusable), (0, QUESTIONS));
    let twice = Status::Unusable { reason: Reason::NotAnOrder, times: 2 };
    assert_eq!(statuses(&outcome.evidence, 0), vec![twice; QUESTIONS]);
}
