//! Tests the bodies of requests.

use llull_core::Sampling;
use llull_llm::{ChatRequest, ExtraFields, ModelSettings, connect};
use llull_testkit::FaultPlan;
use serde_json::json;

use crate::{KEY, model, request, request_with_schema, server, settings};

fn recording() -> FaultPlan {
    FaultPlan { record: true, ..FaultPlan::default() }
}

#[tokio::test]
async fn a_request_has_what_was_asked_for_and_nothing_else() {
    let server = server(recording());
    let sampling = Sampling { temperature: None, top_p: None, max_tokens: 77, seed: None };
    model("vllm/org/name", &server).chat(&ChatRequest { sampling, ..request() }).await.unwrap();
    let sent = server.requests().remove(0);
    assert_eq!(
        sent.body,
        json!({
            "model": "org/name",
            "messages": [
                { "role": "system", "content": "You grade." },
                { "role": "user", "content": "Grade this." },
            ],
            "max_tokens": 77,
        })
    );
    assert_eq!(sent.authorization, Some(format!("Bearer {KEY}")));
}

#[tokio::test]
async fn sampling_and_schema_are_sent_in_their_order() {
    let server = server(recording());
    let sampling = Sampling { temperature: Some(0.0), top_p: Some(0.5), max_tokens: 9, seed: Some(u64::MAX) };
    model("openai/m", &server).chat(&ChatRequest { sampling, ..request_with_schema() }).await.unwrap();
    let body = server.requests().remove(0).body;
    assert_eq!(body["temperature"], json!(0.0));
    assert_eq!(body["top_p"], json!(0.5));
    assert_eq!(body["seed"], json!(u64::MAX));
    assert_eq!(body.pointer("/response_format/type"), Some(&json!("json_schema")));
    assert_eq!(body.pointer("/response_format/json_schema/strict"), Some(&json!(true)));
    // a server that enforces a schema writes the fields in its order, and reasons have to come before the grade
    let fields = body.pointer("/response_format/json_schema/schema/properties").unwrap().as_object().unwrap();
    assert_eq!(fields.keys().collect::<Vec<_>>(), ["rationale", "grade"]);
}

#[tokio::test]
async fn the_newer_name_of_the_token_limit_is_learnt_once() {
    let server = server(FaultPlan { new_limit_name: true, record: true, ..FaultPlan::default() });
    let model = model("openai/o9", &server);
    for _ in 0..3 {
        model.chat(&request_with_schema()).await.unwrap();
    }
    let bodies: Vec<_> = server.requests().into_iter().map(|sent| sent.body).collect();
    let old: Vec<_> = bodies.iter().map(|body| body.get("max_tokens").is_some()).collect();
    assert_eq!(old, [true, false, false, false]);
    assert!(bodies.iter().skip(1).all(|body| body["max_completion_tokens"] == json!(1024)));
    assert!(bodies.iter().all(|body| body.get("response_format").is_some()), "the schema was not to blame");
    let [notice] = &model.notices()[..] else { panic!("one notice") };
    assert!(
        notice
            .to_string()
            .starts_with("openai/o9: the server takes no max_tokens, so it is sent as max_comp")
    );
}

#[tokio::test]
async fn fields_of_the_study_are_added_to_every_request() {
    let server = server(recording());
    let extra = ExtraFields::from_iter([("reasoning_effort".into(), json!("low"))]);
    let settings = ModelSettings { extra, ..settings("openai/m", &server) };
    connect(&settings, &|_| None).unwrap().chat(&request()).await.unwrap();
    assert_eq!(server.requests().remove(0).body["reasoning_effort"], json!("low"));
}

#[tokio::test]
async fn however_the_base_url_is_written_the_server_is_found() {
    let server = server(FaultPlan::default());
    let root = server.url().trim_end_matches("/v1").to_owned();
    for end in ["", "/", "/v1", "/v1/", "/v1/chat/completions"] {
        let settings =
            ModelSettings { base_url: Some(format!("{root}{end}")), ..ModelSettings::new("openai/m") };
        connect(&settings, &|_| None).unwrap().chat(&request()).await.unwrap();
    }
    assert_eq!(server.served().of("normal"), 5);
}
