//! Tests the faulty server with a real client.
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use llull_core::{FailureKind, Sampling, Scale, Seed};
use llull_llm::{ChatModel, ChatReply, ChatRequest, Message, ModelSettings, RetryPolicy, Role, connect};
use llull_testkit::{Fault, FaultPlan, FaultyServer, answer_json, grade_of_prompt};

fn request(text: &str) -> ChatRequest {
    let messages = vec![Message { role: Role::User, content: text.into() }];
    ChatRequest { messages, sampling: Sampling::default(), schema: None, logprobs: None }
}

fn model(server: &FaultyServer, timeout: Duration) -> Arc<dyn ChatModel> {
    let settings =
        ModelSettings { base_url: Some(server.url()), timeout, ..ModelSettings::new("vllm/faulty-1") };
    connect(&settings, &|_| None).unwrap().into()
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
        hang: 0.01,
        reset: 0.05,
        malformed: 0.05,
        cut_off: 0.05,
        ..FaultPlan::default()
    };
    let server = FaultyServer::start(plan.clone()).unwrap();
    // long enough for a busy machine: a late answer leads to a retry
    let model = model(&server, Duration::from_secs(3));
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..300 {
        tasks.spawn(insist(Arc::clone(&model), format!("Is document {number} relevant?")));
    }
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
    let by_kind: u64 =
        ["rate_limited", "server_error", "hang", "reset"].map(|kind| served.of(kind)).iter().sum();
    assert_eq!(stumbled, by_kind);
    assert_eq!(served.total(), 300 + stumbled);
    for kind in ["rate_limited", "server_error", "hang", "reset", "malformed", "cut_off"] {
        assert!(served.of(kind) > 0, "the plan was to see {kind}: {served:?}");
    }
    assert!(served.most_open > 1);
}

#[tokio::test]
async fn a_server_that_hangs_can_be_dropped() {
    let server = FaultyServer::start(FaultPlan::always(Fault::Hang)).unwrap();
    let model = model(&server, Duration::from_millis(400));
    assert_eq!(model.chat(&request("a")).await.unwrap_err().kind, FailureKind::Timeout);
    let started = Instant::now();
    drop(server);
    assert!(started.elapsed() < Duration::from_secs(60), "it does not wait for what hangs");
    assert_eq!(model.chat(&request("a")).await.unwrap_err().kind, FailureKind::Connection);
}

#[tokio::test]
async fn a_script_comes_first_whatever_the_prompt() {
    let plan = FaultPlan::script([Fault::Quota, Fault::ServerError]);
    let server = FaultyServer::start(plan).unwrap();
    let model = model(&server, Duration::from_secs(600));
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
