//! Spans of requests, as a collector of OpenTelemetry gets them.

use std::collections::BTreeMap;

use llull_testkit::{AnsweringServer, ServerAnswer, ServerRequest};
use serde_json::{Value, json};

use crate::sandbox::tiny_judged_by;

/// A reply that is read.
const REPLY: &str = r#"{"facets_covered": [], "facets_missing": [], "rationale": "r", "grade": 2}"#;

const KEY: &str = "sk-topsecret-0123456789";

/// A collector that takes everything.
fn collector() -> AnsweringServer {
    AnsweringServer::start(|_: &ServerRequest| ServerAnswer::json(&json!({}))).unwrap()
}

/// The spans that arrived, each with its name and its attributes.
fn spans(collector: &AnsweringServer) -> Vec<(Value, BTreeMap<String, Value>)> {
    let value = |value: &Value| match value.as_object().unwrap().iter().next().unwrap() {
        (kind, Value::String(number)) if kind == "intValue" => json!(number.parse::<i64>().unwrap()),
        (_, value) => value.clone(),
    };
    let attributes = |span: &Value| {
        let all = span["attributes"].as_array().unwrap().iter();
        all.map(|found| (found["key"].as_str().unwrap().to_owned(), value(&found["value"]))).collect()
    };
    let mut found = Vec::new();
    for request in collector.arrived() {
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/traces"));
        for span in request.body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap() {
            found.push((span.clone(), attributes(span)));
        }
    }
    found
}

#[test]
fn a_request_is_a_span_without_its_prompt_and_its_key() {
    let model = AnsweringServer::start(|request: &ServerRequest| {
        if request.text.contains("Locked out") {
            return ServerAnswer::status(
                400,
                json!({"error": {"message": format!("not with {KEY}")}}).to_string(),
            );
        }
        ServerAnswer::json(&json!({
            "id": "chatcmpl-7", "model": "faulty-1-0613",
            "choices": [{"message": {"content": REPLY}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 82, "completion_tokens": 17},
        }))
        .with("x-request-id", "req-7")
    })
    .unwrap();
    let collector = collector();
    let judge = format!(
        "[[judges]]\nname = \"served\"\nmodel = \"vllm/faulty-1\"\nkey = \"TEAM_KEY\"\nbase_url = \"{}\"\n",
        model.url()
    );
    let mut sandbox = tiny_judged_by(&judge);
    sandbox.set("TEAM_KEY", KEY);
    sandbox.llull(&["run", "--no-report"]).ends(3);
    assert_eq!(spans(&collector), []);
    let sandbox = {
        let mut sandbox = tiny_judged_by(&judge);
        sandbox.set("TEAM_KEY", KEY);
        sandbox.set("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url());
        sandbox
    };
    sandbox.llull(&["run", "--no-report"]).ends(3);
    let spans = spans(&collector);
    let failed = |attributes: &BTreeMap<String, Value>| attributes.contains_key("error.type");
    let (failed, answered): (Vec<_>, Vec<_>) = spans.iter().partition(|(_, attributes)| failed(attributes));
    assert!(answered.len() >= 10 && failed.len() == 1, "{spans:?}");
    let port = model.url().rsplit(':').next().unwrap().parse::<i64>().unwrap();
    let expected = |more: Value| {
        let mut all = json!({
            "gen_ai.operation.name": "chat", "gen_ai.provider.name": "vllm", "gen_ai.system": "vllm",
            "gen_ai.request.model": "faulty-1", "server.address": "127.0.0.1", "server.port": port,
        });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all.as_object().unwrap().clone().into_iter().collect::<BTreeMap<String, Value>>()
    };
    let reply = json!({
        "gen_ai.response.model": "faulty-1-0613",
        "gen_ai.usage.input_tokens": 82, "gen_ai.usage.output_tokens": 17,
        "gen_ai.response.finish_reasons": {"values": [{"stringValue": "stop"}]},
    });
    for (span, attributes) in answered {
        assert_eq!((span["name"].as_str(), attributes), (Some("chat faulty-1"), &expected(reply.clone())));
        let time = |name: &str| span[name].as_str().unwrap().parse::<u64>().unwrap();
        assert!(time("startTimeUnixNano") <= time("endTimeUnixNano") && span["kind"] == 3, "{span}");
    }
    assert_eq!(failed[0].1, expected(json!({"error.type": "rejected"})));
    let sent: String = collector.arrived().iter().map(|request| format!("{request:?}")).collect();
    for secret in [KEY, "password", "rationale"] {
        assert!(!sent.contains(secret), "{secret} in {sent}");
    }
}

/// A collector that is not there costs a run nothing but its spans.
#[test]
fn a_run_does_not_need_its_collector() {
    let model = AnsweringServer::start(|_: &ServerRequest| {
        ServerAnswer::json(&json!({
            "choices": [{"message": {"content": REPLY}, "finish_reason": "stop"}],
        }))
    })
    .unwrap();
    let judge =
        format!("[[judges]]\nname = \"served\"\nmodel = \"vllm/faulty-1\"\nbase_url = \"{}\"\n", model.url());
    let mut sandbox = tiny_judged_by(&judge);
    let collector = collector();
    sandbox.set("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url());
    drop(collector);
    let said = sandbox.llull(&["run", "--no-report"]).ends(0).to_string();
    assert_eq!(said.matches("warning: spans were not sent: the collector").count(), 1, "{said}");
}
