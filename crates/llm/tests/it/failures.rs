//! Tests the kind of every failure.

use std::time::{Duration, Instant};

use llull_core::{Failure, FailureKind, Scope};
use llull_llm::{ModelSettings, connect};
use llull_testkit::{Fault, FaultPlan};
use serde_json::json;

use crate::{error_body, failed, model, raw, request, server, settings};

#[tokio::test]
async fn every_status_has_its_kind() {
    use FailureKind::*;
    for (status, kind) in [
        (400, Rejected),
        (401, Unauthorized),
        (402, Quota),
        (403, Unauthorized),
        (404, NotFound),
        (405, NotFound),
        (408, Timeout),
        (409, Server),
        (413, TooLong),
        (422, Rejected),
        (429, RateLimited),
        (451, Rejected),
        (500, Server),
        (502, Server),
        (503, Server),
        (504, Timeout),
        (529, Server),
    ] {
        let failure = failed(raw(status, error_body("the server's own words", json!(null)))).await;
        assert_eq!(failure.kind, kind, "{status}");
        assert!(failure.message.contains(&status.to_string()), "{failure}");
        assert!(failure.message.contains("the server's own words"), "{failure}");
    }
}

#[tokio::test]
async fn words_are_found_in_every_servers_form() {
    for body in [
        json!({ "error": { "message": "no such thing" } }),
        json!({ "error": "no such thing" }),
        json!({ "object": "error", "message": "no such thing", "code": 400 }),
        json!({ "detail": [{ "loc": ["body"], "msg": "no such thing" }] }),
        json!("no such thing"),
    ] {
        assert!(failed(raw(400, body.to_string())).await.message.contains("no such thing"), "{body}");
    }
    let html =
        failed(raw(502, format!("<html>\r\n<b>bad gateway</b>\u{1b}[31m{}</html>", "x".repeat(9000)))).await;
    assert!(html.message.contains("<b>bad gateway</b>"), "{html}");
    assert!(html.message.len() < 500 && !html.message.contains(['\n', '\u{1b}']), "{html}");
}

#[tokio::test]
async fn a_429_is_a_limit_or_an_empty_account() {
    let limited = failed(Fault::RateLimited { retry_after: 7 }).await;
    assert_eq!((limited.kind, limited.retry_after_ms), (FailureKind::RateLimited, Some(7000)));
    let now = failed(Fault::RateLimited { retry_after: 0 }).await;
    assert_eq!(now.retry_after_ms, Some(0));
    let empty = failed(Fault::Quota).await;
    assert_eq!((empty.kind, empty.kind.scope()), (FailureKind::Quota, Scope::Judge));
    let headers = vec![("retry-after".into(), "3".into())];
    let overloaded = failed(Fault::Raw { status: 503, headers, body: String::new() }).await;
    assert_eq!((overloaded.kind, overloaded.retry_after_ms), (FailureKind::Server, Some(3000)));
}

#[tokio::test]
async fn a_flagged_text_does_not_stop_the_judge() {
    let flagged = json!({ "error": { "code": 403, "message": "moderation", "metadata": {
        "reasons": ["violence"], "flagged_input": "…" } } });
    let failure = failed(raw(403, flagged.to_string())).await;
    assert_eq!((failure.kind, failure.kind.scope()), (FailureKind::Refused, Scope::Task));
}

#[tokio::test]
async fn not_found_and_not_allowed_say_what_to_do() {
    let server = server(FaultPlan::always(raw(404, error_body("model 'q' not found", json!(null)))));
    let say = async |name: &str| model(name, &server).chat(&request()).await.unwrap_err().message;
    let ollama = say("ollama/q:1b").await;
    assert!(ollama.contains("ollama pull q:1b") && ollama.contains("model 'q' not found"), "{ollama}");
    let other = say("vllm/org/q").await;
    assert!(other.contains("org/q") && other.contains(&server.url()), "{other}");

    let locked = crate::server(FaultPlan { key: Some("right".into()), ..FaultPlan::default() });
    let wrong = model("openai/m", &locked).chat(&request()).await.unwrap_err();
    assert!(wrong.message.contains("OPENAI_API_KEY is not accepted"), "{wrong}");
    let keyless = connect(&settings("openrouter/m", &locked), &|_| None).unwrap();
    let none = keyless.chat(&request()).await.unwrap_err();
    assert!(none.message.contains("set OPENROUTER_API_KEY"), "{none}");
    assert_eq!((wrong.kind, none.kind), (FailureKind::Unauthorized, FailureKind::Unauthorized));
}

#[tokio::test]
async fn a_hang_ends_at_the_time_limit() {
    let server = server(FaultPlan::always(Fault::Hang));
    let timeout = Duration::from_millis(200);
    let model = connect(&ModelSettings { timeout, ..settings("vllm/m", &server) }, &|_| None).unwrap();
    let started = Instant::now();
    let failure = model.chat(&request()).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Timeout);
    assert!(failure.message.contains("no reply within 0.2 s"), "{failure}");
    assert!(started.elapsed() >= timeout);
    // On a busy machine the time is over before the request is sent.
    assert!(server.served().total() <= 1, "it is not sent again");
}

#[tokio::test]
async fn a_broken_connection_is_a_connections_failure() {
    let failure = failed(Fault::Reset).await;
    assert_eq!(
        (failure.kind, failure.kind.scope()),
        (FailureKind::Connection, Scope::Transient),
        "{failure}"
    );
}

#[tokio::test]
async fn nobody_there_is_said_with_how_to_start_the_server() {
    // No other test's server can get this port.
    let base_url = Some("http://127.0.0.1:1/v1".to_owned());
    let settings = ModelSettings { base_url, ..ModelSettings::new("llamacpp/m") };
    let Failure { kind, message, .. } =
        connect(&settings, &|_| None).unwrap().chat(&request()).await.unwrap_err();
    assert_eq!(kind, FailureKind::Connection);
    assert!(message.contains("llama-server") && message.contains("refused"), "{message}");
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let target = server(FaultPlan { record: true, ..FaultPlan::default() });
    let location = format!("{}/chat/completions?token=hunter2", target.url());
    let fault = Fault::Raw { status: 307, headers: vec![("location".into(), location)], body: String::new() };
    let failure = failed(fault).await;
    assert_eq!(failure.kind.scope(), Scope::Judge);
    assert!(failure.message.contains(&target.url()) && !failure.message.contains("hunter2"), "{failure}");
    assert!(target.requests().is_empty());
}
