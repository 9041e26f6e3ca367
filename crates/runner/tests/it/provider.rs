//! A real client against a local server with all kinds of faults.

use std::{sync::Arc, time::Duration};

use llull_core::{Attempt, Failure, FailureKind, Judgment, Outcome, Reason, Seed, Status};
use llull_judge::{Prompt, Rubric};
use llull_llm::{ModelSettings, RetryPolicy, connect};
use llull_runner::{Judge, ModelJudge, Prompted, PromptedSettings, RunOptions, StopReason};
use llull_store::{LedgerReader, MemoryLedger, Totals};
use llull_testkit::{Fault, FaultPlan, FaultyServer};

use crate::stage::{options, run_all, statuses, workload};

/// A limit that no answer reaches, however busy the machine is.
pub(crate) const LONG: Duration = Duration::from_secs(600);

/// Returns a judge that asks a server.
pub(crate) fn judge_at(url: &str, timeout: Duration, concurrency: usize) -> ModelJudge {
    let settings =
        ModelSettings { base_url: Some(url.to_owned()), timeout, ..ModelSettings::new("openai/faulty") };
    let model: Arc<dyn llull_llm::ChatModel> = Arc::from(connect(&settings, &|_| None).unwrap());
    ModelJudge::new(Arc::new(prompted("graded-direct")), model, concurrency)
}

fn prompted(prompt: &str) -> Prompted {
    let settings =
        PromptedSettings { document_tokens: 100, ..PromptedSettings::new("faulty", "openai/faulty") };
    let rubric = Rubric::parse(Rubric::default_text(), "rubric.md").unwrap();
    Prompted::new(settings, Prompt::builtin(prompt).unwrap(), Arc::new(rubric))
}

/// Returns the text by which the server identifies a prompt.
fn prompt_text(judge: &ModelJudge, case: &llull_runner::Case<'_>) -> String {
    let messages = judge.prompted().request(case, 0).unwrap().chat.messages;
    messages.into_iter().map(|message| message.content).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn two_thousand_judgments_and_every_failure_accounted_for() {
    let plan = FaultPlan {
        seed: Seed(11),
        delay_ms: 0..=10,
        rate_429: 0.002,
        retry_after: 1,
        rate_500: 0.03,
        hang: 0.003,
        reset: 0.02,
        malformed: 0.03,
        cut_off: 0.03,
        empty: 0.02,
        refusal: 0.02,
        ..FaultPlan::default()
    };
    let server = FaultyServer::start(plan.clone()).unwrap();
    let judge = Arc::new(judge_at(&server.url(), Duration::from_secs(10), 32));
    let (workload, mut store) = (workload(20, 100), MemoryLedger::default());
    let retry = RetryPolicy { attempts: 6, base: Duration::from_millis(5), cap: Duration::from_millis(50) };
    let options = RunOptions { retry, ..options() };
    let outcome = run_all(&workload, &[judge.clone()], &mut store, &options).0.unwrap();

    assert_eq!(outcome.stopped, None);
    let part = &outcome.judges[0];
    assert_eq!((part.planned, part.judged + part.unusable + part.refused + part.gave_up), (2000, 2000));
    assert_eq!(part.gave_up, 0, "a fault on the way meets a prompt three times at most");
    // Each task ends with the answer that its prompt has without faults.
    for (case, status) in workload.cases().zip(statuses(&outcome.evidence, 0)) {
        let prompt = prompt_text(&judge, &case);
        let reasons: &[Reason] = match plan.lasting_fault(&prompt) {
            Fault::None => &[],
            Fault::Malformed => &[Reason::Malformed],
            Fault::CutOff => &[Reason::CutOff],
            Fault::Empty => &[Reason::Empty],
            Fault::Refusal => &[Reason::Refused],
            other => panic!("{other:?}"),
        };
        match status {
            Status::Judged(Judgment::Grade(grade)) => {
                assert!(reasons.is_empty() && grade == server.grade(&prompt));
            }
            Status::Unusable { reason, times: 2 } | Status::Refused(reason) => {
                assert!(reasons.contains(&reason));
            }
            other => panic!("{other:?}"),
        }
    }

    let served = server.served();
    assert_eq!(served.total(), store.attempts().len() as u64, "every request is an attempt in the ledger");
    let totals = Totals::read(&store, Some(store.judges().unwrap()[0].id)).unwrap();
    assert_eq!(totals.answered + totals.failed_attempts(), served.total());
    assert_eq!(totals.judged, 2000 - (part.unusable + part.refused) as u64);
    // An answer that a busy machine delivers too late is a timeout instead.
    let failed = |kind| totals.failed.get(&kind).copied().unwrap_or(0);
    let late = failed(FailureKind::Timeout).checked_sub(served.of("hang")).unwrap();
    let found = |reason: &Reason| totals.unusable.get(reason).or_else(|| totals.refused.get(reason)).copied();
    let counted = |reason| found(&reason).unwrap_or(0);
    for (counted, served) in [
        (counted(Reason::Malformed), served.of("malformed")),
        (counted(Reason::CutOff), served.of("cut_off")),
        (counted(Reason::Empty), served.of("empty")),
        (counted(Reason::Refused), served.of("refusal")),
        (failed(FailureKind::RateLimited), served.of("rate_limited")),
        (failed(FailureKind::Connection), served.of("reset")),
        (failed(FailureKind::Server), served.of("server_error")),
    ] {
        assert!(
            counted > 0 && (counted..=counted + late).contains(&served),
            "{counted} of {served}, {late} late"
        );
    }
    assert!(served.of("hang") > 0 && totals.failed.len() == 4, "{:?}", totals.failed);
    assert_eq!(outcome.spent.tokens, 240 * totals.answered);
}

#[test]
fn a_refused_key_stops_the_run_and_is_nowhere_to_be_read() {
    let server = FaultyServer::start(FaultPlan::always(Fault::Unauthorized)).unwrap();
    let settings = ModelSettings { base_url: Some(server.url()), ..ModelSettings::new("openai/faulty") };
    let key = |name: &str| (name == "OPENAI_API_KEY").then(|| "sk-very-secret-key".to_owned());
    let model: Arc<dyn llull_llm::ChatModel> = Arc::from(connect(&settings, &key).unwrap());
    let judge = ModelJudge::new(Arc::new(prompted("graded")), model, 3);
    let mut store = MemoryLedger::default();
    let judges: [Arc<dyn Judge>; 1] = [Arc::new(judge)];
    let (outcome, transcript) = run_all(&workload(5, 20), &judges, &mut store, &options());
    let outcome = outcome.unwrap();
    let Some(StopReason::Judge { failure: Failure { kind: FailureKind::Unauthorized, .. }, .. }) =
        outcome.stopped
    else {
        panic!("{outcome:?}")
    };
    assert!(server.served().total() <= 3);
    assert_eq!(store.attempts().len() as u64, server.served().total());
    let lines = transcript.lines().join("\n");
    let mut export = Vec::new();
    llull_store::export(&store, &mut export).unwrap();
    assert!(!lines.contains("very-secret") && !String::from_utf8(export).unwrap().contains("very-secret"));
    assert!(store.attempts().iter().all(|(_, a)| matches!(a.answer.outcome, Outcome::Failed(_))));
}

#[test]
fn a_reasoning_model_answers_and_the_key_is_that_of_what_was_asked_for() {
    let plain = FaultyServer::start(FaultPlan::default()).unwrap();
    let refused_parameters = vec!["temperature"];
    let plan = FaultPlan { refused_parameters, new_limit_name: true, ..FaultPlan::default() };
    let reasoning = FaultyServer::start(plan).unwrap();
    let mut store = MemoryLedger::default();
    let judge = Arc::new(judge_at(&reasoning.url(), LONG, 8));
    let (outcome, transcript) = run_all(&workload(3, 9), &[judge], &mut store, &options());
    let outcome = outcome.unwrap();
    assert_eq!((outcome.judges[0].judged, outcome.judges[0].gave_up), (27, 0));
    let adjusted = r#"{"max_tokens":"max_completion_tokens","temperature":null}"#;
    let recorded = |(_, attempt): &(_, Attempt)| attempt.answer.adjusted.as_deref() == Some(adjusted);
    assert!(store.attempts().iter().all(recorded), "each attempt says what was sent");
    assert_eq!(transcript.count("notice 0: openai/faulty: the server takes no "), 2, "each parameter once");
    let judge = Arc::new(judge_at(&plain.url(), LONG, 8));
    let outcome = run_all(&workload(3, 9), &[judge], &mut store, &options()).0.unwrap();
    assert_eq!((outcome.judges[0].reused, plain.served().total()), (27, 0), "temperature = 0 was asked for");
}

#[test]
fn what_a_server_cannot_do_is_said_once() {
    let server = FaultyServer::start(FaultPlan { no_schema: true, ..FaultPlan::default() }).unwrap();
    let judge = Arc::new(judge_at(&server.url(), LONG, 1));
    let (outcome, transcript) = run_all(&workload(1, 10), &[judge], &mut MemoryLedger::default(), &options());
    assert!(outcome.unwrap().evidence.is_complete());
    assert_eq!(transcript.count("notice 0: "), 1);
}
