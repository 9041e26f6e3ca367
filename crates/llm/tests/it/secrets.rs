//! A key goes into a header and nowhere else.

use llull_llm::{ModelSettings, connect};
use llull_testkit::{Fault, FaultPlan};
use serde_json::json;

use crate::{KEY, error_body, failed, model, raw, request, server};

#[tokio::test]
async fn a_key_that_the_server_quotes_is_hidden() {
    let echo = format!("key {KEY} and sk-proj-abc***XYZ and Bearer {KEY}");
    let long = format!("{}{KEY}", "x".repeat(290));
    for fault in [
        Fault::Unauthorized,
        raw(400, error_body(&echo, json!(null))),
        raw(400, error_body(&long, json!(null))),
        raw(500, echo.clone()),
        raw(200, echo.clone()),
        raw(200, json!({ "error": { "code": 502, "message": echo } }).to_string()),
        raw(200, json!({ "unexpected": echo }).to_string()),
        Fault::Raw {
            status: 308,
            headers: vec![("location".into(), format!("/{KEY}"))],
            body: String::new(),
        },
    ] {
        let failure = failed(fault.clone()).await;
        for part in [KEY, "topsecret", "sk-proj"] {
            assert!(!failure.message.contains(part), "{fault:?}: {failure}");
        }
    }
    assert!(failed(Fault::Unauthorized).await.message.contains("Incorrect API key provided: [key]"));
}

#[tokio::test]
async fn a_server_that_quotes_the_key_when_it_refuses_a_schema_is_hidden_too() {
    let server = server(FaultPlan::script([raw(400, error_body(&format!("no schema, {KEY}"), json!(null)))]));
    let model = model("openai/m", &server);
    model.chat(&crate::request_with_schema()).await.unwrap();
    let notice = format!("{} {:?}", model.notices()[0], model.notices());
    assert!(notice.contains("no schema, [key]") && !notice.contains(KEY), "{notice}");
}

#[tokio::test]
async fn an_address_is_shown_without_its_query() {
    // No other test's server can get this port.
    let base_url = Some(format!("http://127.0.0.1:1/v1?api_key={KEY}"));
    let model = connect(&ModelSettings { base_url, ..ModelSettings::new("openai/m") }, &|_| None).unwrap();
    let failure = model.chat(&request()).await.unwrap_err();
    assert!(!format!("{failure:?}").contains(KEY), "{failure}");
}

#[tokio::test]
async fn a_key_in_the_address_that_the_server_quotes_is_hidden() {
    let echo = format!("no route POST /v1/chat/completions?v=2&api_key={KEY}");
    let server = server(FaultPlan::always(raw(404, error_body(&echo, json!(null)))));
    let base_url = Some(format!("{}?v=2&api_key={KEY}", server.url()));
    let model = connect(&ModelSettings { base_url, ..ModelSettings::new("openai/m") }, &|_| None).unwrap();
    let failure = model.chat(&request()).await.unwrap_err();
    assert!(failure.message.contains("no route POST") && failure.message.contains("v=2"), "{failure}");
    assert!(!failure.message.contains(KEY), "{failure}");
}
