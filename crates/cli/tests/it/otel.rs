//! Spans of requests, as a collector of OpenTelemetry gets them.

use std::collections::BTreeMap;

use llull_testkit::{AnsweringServer, FaultPlan, FaultyServer, ServerAnswer, ServerRequest};
use serde_json::{Value, json};

use crate::batch::at_openai;
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

#[test]
fn a_batch_is_submitted_and_read_in_spans() {
    let (server, collector) = (FaultyServer::start(FaultPlan::default()).unwrap(), collector());
    let mut sandbox = at_openai(&server, KEY);
    sandbox.set("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url());
    sandbox.llull(&["run", "--batch", "--no-report"]).ends(0);
    let mut found: BTreeMap<String, Vec<BTreeMap<String, Value>>> = BTreeMap::new();
    for (span, attributes) in spans(&collector) {
        let operation = attributes["gen_ai.operation.name"].as_str().unwrap().to_owned();
        assert_eq!(span["name"], format!("{operation} faulty-1"));
        assert_eq!(attributes["gen_ai.provider.name"], "openai");
        found.entry(operation).or_default().push(attributes);
    }
    let of = |operation: &str, name: &str| {
        let mut all: Vec<String> = found[operation].iter().map(|span| span[name].to_string()).collect();
        all.sort();
        all
    };
    let batches = of("submit_batch", "llull.batch.id");
    assert!(batches.len() > 1, "{found:?}");
    assert_eq!(of("batch_status", "llull.batch.id"), batches);
    assert_eq!(of("batch_results", "llull.batch.id"), batches);
    let sum =
        |operation: &str, name: &str| of(operation, name).iter().map(|n| n.parse::<u64>().unwrap()).sum();
    let (requests, results): (u64, u64) =
        (sum("submit_batch", "llull.batch.requests"), sum("batch_results", "llull.batch.results"));
    assert!(requests > 2 && results >= requests, "{requests} requests, {results} results");
    assert_eq!(found["chat"].len(), 1, "the request before the first batch");
    let sent: String = collector.arrived().iter().map(|request| format!("{request:?}")).collect();
    assert!(!sent.contains(KEY) && !sent.contains("password"), "{sent}");
}

#[test]
fn a_reranker_has_spans() {
    let reranker = AnsweringServer::start(|request: &ServerRequest| {
        let scored = |index: usize| json!({"index": index, "relevance_score": index});
        let results: Vec<Value> =
            (0..request.body["documents"].as_array().unwrap().len()).map(scored).collect();
        ServerAnswer::json(&json!({"model": "bge-1", "results": results, "usage": {"total_tokens": 7}}))
    })
    .unwrap();
    let collector = collector();
    let url = reranker.url();
    let mut sandbox = tiny_judged_by(&format!(
        "[[judges]]\nname = \"m\"\nscores = \"vllm\"\nmodel = \"bge\"\nkey = \"TEAM_KEY\"\nendpoint = \"{url}\"\n"
    ));
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nparadigm = \"listwise\"\n");
    sandbox.set("TEAM_KEY", KEY);
    sandbox.set("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url());
    sandbox.llull(&["run", "--no-report"]).ends(0);
    let spans = spans(&collector);
    assert!(spans.len() >= 3, "{spans:?}");
    for (span, mut attributes) in spans {
        assert_eq!(span["name"], "rerank bge");
        assert!(attributes.remove("llull.rerank.documents").unwrap().as_i64().unwrap() > 1, "{span}");
        let expected = json!({
            "gen_ai.operation.name": "rerank", "gen_ai.provider.name": "vllm", "gen_ai.system": "vllm",
            "gen_ai.request.model": "bge", "gen_ai.response.model": "bge-1", "gen_ai.usage.input_tokens": 7,
            "server.address": "127.0.0.1", "server.port": url.rsplit(':').next().unwrap().parse::<i64>().unwrap(),
        });
        assert_eq!(json!(attributes), expected);
    }
    let sent: String = collector.arrived().iter().map(|request| format!("{request:?}")).collect();
    assert!(!sent.contains(KEY) && !sent.contains("password"), "{sent}");
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
