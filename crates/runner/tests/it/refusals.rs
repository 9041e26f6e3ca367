//! Questions that a judge's server refuses because of their text.

use std::sync::Arc;

use llull_core::{Answer, AskAgain, Failure, FailureKind, Outcome, Reason, Status};
use llull_runner::{Budget, Case, Exhaustive, Judge, RunOptions};
use llull_store::{MemoryLedger, Totals};

use crate::stage::{Stub, grade_of, graded, options, read, run_all, unusable, workload};

/// The number of refused documents, the first of the pool.
const REFUSED: usize = 60;

fn is_refused(case: &Case<'_>) -> bool {
    case.document_id().strip_prefix('d').and_then(|at| at.parse().ok()).is_some_and(|at: usize| at < REFUSED)
}

/// A judge whose server refuses the first documents.
fn filtered(kind: FailureKind) -> Arc<Stub> {
    Arc::new(Stub::new("j", move |case, _| {
        Some(match is_refused(case) {
            true => Answer::from(Failure::new(kind, "400: content_filter")),
            false => graded(grade_of(case)),
        })
    }))
}

/// Twenty refused documents in a row stopped the run, and every later run sent the same twenty first.
#[test]
fn refused_documents_do_not_stop_a_judge_and_are_skipped_by_the_next_run() {
    for (kind, reason) in [(FailureKind::Refused, Reason::Refused), (FailureKind::TooLong, Reason::TooLong)] {
        let workload = workload(40, 5);
        let mut store = MemoryLedger::default();
        let judge = filtered(kind);
        let (outcome, transcript) = run_all(&workload, &[judge.clone()], &mut store, &options());
        let outcome = outcome.unwrap();
        assert_eq!((outcome.stopped, outcome.stopped_judges.len()), (None, 0));
        let part = &outcome.judges[0];
        assert_eq!((part.judged, part.refused, part.unusable, part.gave_up), (200 - REFUSED, REFUSED, 0, 0));
        assert_eq!(judge.calls(), 200, "no refusal is asked again");
        assert_eq!(transcript.count("refused 0 q0 d0"), 1);
        let first = &store.attempts()[0].1;
        assert!(matches!(&first.answer.outcome, Outcome::Unusable(unusable) if unusable.reason == reason));
        let totals = Totals::read(&store, None).unwrap();
        assert_eq!((totals.refused_attempts(), totals.unusable_attempts()), (REFUSED as u64, 0));

        let judges: Vec<Arc<dyn Judge>> = vec![judge.clone()];
        let kept = read(&store, &judges, &mut Exhaustive::new(workload.clone()), &options()).unwrap();
        assert_eq!(kept.judges()[0].status(0), &Status::Refused(reason));
        assert_eq!((kept.judges()[0].open(), kept.judges()[0].counts().refused), (0, REFUSED));
        run_all(&workload, &judges, &mut store, &options()).0.unwrap();
        assert_eq!(judge.calls(), 200, "nothing is left to ask");
    }
}

/// Refusals before this time.
fn asked_again(before_ms: i64) -> AskAgain {
    AskAgain { refused: true, unparsable: false, before_ms }
}

#[test]
fn refused_documents_are_asked_again_on_request_and_once() {
    let workload = workload(40, 5);
    let mut store = MemoryLedger::default();
    run_all(&workload, &[filtered(FailureKind::Refused)], &mut store, &options()).0.unwrap();
    let retrying = RunOptions { ask_again: Some(asked_again(i64::MAX)), ..options() };
    let still = filtered(FailureKind::Refused);
    let judges: Vec<Arc<dyn Judge>> = vec![still.clone()];
    let open = read(&store, &judges, &mut Exhaustive::new(workload.clone()), &retrying).unwrap();
    assert_eq!(open.judges()[0].open(), REFUSED);
    let outcome = run_all(&workload, &judges, &mut store, &retrying).0.unwrap();
    assert_eq!((still.calls(), outcome.judges[0].refused), (REFUSED, REFUSED));
    // Refusals after that time are final: within one session, no part repeats a question that another part got
    // refused.
    let before = RunOptions { ask_again: Some(asked_again(0)), ..options() };
    run_all(&workload, &judges, &mut store, &before).0.unwrap();
    assert_eq!(still.calls(), REFUSED);
    let lenient = Arc::new(Stub::steady("j"));
    let outcome = run_all(&workload, &[lenient.clone()], &mut store, &retrying).0.unwrap();
    assert_eq!((lenient.calls(), outcome.judges[0].judged), (REFUSED, 200));
}

/// The question of an unparsable reply is repeated, and a refusal is left alone.
#[test]
fn unparsable_replies_are_asked_again_on_request() {
    let workload = workload(40, 5);
    let mut store = MemoryLedger::default();
    let is_odd = |case: &Case<'_>| case.document_id().ends_with(['1', '3', '5', '7', '9']);
    let unreadable = move |case: &Case<'_>| match (is_refused(case), is_odd(case)) {
        (true, _) => Answer::from(Failure::new(FailureKind::Refused, "400: content_filter")),
        (false, true) => unusable(Reason::CutOff),
        (false, false) => graded(grade_of(case)),
    };
    let judge = Arc::new(Stub::new("j", move |case, _| Some(unreadable(case))));
    let options = RunOptions { unusable: None, ..options() };
    run_all(&workload, &[judge.clone()], &mut store, &options).0.unwrap();
    let odd = workload.cases().filter(|case| !is_refused(case) && is_odd(case)).count();
    assert_eq!(judge.calls(), 200 + odd, "each unparsable reply is repeated once");
    let steady = Arc::new(Stub::steady("j"));
    run_all(&workload, &[steady.clone()], &mut store, &options).0.unwrap();
    assert_eq!(steady.calls(), 0);
    let unparsable = AskAgain { refused: false, unparsable: true, before_ms: i64::MAX };
    let again = RunOptions { ask_again: Some(unparsable), ..options };
    let outcome = run_all(&workload, &[steady.clone()], &mut store, &again).0.unwrap();
    let judge = &outcome.judges[0];
    assert_eq!((steady.calls(), judge.refused, judge.judged), (odd, REFUSED, 200 - REFUSED));
}

/// A refused request has no price, and a budget in dollars took that for an answer of unknown price.
#[test]
fn a_refusal_without_a_price_does_not_end_a_budget_in_dollars() {
    let budget = Budget { usd: Some(1e6), tokens: Some(1_000_000), ..Budget::default() };
    let options = RunOptions { budget, ..options() };
    let judge = filtered(FailureKind::Refused);
    let outcome = run_all(&workload(40, 5), &[judge], &mut MemoryLedger::default(), &options).0.unwrap();
    assert_eq!((outcome.stopped, outcome.spent.unpriced), (None, 0));
}

/// A reply that the server marks as refused is paid for, and counts as little against the judge.
#[test]
fn a_refusal_with_a_reply_is_no_unusable_answer() {
    let judge = Arc::new(Stub::new("j", |_, _| Some(unusable(Reason::Refused))));
    let outcome = run_all(&workload(40, 5), &[judge.clone()], &mut MemoryLedger::default(), &options());
    let outcome = outcome.0.unwrap();
    assert_eq!((outcome.stopped, outcome.judges[0].refused, judge.calls()), (None, 200, 200));
    assert_eq!(outcome.spent.usd, Some(2000.0));
}

/// Requests that a server rejects for another reason end a run, but no longer every run: those not sent yet come
/// first.
#[test]
fn rejected_requests_are_asked_last_by_the_next_run() {
    let judge = || {
        let stub = Stub::new("j", |case, _| {
            Some(match is_refused(case) {
                true => Answer::from(Failure::new(FailureKind::Rejected, "400")),
                false => graded(grade_of(case)),
            })
        });
        Arc::new(Stub { concurrency: 1, ..stub })
    };
    let workload = workload(40, 5);
    let mut store = MemoryLedger::default();
    let mut judged = Vec::new();
    for _ in 0..4 {
        let outcome = run_all(&workload, &[judge()], &mut store, &options()).0.unwrap();
        assert!(outcome.stopped.is_some());
        judged.push(outcome.judges[0].judged);
    }
    assert_eq!(judged, [0, 0, 0, 200 - REFUSED]);
}
