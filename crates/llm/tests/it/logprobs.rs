//! Tests log-probabilities in requests, replies and lessons.

use llull_core::FailureKind;
use llull_llm::{ChatRequest, Notice, ReplyToken};
use llull_testkit::{Fault, FaultPlan, FaultyServer};
use serde_json::{Value, json};

use crate::{error_body, model, raw, request, request_with_schema, server};

fn asking() -> ChatRequest {
    ChatRequest { logprobs: Some(5), ..request_with_schema() }
}

fn script(faults: impl IntoIterator<Item = Fault>) -> FaultyServer {
    server(FaultPlan::script(faults))
}

/// The number of alternatives in each request.
fn asked_for(server: &FaultyServer) -> Vec<Value> {
    let bodies = server.requests().into_iter().map(|sent| sent.body);
    bodies
        .map(|body| {
            let number = body.get("top_logprobs").cloned().unwrap_or(Value::Null);
            assert_eq!(body.get("logprobs"), (!number.is_null()).then_some(&json!(true)));
            number
        })
        .collect()
}

fn completion(logprobs: Value) -> Fault {
    let choice = json!({
        "message": { "content": "{\"choice\": \"LHS\"}" }, "finish_reason": "stop", "logprobs": logprobs,
    });
    raw(200, json!({ "choices": [choice] }).to_string())
}

/// As OpenAI's reference has it.
fn tokens() -> Value {
    json!({ "content": [
        {
            "token": "LHS", "logprob": -0.25, "bytes": [76, 72, 83],
            "top_logprobs": [
                { "token": "LHS", "logprob": -0.25, "bytes": [76, 72, 83] },
                { "token": "RHS", "logprob": -1.5, "bytes": null },
            ],
        },
        { "token": "\\xe2\\x80", "logprob": 0, "bytes": [226, 128], "top_logprobs": [] },
        { "token": " \"", "logprob": -9999.0 },
    ], "refusal": null })
}

#[tokio::test]
async fn they_are_asked_for_and_read() {
    let server = script([completion(tokens())]);
    let model = model("openai/m", &server);
    let reply = model.chat(&asking()).await.unwrap();
    let token = |text: &str, logprob, alternatives: &[(&str, f64)]| ReplyToken {
        text: text.into(),
        logprob,
        alternatives: alternatives.iter().map(|(text, logprob)| ((*text).into(), *logprob)).collect(),
    };
    assert_eq!(
        reply.tokens,
        [
            token("LHS", -0.25, &[("LHS", -0.25), ("RHS", -1.5)]),
            token("\u{fffd}", 0.0, &[]),
            token(" \"", -9999.0, &[]),
        ]
    );
    assert!(model.notices().is_empty());
    model.chat(&request()).await.unwrap();
    assert_eq!(asked_for(&server), [json!(5), Value::Null]);
}

#[tokio::test]
async fn half_a_list_of_tokens_is_none() {
    for content in
        [json!([{ "token": "LHS", "logprob": -0.25 }, { "token": "x" }]), json!("LHS"), json!(null)]
    {
        let server = script([completion(json!({ "content": content }))]);
        assert!(model("vllm/m", &server).chat(&asking()).await.unwrap().tokens.is_empty());
    }
}

#[tokio::test]
async fn a_server_that_refuses_them_is_asked_once_and_that_is_told() {
    let refusals = [
        raw(403, error_body("You are not allowed to request logprobs from this model", json!(null))),
        raw(400, error_body("Unrecognized request argument supplied: top_logprobs", json!(null))),
    ];
    for refusal in refusals {
        let server = script([refusal]);
        let model = model("openai/m", &server);
        for _ in 0..2 {
            assert!(model.chat(&asking()).await.unwrap().tokens.is_empty());
        }
        assert_eq!(asked_for(&server), [json!(5), Value::Null, Value::Null]);
        let schemas = server.requests().iter().all(|sent| sent.body.get("response_format").is_some());
        assert!(schemas, "the schema was not to blame");
        let [Notice::NoLogprobs { model: name, words: Some(words) }] = &model.notices()[..] else {
            panic!("one notice: {:?}", model.notices())
        };
        assert!(name == "openai/m" && words.contains("logprobs"), "{words}");
        assert!(model.notices()[0].to_string().contains("gives no log-probabilities"));
    }
}

#[tokio::test]
async fn a_server_without_schemas_and_without_them_shows_both() {
    let server = script([
        raw(400, error_body("response_format: unknown field", json!(null))),
        raw(400, error_body("logprobs: unknown field", json!(null))),
    ]);
    let model = model("llamacpp/m", &server);
    model.chat(&asking()).await.unwrap();
    model.chat(&asking()).await.unwrap();
    assert_eq!(asked_for(&server), [json!(5), json!(5), Value::Null, Value::Null]);
    let notices = model.notices();
    assert!(matches!(notices[..], [Notice::SchemaRefused { .. }, Notice::NoLogprobs { .. }]), "{notices:?}");
}

#[tokio::test]
async fn a_server_that_leaves_them_out_is_told_and_asked_again() {
    let server = script([completion(Value::Null), completion(tokens())]);
    let model = model("openrouter/a/b", &server);
    assert!(model.chat(&asking()).await.unwrap().tokens.is_empty());
    assert!(matches!(model.notices()[..], [Notice::NoLogprobs { words: None, .. }]));
    assert_eq!(model.chat(&asking()).await.unwrap().tokens.len(), 3, "another server answers");
    assert_eq!(asked_for(&server), [json!(5), json!(5)]);
}

#[tokio::test]
async fn other_trouble_is_not_blamed_on_them() {
    let server = script([raw(422, error_body("too long", json!(null))), Fault::Refusal]);
    let model = model("vllm/m", &server);
    let request = ChatRequest { schema: None, ..asking() };
    assert_eq!(model.chat(&request).await.unwrap_err().kind, FailureKind::Rejected);
    model.chat(&request).await.unwrap();
    assert_eq!(asked_for(&server), [json!(5), json!(5)]);
    assert!(model.notices().is_empty(), "a refusal has no tokens");
}
