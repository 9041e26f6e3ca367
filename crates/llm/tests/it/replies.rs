//! Tests the reading of replies.

use llull_core::{FailureKind, Scope, Usage};
use llull_llm::{Finish, ModelSettings, Price, connect};
use llull_testkit::{Fault, FaultPlan, FaultyServer, answer_json, prompt_of};
use serde_json::{Value, json};

use crate::{asked, failed, model, raw, request, server, settings};

fn completion(message: Value, finish: Value) -> Fault {
    raw(200, json!({ "choices": [{ "message": message, "finish_reason": finish }] }).to_string())
}

#[tokio::test]
async fn a_normal_reply_is_read_whole() {
    let server = server(FaultPlan::default());
    let reply = model("openai/m", &server).chat(&request()).await.unwrap();
    assert_eq!(reply.text, answer_json(server.grade(&prompt_of(&request().messages))));
    assert_eq!(reply.finish, Finish::Stop);
    assert_eq!(reply.usage, Usage::new(200, 40));
    assert_eq!(reply.model.as_deref(), Some("faulty-1"));
    assert_eq!((reply.reasoning, reply.cost_usd), (None, None), "what is not said is not known");
}

#[tokio::test]
async fn empty_cut_off_and_refused_replies_are_replies() {
    let cut = asked(Fault::CutOff).await.unwrap();
    assert_eq!(cut.finish, Finish::Length);
    assert!(cut.text.starts_with('{') && !cut.text.ends_with('}'));
    assert_eq!(asked(Fault::Empty).await.unwrap().text, "");
    let refused = asked(Fault::Refusal).await.unwrap();
    assert_eq!(refused.finish, Finish::Refused);
    assert!(refused.text.contains("can't help"));
    assert!(asked(Fault::Malformed).await.unwrap().text.ends_with(",, }"));
}

#[tokio::test]
async fn every_form_of_content_is_understood() {
    let parts = json!([{ "type": "text", "text": "{\"grade\"" }, { "type": "text", "text": ": 2}" }]);
    let reply = asked(completion(json!({ "content": parts }), json!("stop"))).await.unwrap();
    assert_eq!(reply.text, "{\"grade\": 2}");
    let nothing =
        asked(completion(json!({ "content": null, "reasoning_content": "hm" }), json!(null))).await.unwrap();
    assert_eq!((nothing.text.as_str(), nothing.reasoning.as_deref()), ("", Some("hm")));
    assert_eq!(nothing.finish, Finish::Other(String::new()));
    assert_eq!(nothing.usage, Usage::default(), "no count is not a count of 0");
    let filtered = asked(completion(json!({ "content": "" }), json!("content_filter"))).await.unwrap();
    assert_eq!(filtered.finish, Finish::Refused);
    let blocked = json!({ "choices": [{ "finish_reason": "PROHIBITED_CONTENT", "index": 0 }] });
    assert_eq!(asked(raw(200, blocked.to_string())).await.unwrap().finish, Finish::Refused);
}

/// Gemini's answer to a prompt that it blocks has no choices, and used to cause six requests.
#[tokio::test]
async fn a_blocked_prompt_is_a_refusal_of_the_text() {
    let blocked = json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" } });
    assert_eq!(asked(raw(200, blocked.to_string())).await.unwrap_err().kind, FailureKind::Refused);
}

#[tokio::test]
async fn what_is_not_the_protocol_is_a_failure_of_the_server() {
    for body in [
        "",
        "<html>Welcome to nginx</html>",
        "{\"choices\": [",
        "[]",
        "{}",
        "{\"choices\": []}",
        "{\"choices\": [{\"text\": \"old completions\"}]}",
        "{\"choices\": [{\"message\": {\"content\": {\"grade\": 3}}}]}",
    ] {
        let failure = failed(raw(200, body)).await;
        assert_eq!(failure.kind, FailureKind::Server, "{body}");
        assert!(failure.message.contains("/v1/chat/completions"), "{failure}");
    }
    assert!(failed(raw(200, "<html>Welcome to nginx</html>")).await.message.contains("Welcome to nginx"));
}

#[tokio::test]
async fn an_answer_without_end_is_given_up() {
    let failure = failed(raw(200, " ".repeat(9 * 1024 * 1024))).await;
    assert_eq!(failure.kind, FailureKind::Server);
    assert!(failure.message.contains("longer than 8 MiB"), "{failure}");
}

#[tokio::test]
async fn openrouter_reports_errors_under_a_status_of_success() {
    let body = |code: u16| {
        json!({ "error": { "code": code, "message": "Provider returned error",
        "metadata": { "raw": "upstream says no" } } })
    };
    for (code, kind) in [
        (429, FailureKind::RateLimited),
        (502, FailureKind::Server),
        (402, FailureKind::Quota),
        (400, FailureKind::Rejected),
    ] {
        let failure = failed(raw(200, body(code).to_string())).await;
        assert_eq!(failure.kind, kind);
        assert!(failure.message.contains("upstream says no"), "{failure}");
    }
    let in_choice = json!({ "choices": [{ "error": { "code": 502, "message": "broke off" }, "finish_reason": "error",
        "message": { "content": "{\"gra" } }] });
    assert_eq!(failed(raw(200, in_choice.to_string())).await.kind, FailureKind::Server);
}

/// Was "answered 500", retried six times, and without a word on the address.
#[tokio::test]
async fn an_error_under_a_status_of_success_is_reported_as_what_it_is() {
    let say = async |body: Value| failed(raw(200, body.to_string())).await;
    let endpoint = say(json!({ "error": "Unexpected endpoint or method. (POST /chat/completions)" })).await;
    assert_eq!((endpoint.kind, endpoint.kind.scope()), (FailureKind::NotFound, Scope::Judge), "LM Studio");
    assert!(endpoint.message.contains("answered 200 with an error: Unexpected endpoint"), "{endpoint}");
    assert!(endpoint.message.contains("usually ends in /v1"), "{endpoint}");
    for (error, kind) in [
        (json!({ "message": "no", "type": "invalid_request_error" }), FailureKind::Rejected),
        (json!({ "message": "no", "code": "invalid_api_key" }), FailureKind::Unauthorized),
        (json!({ "message": "no", "code": "model_not_found" }), FailureKind::NotFound),
        (json!({ "message": "slow", "type": "rate_limit_error" }), FailureKind::RateLimited),
        (json!({ "message": "slow", "code": "429" }), FailureKind::RateLimited),
    ] {
        let failure = say(json!({ "error": error })).await;
        assert_eq!(failure.kind, kind, "{error}");
        assert!(!failure.message.contains("answered 500"), "{failure}");
    }
    let unknown = say(json!({ "error": { "message": "out of memory" } })).await;
    assert_eq!(unknown.kind, FailureKind::Server);
    assert!(
        unknown.message.ends_with(
            "answered 200 with an error: out of memory; check the address, which usually ends in /v1"
        ),
        "{unknown}"
    );
    let stated = say(json!({ "error": { "message": "upstream", "code": 502 } })).await;
    assert!(stated.message.ends_with("answered 200 with the error 502: upstream"), "{stated}");
    let page = failed(raw(200, "<html>Welcome to nginx</html>")).await;
    assert!(page.message.ends_with("check the address, which usually ends in /v1"), "{page}");
}

#[tokio::test]
async fn a_tool_call_is_no_empty_reply() {
    let calls = json!([{ "id": "1", "type": "function",
                         "function": { "name": "grade", "arguments": "{\"grade\": 2}" } }]);
    for message in [
        json!({ "content": null, "tool_calls": calls }),
        json!({ "content": "", "function_call": { "name": "grade", "arguments": "{\"grade\": 2}" } }),
    ] {
        let reply = asked(completion(message, json!("tool_calls"))).await.unwrap();
        assert_eq!(reply.finish, Finish::ToolCall);
        assert!(reply.text.contains("\"name\":\"grade\""), "{}", reply.text);
    }
    for message in
        [json!({ "content": "x", "tool_calls": calls }), json!({ "content": "x", "tool_calls": [] })]
    {
        let reply = asked(completion(message, json!("stop"))).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.finish), ("x", Finish::Stop));
    }
}

fn with_cost() -> FaultyServer {
    let body = json!({
        "choices": [{ "message": { "content": "x" }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 1_000_000, "completion_tokens": 1_000_000, "cost": 0.25 },
    });
    server(FaultPlan::always(raw(200, body.to_string())))
}

#[tokio::test]
async fn a_cost_is_stated_or_computed_or_unknown() {
    let server = with_cost();
    let price = Some(Price { input_per_million: 1.0, cached_per_million: None, output_per_million: 2.0 });
    for (name, price, cost) in [
        ("openrouter/a/b", None, Some(0.25)),
        ("openrouter/a/b", price, Some(0.25)),
        ("openai/m", price, Some(3.0)),
        ("openai/m", None, None),
    ] {
        let model = connect(&ModelSettings { price, ..settings(name, &server) }, &|_| None).unwrap();
        assert_eq!(model.chat(&request()).await.unwrap().cost_usd, cost, "{name} {price:?}");
    }
}
