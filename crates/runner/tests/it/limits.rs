//! Budgets, pauses and giving up.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use futures::future::BoxFuture;
use llull_core::{Answer, Failure, FailureKind, Outcome, Usage};
use llull_judge::{Prompt, Rubric};
use llull_llm::{ChatModel, ChatReply, ChatRequest, LimitSubject, RateLimit};
use llull_runner::{
    AccountLimits, AccountUse, Budget, Cancel, Case, Event, Judge, Limit, ModelJudge, Prompted,
    PromptedSettings, Reporter, RunError, RunOptions, StopReason, Workload,
};
use llull_store::MemoryLedger;
use llull_testkit::{WatchedLedger, answer_json, reply};

use crate::stage::{Stub, Transcript, failed, grade_of, graded, options, run, run_all, workload};

#[test]
fn a_budget_of_attempts_is_kept_to_the_letter() {
    let (workload, mut store) = (workload(5, 20), MemoryLedger::default());
    for (run, in_process) in [(0, false), (1, true), (2, false)] {
        let judge = Arc::new(Stub { in_process, ..Stub::steady("j") });
        let budget = Budget { attempts: Some(37), ..Budget::default() };
        let limited = RunOptions { budget, ..options() };
        let (outcome, transcript) = run_all(&workload, &[judge.clone()], &mut store, &limited);
        let outcome = outcome.unwrap();
        assert_eq!(judge.calls(), [37, 37, 26][run]);
        assert_eq!(outcome.judges[0].judged, [37, 74, 100][run]);
        let spent = StopReason::Budget(Limit::Attempts);
        assert_eq!(outcome.stopped, (run < 2).then_some(spent), "what is just enough stops nothing");
        assert_eq!(transcript.count("stopping"), usize::from(run < 2));
        assert_eq!(outcome.judges[0].not_asked, [63, 26, 0][run]);
    }
}

#[test]
fn retries_count_against_the_budget() {
    let judge = Arc::new(Stub::new("j", |_, _| Some(failed(FailureKind::Server))));
    let budget = Budget { attempts: Some(7), ..Budget::default() };
    let mut store = MemoryLedger::default();
    let outcome = run_all(&workload(1, 9), &[judge.clone()], &mut store, &RunOptions { budget, ..options() })
        .0
        .unwrap();
    assert_eq!((judge.calls(), store.attempts().len()), (7, 7));
    assert_eq!(outcome.spent.attempts, 7);
    assert_eq!(outcome.spent.usd, None, "what a failure cost is unknown");
}

#[test]
fn tokens_and_dollars_stop_the_run_and_what_is_in_flight_is_kept() {
    for (budget, limit) in [
        (Budget { tokens: Some(95), ..Budget::default() }, Limit::Tokens),
        (Budget { usd: Some(95.0), ..Budget::default() }, Limit::Usd),
    ] {
        let judge = Arc::new(Stub { concurrency: 3, ..Stub::steady("j") });
        let mut store = MemoryLedger::default();
        let limited = RunOptions { budget, ..options() };
        let outcome = run_all(&workload(4, 20), &[judge.clone()], &mut store, &limited).0.unwrap();
        assert_eq!(outcome.stopped, Some(StopReason::Budget(limit)));
        // Ten answers at ten each exceed the limit. The other questions in flight may be added.
        assert!((10..=12).contains(&judge.calls()), "{}", judge.calls());
        assert_eq!(outcome.judges[0].judged, judge.calls(), "all that was asked is recorded");
    }
}

#[test]
fn a_budget_that_cannot_be_kept_is_not_pretended() {
    let unpriced = |_: &llull_runner::Case<'_>, _| Some(Answer { cost_usd: None, ..graded(1) });
    let budget = Budget { usd: Some(1.0), ..Budget::default() };
    let judge = Arc::new(Stub { concurrency: 1, ..Stub::new("j", unpriced) });
    let limited = RunOptions { budget, ..options() };
    let outcome =
        run_all(&workload(1, 9), &[judge.clone()], &mut MemoryLedger::default(), &limited).0.unwrap();
    assert_eq!(judge.calls(), 1);
    let Some(reason @ StopReason::Unmetered { .. }) = outcome.stopped else { panic!("{outcome:?}") };
    assert!(reason.to_string().contains("the price of judge j is unknown"), "{reason}");
    // Without such a budget, unknown costs are counted and do not stop the run.
    let judge = Arc::new(Stub::new("j", unpriced));
    let outcome = run_all(&workload(1, 9), &[judge], &mut MemoryLedger::default(), &options()).0.unwrap();
    assert_eq!((outcome.spent.unpriced, outcome.spent.usd, outcome.evidence.is_complete()), (9, None, true));
}

#[test]
fn a_wrong_key_stops_the_run_at_once_and_the_rest_is_kept() {
    for (kind, remedy) in [
        (FailureKind::Unauthorized, "check the key"),
        (FailureKind::NotFound, "check the model's name"),
        (FailureKind::Quota, "add credit"),
    ] {
        let bad = Arc::new(Stub::new("bad", move |_, _| Some(failed(kind))));
        let good = Arc::new(Stub::steady("good"));
        let judges: Vec<Arc<dyn Judge>> = vec![good.clone(), bad.clone()];
        let mut store = MemoryLedger::default();
        let (outcome, transcript) = run_all(&workload(20, 50), &judges, &mut store, &options());
        let outcome = outcome.unwrap();
        assert!(bad.calls() <= 4, "no more than were in flight: {}", bad.calls());
        assert!(good.calls() < 1000, "the run stops for all");
        assert_eq!(store.attempts().len(), good.calls() + bad.calls());
        assert_eq!(outcome.judges[0].judged, good.calls());
        let reason = outcome.stopped.unwrap().to_string();
        assert!(reason.starts_with("judge bad: ") && reason.contains(remedy), "{reason}");
        assert_eq!(transcript.count("stopping"), 1);
    }
}

#[test]
fn a_server_that_is_down_is_not_asked_for_hours() {
    let judge = Arc::new(Stub::new("j", |_, _| Some(failed(FailureKind::Connection))));
    let outcome =
        run_all(&workload(10, 100), &[judge.clone()], &mut MemoryLedger::default(), &options()).0.unwrap();
    let Some(StopReason::Failing { tasks: 20, .. }) = outcome.stopped else {
        panic!("{:?}", outcome.stopped)
    };
    assert!(judge.calls() < 20 * 3 + 10, "{}", judge.calls());
    // With one answer in between, the run goes on.
    let judge = Arc::new(Stub::new("j", |case, _| {
        let answers = case.document_id().ends_with('5');
        Some(if answers { graded(1) } else { failed(FailureKind::Rejected) })
    }));
    let outcome = run_all(&workload(2, 100), &[judge], &mut MemoryLedger::default(), &options()).0.unwrap();
    assert_eq!((outcome.stopped, outcome.judges[0].judged, outcome.judges[0].gave_up), (None, 20, 180));
}

#[test]
fn gaps_of_a_judge_in_process_stop_no_run() {
    // The first 25 requests are gaps, as of a recording: more in a row than a server may give up.
    let gaps = |case: &Case<'_>, _| {
        let answers = case.document_id().ends_with('9') && case.topic.id.ends_with('1');
        Some(if answers { graded(1) } else { failed(FailureKind::Rejected) })
    };
    let recorded = Arc::new(Stub { in_process: true, ..Stub::new("recorded", gaps) });
    let other = Arc::new(Stub::steady("other"));
    let judges: Vec<Arc<dyn Judge>> = vec![recorded, other];
    let run = |options| run_all(&workload(2, 25), &judges, &mut MemoryLedger::default(), options).0.unwrap();
    let outcome = run(&options());
    let counts: Vec<_> = outcome.judges.iter().map(|judge| (judge.judged, judge.gave_up)).collect();
    assert_eq!((outcome.stopped, counts), (None, vec![(3, 47), (50, 0)]));
}

#[test]
fn a_server_that_asks_for_hours_stops_the_run() {
    let tomorrow =
        Failure { retry_after_ms: Some(7_200_000), ..Failure::new(FailureKind::RateLimited, "429") };
    let judge = Arc::new(Stub::new("j", move |_, _| Some(Answer::from(tomorrow.clone()))));
    let outcome =
        run_all(&workload(1, 100), &[judge.clone()], &mut MemoryLedger::default(), &options()).0.unwrap();
    assert!(matches!(outcome.stopped, Some(StopReason::Judge { .. })), "{:?}", outcome.stopped);
    assert!(judge.calls() <= 4);
}

#[test]
fn a_round_of_refusals_pauses_the_whole_judge_and_no_other() {
    // A pause that outlasts the run, which ends when the other judge is done.
    let limited = Failure { retry_after_ms: Some(600_000), ..Failure::new(FailureKind::RateLimited, "429") };
    let slow = Arc::new(Stub::new("slow", move |case, _| {
        let first = ["d0", "d1", "d2", "d3"].contains(&case.document_id());
        Some(if first { Answer::from(limited.clone()) } else { graded(1) })
    }));
    let other = Arc::new(Stub::steady("other"));
    let judges: Vec<Arc<dyn Judge>> = vec![slow.clone(), other.clone()];
    let transcript = stopped_after((24, 4), &judges, &workload(1, 24));
    assert_eq!(transcript.count("paused 0"), 1);
    assert_eq!(slow.calls(), 4, "of 24 questions: more were asked although the server said wait");
    assert_eq!(other.calls(), 24, "the other judge does not wait");
}

/// Stops a run after so many verdicts and failures.
struct StopsAfter {
    verdicts: usize,
    failures: usize,
    transcript: Transcript,
    cancel: Cancel,
}

impl Reporter for StopsAfter {
    fn event(&self, event: Event<'_>) {
        self.transcript.event(event);
        let reached = (self.transcript.count("judged"), self.transcript.count("failed"));
        if reached == (self.verdicts, self.failures) {
            self.cancel.stop();
        }
    }
}

fn stopped_after(
    (verdicts, failures): (usize, usize),
    judges: &[Arc<dyn Judge>],
    workload: &Arc<Workload>,
) -> Transcript {
    let (transcript, cancel) = (Transcript::default(), Cancel::new());
    let reporter = StopsAfter { verdicts, failures, transcript, cancel };
    run(workload, judges, &mut MemoryLedger::default(), &options(), &reporter, &reporter.cancel).unwrap();
    reporter.transcript
}

#[test]
fn one_refusal_does_not_pause_the_judge() {
    // A wait that outlasts the run, which ends when everything else is judged.
    let limited = Failure { retry_after_ms: Some(600_000), ..Failure::new(FailureKind::RateLimited, "429") };
    let judge = Arc::new(Stub::new("j", move |case, _| {
        let turned_away = case.document_id() == "d0";
        Some(if turned_away { Answer::from(limited.clone()) } else { graded(1) })
    }));
    let judges: Vec<Arc<dyn Judge>> = vec![judge.clone()];
    let transcript = stopped_after((23, 1), &judges, &workload(1, 24));
    assert_eq!(transcript.count("paused 0"), 0);
    assert_eq!(judge.calls(), 24, "everything else was asked meanwhile");
}

#[test]
fn a_judge_that_hangs_is_timed_out_and_asked_again() {
    let judge = Arc::new(Stub::new("j", |case, before| {
        let hangs = case.document_id() == "d1" && before == 0;
        (!hangs).then(|| graded(grade_of(case)))
    }));
    let mut store = MemoryLedger::default();
    let impatient = RunOptions { timeout: Duration::from_millis(50), ..options() };
    let outcome = run_all(&workload(1, 5), &[judge], &mut store, &impatient).0.unwrap();
    assert!(outcome.evidence.is_complete());
    let timeouts: Vec<_> = store
        .attempts()
        .iter()
        .filter(
            |(_, attempt)| matches!(&attempt.answer.outcome, Outcome::Failed(f) if f.kind == FailureKind::Timeout),
        )
        .collect();
    assert_eq!(timeouts.len(), 1);
    assert!(timeouts[0].1.latency_ms >= 50);
}

#[test]
fn one_judge_after_the_other_if_asked_to() {
    let judges = ["a", "b"].map(|name| Arc::new(Stub { concurrency: 1, ..Stub::steady(name) }));
    let as_judges: Vec<Arc<dyn Judge>> = vec![judges[0].clone(), judges[1].clone()];
    let one_by_one = RunOptions { side_by_side: false, ..options() };
    run_all(&workload(4, 10), &as_judges, &mut MemoryLedger::default(), &one_by_one).0.unwrap();
    let (a, b) = (judges[0].asked(), judges[1].asked());
    assert!(a.iter().map(|q| q.at).max() <= b.iter().map(|q| q.at).min());
    assert!(a.iter().map(|q| &q.topic).is_sorted(), "topic by topic");
}

#[test]
fn nothing_more_is_asked_when_it_cannot_be_recorded() {
    let judge = Arc::new(Stub { latency: |_| Duration::from_millis(2), ..Stub::steady("j") });
    let mut store = WatchedLedger::with_room(30);
    let (outcome, transcript) = run_all(&workload(10, 10), &[judge.clone()], &mut store, &options());
    let Err(error @ RunError::Append { lost, .. }) = outcome else { panic!("{outcome:?}") };
    assert!((1..=4).contains(&lost), "{lost}");
    assert!(error.to_string().contains("free some disk space"), "{error}");
    // Questions in flight had been sent, or were about to be.
    let recorded = store.attempts().len();
    assert!(
        (recorded + 1..=recorded + lost).contains(&judge.calls()),
        "{} calls, {recorded} recorded",
        judge.calls()
    );
    assert_eq!(transcript.count("judged"), store.attempts().len(), "what is not durable is not counted");
}

/// A model whose server has four requests left for its account, and states the rest with each reply.
#[derive(Default)]
struct Limited(Mutex<(u64, Vec<RateLimit>)>);

impl Limited {
    const LIMIT: u64 = 4;

    fn calls(&self) -> u64 {
        self.0.lock().unwrap().0
    }
}

impl ChatModel for Limited {
    fn name(&self) -> &str {
        "mine/limited"
    }

    fn chat<'a>(&'a self, _: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, Failure>> {
        Box::pin(async move {
            let mut state = self.0.lock().unwrap();
            let (calls, stated) = &mut *state;
            *calls += 1;
            *stated = vec![RateLimit {
                subject: LimitSubject::Requests,
                limit: Self::LIMIT,
                left: Some(Self::LIMIT.saturating_sub(*calls)),
                full_in: Duration::from_secs(60),
                at: Instant::now(),
            }];
            Ok(reply(answer_json(1)))
        })
    }

    fn limits(&self) -> Vec<RateLimit> {
        self.0.lock().unwrap().1.clone()
    }
}

/// Stops a run that waits for a limit.
struct StopsWaiting(Cancel);

impl Reporter for StopsWaiting {
    fn event(&self, event: Event<'_>) {
        if let Event::Waiting { limit, .. } = event {
            assert_eq!((limit.subject, limit.limit), (LimitSubject::Requests, Limited::LIMIT));
            self.0.stop();
        }
    }
}

#[test]
fn two_judges_keep_within_the_limit_that_the_server_of_their_account_states() {
    let model = Arc::new(Limited::default());
    let rubric = Arc::new(Rubric::parse(Rubric::default_text(), "rubric.md").unwrap());
    let judges = ["one", "two"].map(|name| {
        let settings = PromptedSettings::new(name, format!("mine/{name}"));
        let prompted = Prompted::new(settings, Prompt::builtin("graded").unwrap(), Arc::clone(&rubric));
        let model: Arc<dyn ChatModel> = model.clone();
        Arc::new(ModelJudge::new(Arc::new(prompted), model, 1)) as Arc<dyn Judge>
    });
    let (cancel, mut store) = (Cancel::new(), MemoryLedger::default());
    let reporter = StopsWaiting(cancel.clone());
    let outcome = run(&workload(1, 10), &judges, &mut store, &options(), &reporter, &cancel).unwrap();
    assert_eq!(outcome.stopped, Some(StopReason::Cancelled), "it would wait for a minute");
    // One request may be on its way when a reply to another states the rest.
    assert!((Limited::LIMIT..=Limited::LIMIT + 1).contains(&model.calls()), "{} calls", model.calls());
}

/// A model whose server counts no tokens. After the first request, it answers only when three wait for it.
struct Uncounted(tokio::sync::Barrier, Mutex<usize>);

impl ChatModel for Uncounted {
    fn name(&self) -> &str {
        "mine/uncounted"
    }

    fn chat<'a>(&'a self, _: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, Failure>> {
        Box::pin(async move {
            let before = {
                let mut calls = self.1.lock().unwrap();
                *calls += 1;
                *calls - 1
            };
            if before > 0 {
                self.0.wait().await;
            }
            Ok(ChatReply { usage: Usage::default(), ..reply(answer_json(1)) })
        })
    }
}

/// Such a server got one request at a time, for ever.
#[test]
fn tokens_that_a_server_does_not_count_are_estimated() {
    let model = Arc::new(Uncounted(tokio::sync::Barrier::new(3), Mutex::default()));
    let rubric = Arc::new(Rubric::parse(Rubric::default_text(), "rubric.md").unwrap());
    let settings = PromptedSettings::new("j", "mine/uncounted");
    let prompted = Prompted::new(settings, Prompt::builtin("graded").unwrap(), rubric);
    let limits = AccountLimits { requests_per_minute: None, tokens_per_minute: Some(1_000_000) };
    let account_use = AccountUse::default();
    let judge = ModelJudge::new(Arc::new(prompted), model, 3).within(limits, account_use.clone());
    let options = RunOptions { account_use, timeout: Duration::from_secs(60), ..options() };
    let (outcome, _) = run_all(&workload(1, 7), &[Arc::new(judge)], &mut MemoryLedger::default(), &options);
    let outcome = outcome.unwrap();
    assert_eq!((outcome.judges[0].judged, outcome.judges[0].gave_up), (7, 0));
    assert_eq!(outcome.spent.attempts, 7, "no request waited in vain");
    assert_eq!(outcome.spent.tokens, 0, "an estimate is not recorded");
}
