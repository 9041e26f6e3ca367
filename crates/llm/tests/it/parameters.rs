//! Tests lessons about parameters that a server refuses.

use llull_core::{FailureKind, Sampling};
use llull_llm::{Adjustment, ChatRequest, Finish, Notice, SchemaUse, check};
use llull_testkit::{Fault, FaultPlan, FaultyServer};
use serde_json::{Value, json};

use crate::{error_body, model, raw, request, request_with_schema, server};

/// As OpenAI's reasoning models.
fn reasoning_model() -> FaultPlan {
    let refused_parameters = vec!["temperature", "top_p", "seed"];
    FaultPlan { new_limit_name: true, refused_parameters, record: true, ..FaultPlan::default() }
}

fn everything() -> ChatRequest {
    let sampling = Sampling { temperature: Some(0.0), top_p: Some(0.5), max_tokens: 77, seed: Some(7) };
    ChatRequest { sampling, ..request_with_schema() }
}

fn bodies(server: &FaultyServer) -> Vec<Value> {
    server.requests().into_iter().map(|sent| sent.body).collect()
}

#[tokio::test]
async fn a_model_that_refuses_temperature_is_asked_without_it() {
    let server = server(reasoning_model());
    let model = model("openai/o9", &server);
    let reply = model.chat(&everything()).await.unwrap();
    model.chat(&everything()).await.unwrap();
    let bodies = bodies(&server);
    assert_eq!(bodies.len(), 6, "four refusals, once, and two answers");
    for sent in &bodies[4..] {
        assert_eq!(sent["max_completion_tokens"], json!(77), "a limit is renamed, never dropped: {sent}");
        let left_out = ["max_tokens", "temperature", "top_p", "seed"];
        assert!(left_out.iter().all(|name| sent.get(name).is_none()), "{sent}");
        assert!(sent.get("response_format").is_some(), "the schema was not to blame");
    }
    let adjusted = Adjustment::json(&reply.adjusted).unwrap();
    assert_eq!(
        adjusted,
        r#"{"max_tokens":"max_completion_tokens","temperature":null,"top_p":null,"seed":null}"#
    );
    let notices: Vec<_> = model.notices().iter().map(ToString::to_string).collect();
    assert_eq!(notices.len(), 4, "each is said once: {notices:?}");
    assert!(
        notices[1].starts_with(
            "openai/o9: the server takes no temperature, so it is left out and the server's own applies \
             (Unsupported value: 'temperature'"
        ),
        "{notices:?}"
    );
}

#[tokio::test]
async fn what_was_in_flight_when_it_was_learnt_is_answered_too() {
    let server = server(FaultPlan { delay_ms: 20..=20, ..reasoning_model() });
    let model = model("openai/o9", &server);
    let (one, two) = (everything(), ChatRequest { logprobs: None, ..everything() });
    let (one, two) = tokio::join!(model.chat(&one), model.chat(&two));
    assert!(one.is_ok() && two.is_ok());
    assert_eq!(model.notices().len(), 4, "said once although both were refused");
}

#[tokio::test]
async fn only_what_was_asked_for_is_adjusted() {
    let server = server(reasoning_model());
    let model = model("openai/o9", &server);
    model.chat(&everything()).await.unwrap();
    let sampling = Sampling { temperature: None, ..Sampling::default() };
    let reply = model.chat(&ChatRequest { sampling, ..request() }).await.unwrap();
    assert_eq!(
        reply.adjusted,
        [Adjustment { parameter: "max_tokens", sent_as: Some("max_completion_tokens") }]
    );
}

#[tokio::test]
async fn a_rejection_that_quotes_the_document_teaches_nothing() {
    let document = "Unsupported value: 'temperature' does not support 0 with this model.";
    let flagged = raw(400, error_body(&format!("content rejected: {document}"), json!("content_filter")));
    let server = server(FaultPlan::script([flagged]));
    let model = model("vllm/m", &server);
    assert_eq!(model.chat(&request()).await.unwrap_err().kind, FailureKind::Refused);
    model.chat(&request()).await.unwrap();
    assert!(bodies(&server).iter().all(|body| body.get("temperature").is_some()));
    assert!(model.notices().is_empty());
}

#[tokio::test]
async fn a_server_that_refuses_the_request_without_the_parameter_as_well_teaches_nothing() {
    let echo = raw(400, error_body("Unsupported parameter: 'temperature'", json!(null)));
    let other = raw(400, error_body("too long", json!(null)));
    let server = server(FaultPlan::script([echo, other]));
    let model = model("vllm/m", &server);
    let failure = model.chat(&request()).await.unwrap_err();
    assert!(failure.message.contains("too long"), "{failure}");
    model.chat(&request()).await.unwrap();
    let sent: Vec<_> = bodies(&server).iter().map(|body| body.get("temperature").is_some()).collect();
    assert_eq!(sent, [true, false, true]);
    assert!(model.notices().is_empty());
}

#[tokio::test]
async fn a_server_that_knows_neither_name_of_the_limit_is_not_asked_without_one() {
    let refusal = |name: &str| raw(400, error_body(&format!("Unknown parameter: '{name}'."), json!(null)));
    let server = server(FaultPlan::script([refusal("max_tokens"), refusal("max_completion_tokens")]));
    let model = model("vllm/m", &server);
    assert!(model.chat(&request()).await.unwrap_err().message.contains("max_completion_tokens"));
    assert_eq!(bodies(&server).len(), 2);
}

#[tokio::test]
async fn trouble_of_another_status_is_not_read_for_parameters() {
    let words = "Unsupported parameter: 'temperature' is not supported with this model.";
    for status in [401, 403, 404, 429, 500] {
        let server =
            server(FaultPlan::script([raw(status, error_body(words, json!("unsupported_parameter")))]));
        model("vllm/m", &server).chat(&request()).await.unwrap_err();
        assert_eq!(bodies(&server).len(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_model_that_uses_up_its_limit_while_it_reasons_was_cut_off() {
    let words = "Could not finish the message because max_tokens or model output limit was reached. Please try again \
                 with higher max_tokens.";
    let server = server(FaultPlan::always(raw(400, error_body(words, json!(null)))));
    let reply = model("openai/o9", &server).chat(&request()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("", Finish::Length));
}

#[tokio::test]
async fn a_probe_learns_and_tells_it() {
    let server = server(reasoning_model());
    let probe = check(&*model("openai/o9", &server), &Sampling::default()).await.unwrap();
    assert_ne!(probe.schema, SchemaUse::Refused);
    let refused = |notice: &Notice| match notice {
        Notice::ParameterRefused { parameter, .. } => *parameter,
        other => panic!("{other:?}"),
    };
    assert_eq!(probe.notices.iter().map(refused).collect::<Vec<_>>(), ["max_tokens", "temperature"]);
    assert!(bodies(&server).iter().all(|body| body.get("response_format").is_some()));
    let fault = Fault::CutOff;
    let short = crate::server(FaultPlan::always(fault));
    assert_eq!(
        check(&*model("vllm/m", &short), &Sampling::default()).await.unwrap().schema,
        SchemaUse::CutOff
    );
}

/// Gemma's template, behind vLLM and (with 500) behind llama.cpp.
#[tokio::test]
async fn a_server_that_refuses_the_system_role_gets_the_instructions_in_the_user_message() {
    for status in [400, 500] {
        let refusal = raw(status, error_body("System role not supported", json!(null)));
        let server = server(FaultPlan::script([refusal]));
        let model = model("vllm/gemma", &server);
        let reply = model.chat(&request_with_schema()).await.unwrap();
        model.chat(&request_with_schema()).await.unwrap();
        let bodies = bodies(&server);
        assert_eq!(bodies.len(), 3, "one refusal, once, and two answers");
        for sent in &bodies[1..] {
            assert_eq!(
                sent["messages"],
                json!([{ "role": "user", "content": "You grade.\n\nGrade this." }]),
                "no text is lost"
            );
            assert!(sent.get("response_format").is_some(), "the schema was not to blame");
        }
        assert_eq!(Adjustment::json(&reply.adjusted).as_deref(), Some(r#"{"system role":"user"}"#));
        let notices: Vec<_> = model.notices().iter().map(ToString::to_string).collect();
        assert_eq!(
            notices,
            [
                "vllm/gemma: the server takes no system role, so the instructions are sent at the start of the user \
              message (System role not supported)"
            ]
        );
    }
}

#[tokio::test]
async fn a_document_about_the_system_role_teaches_nothing() {
    let flagged = || raw(400, error_body("flagged: System role not supported", json!(null)));
    let server = server(FaultPlan::script([flagged(), flagged()]));
    let model = model("vllm/m", &server);
    assert_eq!(model.chat(&request()).await.unwrap_err().kind, FailureKind::Rejected);
    model.chat(&request()).await.unwrap();
    assert_eq!(bodies(&server)[2]["messages"][0]["role"], "system");
    assert!(model.notices().is_empty());
}
