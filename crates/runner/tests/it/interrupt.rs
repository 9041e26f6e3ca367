//! Ctrl-C, once and twice.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use llull_core::{Answer, Failure, FailureKind};
use llull_runner::{
    Cancel, Driver, Event, Exhaustive, Judge, Reporter, RunError, RunOutcome, Silent, StopReason,
};
use llull_store::MemoryLedger;

use crate::stage::{
    Question, Stub, accounted, grade_of, graded, options, run, run_all, runtime, statuses, workload,
};

/// Interrupts at the nth verdict.
struct Impatient<'a> {
    cancel: &'a Cancel,
    after: usize,
    seen: std::cell::Cell<usize>,
}

impl Reporter for Impatient<'_> {
    fn event(&self, event: Event<'_>) {
        if let Event::Judged { .. } = event {
            self.seen.set(self.seen.get() + 1);
            if self.seen.get() == self.after {
                self.cancel.interrupt();
            }
        }
    }
}

/// Waits until a judge with four places hangs in all of them: it never answers about documents that end in 9.
fn all_places_hang(judge: &Stub) {
    wait_until(judge, |asked| asked.iter().filter(|question| question.document.ends_with('9')).count() == 4);
}

/// Waits for a judge's questions. There is no time limit: the test runner has one.
fn wait_until(judge: &Stub, reached: impl Fn(&[Question]) -> bool) {
    while !reached(&judge.asked()) {
        thread::sleep(Duration::from_millis(1));
    }
}

fn run_until(after: usize, judge: Arc<dyn Judge>, store: &mut MemoryLedger) -> RunOutcome {
    let cancel = Cancel::new();
    let reporter = Impatient { cancel: &cancel, after, seen: Default::default() };
    let outcome = run(&workload(10, 10), &[judge], store, &options(), &reporter, &cancel).unwrap();
    accounted(&outcome);
    outcome
}

#[test]
fn an_interrupted_run_keeps_what_is_in_flight_and_is_resumed() {
    let mut store = MemoryLedger::default();
    let mut calls = 0;
    for interruption in 0..3 {
        let judge = Arc::new(Stub { latency: |_| Duration::from_millis(3), ..Stub::steady("j") });
        let outcome = run_until(20, judge.clone(), &mut store);
        assert_eq!((outcome.stopped, outcome.abandoned), (Some(StopReason::Cancelled), 0));
        assert!((20..20 + 2 * 4).contains(&judge.calls()), "{}", judge.calls());
        calls += judge.calls();
        assert_eq!(store.attempts().len(), calls, "after {interruption}: all that was asked is recorded");
        assert_eq!(outcome.judges[0].judged, calls);
    }
    let judge = Arc::new(Stub::steady("j"));
    let resumed = run_all(&workload(10, 10), &[judge.clone()], &mut store, &options()).0.unwrap();
    assert_eq!(calls + judge.calls(), 100, "nothing was asked twice");
    let whole =
        run_all(&workload(10, 10), &[Arc::new(Stub::steady("j"))], &mut MemoryLedger::default(), &options());
    assert_eq!(statuses(&resumed.evidence, 0), statuses(&whole.0.unwrap().evidence, 0));
}

#[test]
fn a_second_interrupt_does_not_wait() {
    // Every tenth document is never answered.
    let judge = Arc::new(Stub::new("j", |case, _| {
        (!case.document_id().ends_with('9')).then(|| graded(grade_of(case)))
    }));
    let (cancel, mut store) = (Cancel::new(), MemoryLedger::default());
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            all_places_hang(&judge);
            cancel.interrupt();
            cancel.interrupt();
        });
        let judges: [Arc<dyn Judge>; 1] = [judge.clone()];
        let reporter = Silent;
        run(&workload(10, 10), &judges, &mut store, &options(), &reporter, &cancel).unwrap()
    });
    accounted(&outcome);
    assert_eq!(outcome.abandoned, 4, "all workers were stuck");
    assert_eq!(store.attempts().len(), judge.calls() - 4);
    assert_eq!(outcome.stopped, Some(StopReason::Cancelled));
}

#[test]
fn a_run_that_is_stopped_before_it_begins_asks_nothing() {
    let (cancel, judge) = (Cancel::new(), Arc::new(Stub::steady("j")));
    cancel.stop();
    let judges: [Arc<dyn Judge>; 1] = [judge.clone()];
    let mut store = MemoryLedger::default();
    let reporter = Silent;
    let outcome = run(&workload(1, 5), &judges, &mut store, &options(), &reporter, &cancel).unwrap();
    assert_eq!((judge.calls(), outcome.judges[0].not_asked), (0, 5));
}

#[test]
fn a_runtime_that_is_shut_down_ends_the_run() {
    let judge = Arc::new(Stub::new("j", |case, _| {
        (!case.document_id().ends_with('9')).then(|| graded(grade_of(case)))
    }));
    let (runtime, mut store) = (runtime(), MemoryLedger::default());
    let handle = runtime.handle().clone();
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            all_places_hang(&judge);
            runtime.shutdown_background();
        });
        let judges: [Arc<dyn Judge>; 1] = [judge.clone()];
        let (options, cancel) = (options(), Cancel::new());
        let driver = Driver { runtime: &handle, options: &options, reporter: &Silent, cancel: &cancel };
        driver.run(&mut Exhaustive::new(workload(10, 10)), &judges, &mut store).unwrap()
    });
    accounted(&outcome);
    assert_eq!((outcome.stopped, outcome.abandoned), (Some(StopReason::Cancelled), 4));
    assert_eq!(store.attempts().len(), judge.calls() - 4);
}

#[test]
fn a_runtime_without_threads_is_refused_instead_of_waiting_for_ever() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let judges: [Arc<dyn Judge>; 1] = [Arc::new(Stub::steady("j"))];
    let mut store = MemoryLedger::default();
    let (options, cancel) = (options(), Cancel::new());
    let driver = Driver { runtime: runtime.handle(), options: &options, reporter: &Silent, cancel: &cancel };
    let refused = driver.run(&mut Exhaustive::new(workload(1, 1)), &judges, &mut store);
    assert!(matches!(refused, Err(RunError::OneThread)), "{refused:?}");
}

#[test]
fn nothing_to_do_is_done_at_once() {
    for judges in [Vec::new(), vec![Arc::new(Stub { concurrency: 0, ..Stub::steady("j") }) as Arc<dyn Judge>]]
    {
        for workload in [workload(0, 0), workload(1, 0), workload(1, 3)] {
            let outcome = run_all(&workload, &judges, &mut MemoryLedger::default(), &options()).0.unwrap();
            assert!(outcome.evidence.is_complete() && outcome.stopped.is_none(), "{outcome:?}");
            let judged: usize = outcome.judges.iter().map(|judge| judge.judged).sum();
            assert_eq!(judged, judges.len() * workload.len());
        }
    }
}

#[test]
fn a_paused_run_can_be_interrupted() {
    let judge = Arc::new(Stub::new("j", |_, _| {
        let limited = Failure::new(FailureKind::RateLimited, "429");
        Some(Answer::from(Failure { retry_after_ms: Some(300_000), ..limited }))
    }));
    let cancel = Cancel::new();
    let started = Instant::now();
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            wait_until(&judge, |asked| asked.len() == 4);
            cancel.interrupt();
        });
        let judges: [Arc<dyn Judge>; 1] = [judge.clone()];
        let mut store = MemoryLedger::default();
        run(&workload(1, 9), &judges, &mut store, &options(), &Silent, &cancel).unwrap()
    });
    accounted(&outcome);
    assert_eq!((outcome.stopped, outcome.abandoned), (Some(StopReason::Cancelled), 0));
    assert!(started.elapsed() < Duration::from_secs(290), "five minutes were asked for");
}

#[test]
fn nothing_is_stopped_where_nothing_runs() {
    let (cancel, judge) = (Cancel::new(), Arc::new(Stub::steady("j")));
    assert!(!cancel.interrupt(), "before the run, the process can end");
    let judges: [Arc<dyn Judge>; 1] = [judge.clone()];
    let mut store = MemoryLedger::default();
    let reporter = Silent;
    let outcome = run(&workload(1, 5), &judges, &mut store, &options(), &reporter, &cancel).unwrap();
    assert_eq!((judge.calls(), outcome.stopped), (5, None), "and if it does not, the run is whole");
    assert!(!cancel.interrupt(), "nor behind it");
}

#[test]
fn a_run_whose_time_is_over_asks_nothing_more() {
    let (mut store, cancel, judge) = (MemoryLedger::default(), Cancel::new(), Arc::new(Stub::steady("j")));
    let judges: [Arc<dyn Judge>; 1] = [judge.clone()];
    cancel.expire();
    let outcome = run(&workload(10, 10), &judges, &mut store, &options(), &Silent, &cancel).unwrap();
    assert_eq!((outcome.stopped, judge.calls()), (Some(StopReason::TimeOver), 0));
}
