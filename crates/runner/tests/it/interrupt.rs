//! Ctrl-C, once and twice.

use std::{sync::Arc, thread, time::Duration};

use llull_runner::{Cancel, Event, Judge, Reporter, RunOutcome, StopReason, run};
use llull_store::MemoryLedger;

use crate::stage::{Stub, accounted, grade_of, graded, options, run_all, runtime, workload};

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

fn run_until(after: usize, judge: Arc<dyn Judge>, store: &mut MemoryLedger) -> RunOutcome {
    let cancel = Cancel::new();
    let reporter = Impatient { cancel: &cancel, after, seen: Default::default() };
    let outcome =
        run(runtime().handle(), &workload(10, 10), &[judge], store, &options(), &reporter, &cancel).unwrap();
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
    assert!(resumed.judges[0].pairs().eq(whole.0.unwrap().judges[0].pairs()));
}

#[test]
fn a_second_interrupt_does_not_wait() {
    // Every tenth document is never answered.
    let judge = Arc::new(Stub::new("j", |case, _| {
        (!case.document_id.ends_with('9')).then(|| graded(grade_of(case)))
    }));
    let (cancel, mut store) = (Cancel::new(), MemoryLedger::default());
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(150));
            cancel.interrupt();
            thread::sleep(Duration::from_millis(50));
            cancel.interrupt();
        });
        let judges: [Arc<dyn Judge>; 1] = [judge.clone()];
        let reporter = llull_runner::Silent;
        run(runtime().handle(), &workload(10, 10), &judges, &mut store, &options(), &reporter, &cancel)
            .unwrap()
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
    let reporter = llull_runner::Silent;
    let outcome =
        run(runtime().handle(), &workload(1, 5), &judges, &mut store, &options(), &reporter, &cancel)
            .unwrap();
    assert_eq!((judge.calls(), outcome.judges[0].not_asked), (0, 5));
}
