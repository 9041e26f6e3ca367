//! Tests lessons about schemas.

use llull_core::FailureKind;
use llull_llm::{ChatModel, Notice, SchemaUse, check};
use llull_testkit::{Fault, FaultPlan, FaultyServer, ScriptedModel, reply};
use serde_json::json;

use crate::{error_body, model, raw, request, request_with_schema, server};

/// Whether each request had a schema.
fn schemas(server: &FaultyServer) -> Vec<bool> {
    server.requests().iter().map(|sent| sent.body.get("response_format").is_some()).collect()
}

async fn ask(model: &dyn ChatModel) -> Result<String, FailureKind> {
    model.chat(&request_with_schema()).await.map(|reply| reply.text).map_err(|failure| failure.kind)
}

#[tokio::test]
async fn a_server_without_schemas_is_asked_once_and_that_is_told() {
    let server = server(FaultPlan { no_schema: true, record: true, ..FaultPlan::default() });
    let model = model("ollama/m", &server);
    assert!(model.notices().is_empty());
    for _ in 0..3 {
        ask(&*model).await.unwrap();
    }
    assert_eq!(schemas(&server), [true, false, false, false]);
    let [Notice::SchemaRefused { model: name, words }] = &model.notices()[..] else { panic!("one notice") };
    assert_eq!(name, "ollama/m");
    assert!(words.contains("response_format"));
    assert!(model.notices()[0].to_string().starts_with("ollama/m: the server takes no JSON schema"));
    let bodies = server.requests();
    let without_schema = |mut body: serde_json::Value| {
        body.as_object_mut().unwrap().remove("response_format");
        body
    };
    assert_eq!(without_schema(bodies[0].body.clone()), bodies[1].body, "the same request but for the schema");
}

#[tokio::test]
async fn a_rejection_for_another_reason_teaches_nothing() {
    let first = raw(400, error_body("not understood", json!(null)));
    let again = raw(400, error_body("second refusal", json!(null)));
    let server = server(FaultPlan::script([first, again]));
    let model = model("vllm/m", &server);
    let failure = model.chat(&request_with_schema()).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Rejected);
    assert!(failure.message.contains("not understood"), "the first is reported: {failure}");
    ask(&*model).await.unwrap();
    assert_eq!(schemas(&server), [true, false, true]);
    assert!(model.notices().is_empty());
}

#[tokio::test]
async fn a_text_that_is_refused_is_sent_once() {
    for (code, kind) in
        [("context_length_exceeded", FailureKind::TooLong), ("content_filter", FailureKind::Refused)]
    {
        let server = server(FaultPlan::script([raw(400, error_body("no", json!(code)))]));
        let model = model("vllm/m", &server);
        assert_eq!(model.chat(&request_with_schema()).await.unwrap_err().kind, kind);
        ask(&*model).await.unwrap();
        assert_eq!(schemas(&server), [true, true]);
    }
}

#[tokio::test]
async fn once_a_schema_was_taken_no_rejection_is_blamed_on_it() {
    let server = server(FaultPlan::script([Fault::None, raw(400, error_body("too long", json!(null)))]));
    let model = model("vllm/m", &server);
    ask(&*model).await.unwrap();
    assert_eq!(ask(&*model).await, Err(FailureKind::Rejected));
    ask(&*model).await.unwrap();
    assert_eq!(schemas(&server), [true, true, true]);
}

#[tokio::test]
async fn trouble_that_does_not_mention_the_schema_is_not_blamed_on_it() {
    for fault in
        [Fault::ServerError, Fault::RateLimited { retry_after: 1 }, Fault::Unauthorized, raw(404, "no model")]
    {
        let server = server(FaultPlan::script([fault]));
        let model = model("vllm/m", &server);
        ask(&*model).await.unwrap_err();
        ask(&*model).await.unwrap();
        assert_eq!(schemas(&server), [true, true]);
        assert!(model.notices().is_empty());
    }
}

#[tokio::test]
async fn trouble_that_mentions_it_is() {
    for fault in [
        raw(500, error_body("JSON schema conversion failed", json!(500))),
        raw(404, error_body("No endpoints found that can handle the requested parameters.", json!(404))),
        raw(200, error_body("response_format is not available", json!(400))),
    ] {
        let server = server(FaultPlan::script([fault]));
        let model = model("openrouter/m", &server);
        ask(&*model).await.unwrap();
        assert_eq!(schemas(&server), [true, false]);
        assert_eq!(model.notices().len(), 1);
    }
}

#[tokio::test]
async fn a_second_failure_that_may_pass_leaves_the_question_open() {
    let no_schema = raw(400, error_body("unknown field response_format", json!(null)));
    let server =
        server(FaultPlan::script([no_schema.clone(), Fault::RateLimited { retry_after: 2 }, no_schema]));
    let model = model("vllm/m", &server);
    let failure = model.chat(&request_with_schema()).await.unwrap_err();
    assert_eq!((failure.kind, failure.retry_after_ms), (FailureKind::RateLimited, Some(2000)));
    assert!(model.notices().is_empty());
    ask(&*model).await.unwrap();
    assert_eq!(schemas(&server), [true, false, true, false]);
    assert_eq!(model.notices().len(), 1);
}

#[tokio::test]
async fn a_request_without_schema_teaches_nothing_about_schemas() {
    let server = server(FaultPlan { no_schema: true, record: true, ..FaultPlan::default() });
    let model = model("vllm/m", &server);
    model.chat(&request()).await.unwrap();
    ask(&*model).await.unwrap();
    assert_eq!(schemas(&server), [false, true, false]);
}

#[tokio::test]
async fn a_probe_tells_what_became_of_the_schema() {
    let sampling = llull_core::Sampling::default();
    let says = |text: &str| ScriptedModel::in_order("m", [Ok(reply(text))]);
    let probe = check(&says(r#"{"ok": true}"#), &sampling).await.unwrap();
    assert_eq!((probe.schema, probe.model.as_deref()), (SchemaUse::Followed, Some("scripted")));
    assert_eq!(check(&says("Yes, I am ready!"), &sampling).await.unwrap().schema, SchemaUse::Ignored);

    let plain = server(FaultPlan { no_schema: true, record: true, ..FaultPlan::default() });
    assert_eq!(check(&*model("vllm/m", &plain), &sampling).await.unwrap().schema, SchemaUse::Refused);
    assert_eq!(plain.requests()[0].body["max_tokens"], json!(64));
    let no_key = server(FaultPlan::default());
    let probe = check(&*model("deepseek/m", &no_key), &sampling).await.unwrap();
    assert_ne!(probe.schema, SchemaUse::Followed, "DeepSeek is sent no schema");
    let [notice] = &probe.notices[..] else { panic!("{:?}", probe.notices) };
    assert!(
        notice.to_string().contains("takes no response_format, so it is sent as json_object"),
        "{notice}"
    );
    let short = server(FaultPlan::always(Fault::CutOff));
    assert_eq!(check(&*model("vllm/m", &short), &sampling).await.unwrap().schema, SchemaUse::CutOff);
    let locked = server(FaultPlan::always(Fault::Unauthorized));
    assert_eq!(
        check(&*model("vllm/m", &locked), &sampling).await.unwrap_err().kind,
        FailureKind::Unauthorized
    );
}
