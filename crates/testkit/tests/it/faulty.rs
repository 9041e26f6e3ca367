//! Tests the faulty server with a real client.
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use llull_core::{FailureKind, Sampling, Scale, Seed};
use llull_llm::{ChatModel, ChatReply, ChatRequest, Message, ModelSettings, RetryPolicy, Role, connect};
use llull_testkit::{Fault, FaultPlan, FaultyServer, answer_json, grade_of_prompt};

/// A limit that no answer reaches, however busy the machine is.
const LONG: Duration = Duration::from_secs(600);

fn request(text: &str) -> ChatRequest {
    let messages = vec![Message { role: Role::User, content: text.into() }];
    ChatRequest { messages, sampling: Sampling::default(), schema: None, logprobs: None }
}

fn model(server: &FaultyServer, timeout: Duration) -> Arc<dyn ChatModel> {
    let settings =
        ModelSettings { base_url: Some(server.url()), timeout, ..ModelSettings::new("vllm/faulty-1") };
    connect(&settings, &|_| None).unwrap().into()
}

/// Waits until so many requests have reached the server.
async fn reached(server: &FaultyServer, requests: u64) {
    while server.served().total() < requests {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Sends a request until a reply arrives; the waits are short because no real server needs protection here.
async fn insist(model: Arc<dyn ChatModel>, prompt: String) -> (String, ChatReply) {
    let policy = RetryPolicy { base: Duration::from_millis(1), ..RetryPolicy::default() };
    for attempt in 1.. {
        match model.chat(&request(&prompt)).await {
            Ok(reply) => return (prompt, reply),
            Err(failure) => tokio::time::sleep(policy.delay(attempt, &failure, 0.5).unwrap()).await,
        }
    }
    unreachable!()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_retries_every_prompt_gets_its_own_answer_and_all_is_counted() {
    let plan = FaultPlan {
        seed: Seed(3),
        delay_ms: 0..=5,
        rate_429: 0.1,
        retry_after: 0,
        rate_500: 0.1,
        reset: 0.05,
        malformed: 0.05,
        cut_off: 0.05,
        ..FaultPlan::default()
    };
    let server = FaultyServer::start(plan.clone()).unwrap();
    // what hangs is tested below: with a time limit, a late answer of a busy machine would lead to a retry
    let model = model(&server, LONG);
    server.hold_after(0);
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..300 {
        tasks.spawn(insist(Arc::clone(&model), format!("Is document {number} relevant?")));
    }
    reached(&server, 300).await;
    server.release();
    let replies = tasks.join_all().await;
    let mut sound = 0;
    for (prompt, reply) in &replies {
        let expected = answer_json(grade_of_prompt(prompt, Scale::default()));
        assert_eq!(reply.text == expected, plan.lasting_fault(prompt) == Fault::None, "{prompt}");
        sound += u64::from(reply.text == expected);
    }
    let served = server.served();
    assert_eq!(served.prompts.len(), 300);
    assert_eq!((served.answered(), served.answered_again()), (300, 0));
    assert_eq!(served.of("normal"), sound);
    let stumbled: u64 = served.prompts.values().map(|count| u64::from(count.stumbled)).sum();
    let by_kind: u64 = ["rate_limited", "server_error", "reset"].map(|kind| served.of(kind)).iter().sum();
    assert_eq!(stumbled, by_kind);
    assert_eq!(served.total(), 300 + stumbled);
    for kind in ["rate_limited", "server_error", "reset", "malformed", "cut_off"] {
        assert!(served.of(kind) > 0, "the plan was to see {kind}: {served:?}");
    }
    assert_eq!(served.most_open, 300);
}

#[tokio::test]
async fn a_server_that_hangs_can_be_dropped() {
    let server = FaultyServer::start(FaultPlan::always(Fault::Hang)).unwrap();
    let (impatient, patient) = (model(&server, Duration::from_millis(400)), model(&server, LONG));
    assert_eq!(impatient.chat(&request("a")).await.unwrap_err().kind, FailureKind::Timeout);
    let started = Instant::now();
    drop(server);
    assert!(started.elapsed() < Duration::from_secs(60), "it does not wait for what hangs");
    assert_eq!(patient.chat(&request("a")).await.unwrap_err().kind, FailureKind::Connection);
}

#[tokio::test]
async fn what_hangs_once_is_answered_the_next_time() {
    let plan = FaultPlan { hang: 1.0, transient_limit: 1, ..FaultPlan::default() };
    let server = FaultyServer::start(plan).unwrap();
    let model = model(&server, LONG);
    let first = Arc::clone(&model);
    let hangs = tokio::spawn(async move { first.chat(&request("a")).await });
    reached(&server, 1).await;
    hangs.abort();
    let reply = model.chat(&request("a")).await.unwrap();
    assert_eq!(reply.text, answer_json(grade_of_prompt("a", Scale::default())));
    let served = server.served();
    assert_eq!((served.of("hang"), served.answered(), served.answered_again()), (1, 1, 0));
}

#[tokio::test]
async fn a_server_holds_what_comes_after_so_many_requests_until_it_is_released() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    server.hold_after(1);
    let model = model(&server, LONG);
    model.chat(&request("a")).await.unwrap();
    let held = tokio::spawn(async move { model.chat(&request("b")).await });
    reached(&server, 2).await;
    assert_eq!((server.served().answered(), held.is_finished()), (1, false));
    server.release();
    held.await.unwrap().unwrap();
    assert_eq!(server.served().answered(), 2);
}

#[tokio::test]
async fn a_script_comes_first_whatever_the_prompt() {
    let plan = FaultPlan::script([Fault::Quota, Fault::ServerError]);
    let server = FaultyServer::start(plan).unwrap();
    let model = model(&server, LONG);
    let kinds = [FailureKind::Quota, FailureKind::Server];
    for (prompt, kind) in ["a", "b"].into_iter().zip(kinds) {
        assert_eq!(model.chat(&request(prompt)).await.unwrap_err().kind, kind);
    }
    assert!(model.chat(&request("a")).await.is_ok());
    assert_eq!(server.requests().len(), 3);
    assert_eq!(server.served().answered_again(), 0, "what failed was not answered");
    model.chat(&request("a")).await.unwrap();
    assert_eq!(server.served().answered_again(), 1);
}
