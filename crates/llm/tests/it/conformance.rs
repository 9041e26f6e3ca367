//! Every wire format and every provider passes these tests, by the fixtures in `tests/providers`.
//!
//! A fixture has requests, replies and errors in the form that the documentation states which its `source` names. An
//! error with a `source` of its own quotes that issue; the others have words of our own where the documentation has
//! none. With `like` a fixture has only the differences from another: a `patch` of the request, and more replies and
//! errors.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use llull_core::{Failure, Sampling, Scale};
use llull_judge::{
    CompareKind, ComparisonForm, GradeKind, RawReply, comparison_schema, facts_schema, grade_schema,
    read_grade,
};
use llull_llm::{
    ChatModel, ChatReply, ChatRequest, Finish, LimitSubject, Message, ModelSettings, PROVIDERS, Price,
    RateLimit, ResponseSchema, Role, connect,
};
use llull_testkit::{AnsweringServer, ServerAnswer};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::KEY;

/// A text that every reply has in place of `{answer}`.
const ANSWER: &str = r#"{"rationale":"r","grade":2}"#;

/// The identifier in the header of every reply.
const REQUEST_ID: &str = "req-7";

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    source: Vec<String>,
    like: Option<String>,
    model: String,
    base: Option<String>,
    path: Option<String>,
    headers: Option<BTreeMap<String, Option<String>>>,
    request: Option<Value>,
    #[serde(default)]
    patch: Value,
    /// Where the schema stands in a request; null for a server without schemas.
    #[serde(default, deserialize_with = "given")]
    schema: Option<Option<String>>,
    #[serde(default)]
    lacks: Vec<String>,
    #[serde(default)]
    asks_logprobs: Option<Value>,
    #[serde(default)]
    replies: BTreeMap<String, WrittenReply>,
    #[serde(default)]
    errors: BTreeMap<String, WrittenError>,
    refused_schemas: Option<Vec<RefusedSchema>>,
}

fn given<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(value).map(Some)
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenReply {
    body: Value,
    finish: String,
    text: Option<String>,
    reasoning: Option<String>,
    model: Option<String>,
    tokens: Option<(Option<u64>, Option<u64>)>,
    /// Tokens of the prompt that were read from the server's cache, and written there.
    cached: Option<(Option<u64>, Option<u64>)>,
    reasoning_tokens: Option<u64>,
    /// The request's identifier, if the body has it.
    request_id: Option<String>,
    usd: Option<f64>,
    logprobs: Option<Value>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenError {
    source: Option<String>,
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Value,
    kind: String,
    wait_ms: Option<u64>,
    #[serde(default)]
    says: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct RefusedSchema {
    status: u16,
    body: Value,
    /// The form in which the next request has the schema.
    sent_as: Option<String>,
    /// What the next request has in its place.
    patch: Value,
    /// The answer to a request in that form, if it has one of its own.
    answer: Option<Value>,
    /// Other replies to it.
    #[serde(default)]
    others: Vec<WrittenReply>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/providers")
}

fn read(name: &str) -> Fixture {
    let text = fs_err::read_to_string(folder().join(format!("{name}.json"))).unwrap();
    let own: Fixture = serde_json::from_str(&text).map_err(|error| format!("{name}: {error}")).unwrap();
    let Some(like) = &own.like else { return own };
    let like = read(like);
    let mut request = like.request.clone().unwrap();
    patch(&mut request, &own.patch);
    Fixture {
        base: own.base.or(like.base),
        path: own.path.or(like.path),
        headers: own.headers.or(like.headers),
        request: Some(request),
        schema: own.schema.or(like.schema),
        asks_logprobs: own.asks_logprobs.or(like.asks_logprobs),
        replies: like.replies.into_iter().chain(own.replies).collect(),
        errors: like.errors.into_iter().chain(own.errors).collect(),
        refused_schemas: own.refused_schemas.or(like.refused_schemas),
        ..own
    }
}

fn fixtures() -> Vec<Fixture> {
    PROVIDERS.iter().map(|provider| read(provider.name)).collect()
}

/// Applies a merge patch (RFC 7396).
fn patch(value: &mut Value, change: &Value) {
    let Some(change) = change.as_object() else { return };
    let Some(fields) = value.as_object_mut() else { return };
    for (name, change) in change {
        match change {
            Value::Null => {
                fields.remove(name);
            }
            Value::Object(_) if fields.get(name).is_some_and(Value::is_object) => {
                fields.get_mut(name).into_iter().for_each(|field| patch(field, change));
            }
            other => {
                fields.insert(name.clone(), other.clone());
            }
        }
    }
}

/// Puts a value in place of a text, wherever it stands alone or is part of another.
fn fill(value: &Value, mark: &str, with: &Value) -> Value {
    match value {
        Value::String(text) if text == mark => with.clone(),
        Value::String(text) => json!(text.replace(mark, with.as_str().unwrap_or_default())),
        Value::Array(items) => items.iter().map(|item| fill(item, mark, with)).collect(),
        Value::Object(fields) => Value::Object(
            fields.iter().map(|(name, value)| (name.clone(), fill(value, mark, with))).collect(),
        ),
        other => other.clone(),
    }
}

fn schemas() -> [Value; 5] {
    let compared = |kind, documents| ComparisonForm { kind, rationale: true, documents, ties: true };
    [
        grade_schema(GradeKind::Reasoned, Scale::default()),
        grade_schema(GradeKind::GradeOnly, Scale::default()),
        comparison_schema(&compared(CompareKind::Choice, 2)),
        comparison_schema(&compared(CompareKind::Ranking, 4)),
        facts_schema(),
    ]
}

/// Instructions, a worked example and a question, with every parameter that a study can set.
fn request(schema: Option<Value>) -> ChatRequest {
    let say = |role, content: &str| Message { role, content: content.into() };
    ChatRequest {
        messages: vec![
            say(Role::System, "You grade."),
            say(Role::User, "Grade the first."),
            say(Role::Assistant, r#"{"grade":0}"#),
            say(Role::User, "Grade this."),
        ],
        sampling: Sampling { temperature: Some(0.0), top_p: Some(0.5), max_tokens: 99, seed: Some(7) },
        schema: schema.map(|schema| ResponseSchema { name: "judgment".into(), schema }),
        logprobs: None,
    }
}

/// A server that gives these answers, the last one again and again.
fn serving(answers: Vec<ServerAnswer>) -> AnsweringServer {
    let served = std::sync::atomic::AtomicUsize::new(0);
    AnsweringServer::start(move |_| {
        let at = served.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        answers[at.min(answers.len() - 1)].clone()
    })
    .unwrap()
}

fn model(fixture: &Fixture, server: &AnsweringServer) -> Box<dyn ChatModel> {
    let settings = ModelSettings {
        base_url: Some(format!("{}{}", server.url(), fixture.base.as_deref().unwrap())),
        key_variable: Some("TEAM_KEY".into()),
        price: Some(Price { input_per_million: 1.0, cached_per_million: None, output_per_million: 2.0 }),
        ..ModelSettings::new(&fixture.model)
    };
    connect(&settings, &|name| (name == "TEAM_KEY").then(|| KEY.to_owned())).unwrap()
}

fn answer(fixture: &Fixture) -> ServerAnswer {
    ServerAnswer::json(&fill(&fixture.replies["answer"].body, "{answer}", &json!(ANSWER)))
}

async fn replied(fixture: &Fixture, reply: &WrittenReply, request: &ChatRequest) -> ChatReply {
    let body = fill(&reply.body, "{answer}", &json!(ANSWER));
    let server = serving(vec![ServerAnswer::json(&body).with("x-request-id", REQUEST_ID)]);
    model(fixture, &server).chat(request).await.unwrap()
}

#[test]
fn every_provider_has_a_fixture_with_its_source() {
    let files =
        fs_err::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let named: BTreeSet<String> = files.map(|file| file.trim_end_matches(".json").to_owned()).collect();
    assert_eq!(named, PROVIDERS.iter().map(|provider| provider.name.to_owned()).collect());
    let replies = ["answer", "reasoning", "cached", "refusal", "filter", "length", "tool_call"];
    let errors = ["request", "too_long", "filter", "key", "model", "account", "rate", "overloaded"];
    for (provider, fixture) in PROVIDERS.iter().zip(fixtures()) {
        assert!(
            fixture.source.iter().all(|source| source.starts_with("https://")) && !fixture.source.is_empty()
        );
        assert!(fixture.model.starts_with(&format!("{}/", provider.name)), "{}", fixture.model);
        for name in replies {
            assert!(fixture.replies.contains_key(name), "{}: no reply {name}", provider.name);
        }
        let quoted = fixture.errors.values().filter_map(|error| error.source.as_ref());
        assert!(quoted.into_iter().all(|source| source.starts_with("https://github.com/")));
        for name in errors {
            assert!(fixture.errors.contains_key(name), "{}: no error {name}", provider.name);
        }
    }
}

#[tokio::test]
async fn a_request_has_the_provider_s_form_for_every_paradigm() {
    for fixture in fixtures() {
        let server = serving(vec![answer(&fixture)]);
        let model = model(&fixture, &server);
        for schema in schemas() {
            let reply = model.chat(&request(Some(schema.clone()))).await.unwrap();
            assert_eq!(reply.text, ANSWER, "{}", fixture.model);
            let adjusted: Vec<_> = reply.adjusted.iter().map(|adjusted| adjusted.parameter).collect();
            assert_eq!(adjusted, lacking(&fixture), "{}", fixture.model);
            let sent = server.arrived().pop().unwrap();
            assert_eq!(sent.path, *fixture.path.as_ref().unwrap(), "{}", fixture.model);
            for (name, value) in fixture.headers.as_ref().unwrap() {
                let value = value.as_ref().map(|value| value.replace("{key}", KEY));
                assert_eq!(sent.headers.get(name), value.as_ref(), "{}: {name}", fixture.model);
            }
            assert!(!sent.path.contains(KEY) && !sent.text.contains(KEY), "the key is in a header alone");
            let mut body = sent.body;
            if let Some(Some(place)) = &fixture.schema {
                let at = body.pointer_mut(place).unwrap_or_else(|| panic!("{}: no {place}", fixture.model));
                properties_stand_in_order(&schema, &unwrapped(at));
                *at = json!("{schema}");
            }
            assert_eq!(Some(body), fixture.request, "{}", fixture.model);
        }
        let told: Vec<_> = model.notices().iter().map(ToString::to_string).collect();
        let lacking = lacking(&fixture);
        assert_eq!(told.len(), lacking.len(), "{told:?}");
        assert!(told.iter().zip(lacking).all(|(told, name)| told.contains(name)), "{told:?}");
    }
}

/// The parameters that a request with a schema has to do without.
fn lacking(fixture: &Fixture) -> Vec<&str> {
    fixture.lacks.iter().map(String::as_str).filter(|name| *name != "logprobs").collect()
}

/// Bedrock's schema is a text.
fn unwrapped(schema: &Value) -> Value {
    schema.as_str().map_or_else(|| schema.clone(), |text| serde_json::from_str(text).unwrap())
}

/// Reasons have to come before the grade, in the schema itself and where its order is stated.
fn properties_stand_in_order(schema: &Value, sent: &Value) {
    let names = |value: &Value| value["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(sent), names(schema));
    assert_eq!(sent["required"], schema["required"]);
    assert_eq!(sent["additionalProperties"], json!(false));
    if let Some(order) = sent.get("propertyOrdering") {
        assert_eq!(*order, json!(names(schema)));
    }
}

#[tokio::test]
async fn every_reply_is_read() {
    for fixture in fixtures() {
        for (name, written) in fixture.replies.iter().filter(|(name, _)| *name != "logprobs") {
            let reply = replied(&fixture, written, &request(None)).await;
            let what = format!("{}: {name}: {reply:?}", fixture.model);
            is_read(&reply, written, &what);
            assert_eq!(reply.reasoning, written.reasoning, "{what}");
            if let Some(tokens) = written.tokens {
                let usage = (reply.usage.prompt_tokens, reply.usage.completion_tokens);
                assert_eq!(usage, tokens, "{what}");
            }
            let cached = (reply.usage.cached_tokens, reply.usage.cache_written_tokens);
            assert_eq!(cached, written.cached.unwrap_or_default(), "{what}");
            assert_eq!(reply.usage.reasoning_tokens, written.reasoning_tokens, "{what}");
            let request_id = written.request_id.as_deref().unwrap_or(REQUEST_ID);
            assert_eq!(reply.request_id.as_deref(), Some(request_id), "{what}");
            if written.model.is_some() {
                assert_eq!(reply.model, written.model, "{what}");
            }
            if let Some(usd) = written.usd {
                assert!((reply.cost_usd.unwrap() - usd).abs() < 1e-12, "{what}");
            }
            let lacks_seed = fixture.lacks.iter().any(|lacking| lacking == "seed");
            let left_out: Vec<_> = reply.adjusted.iter().map(|adjusted| adjusted.parameter).collect();
            assert_eq!(left_out, vec!["seed"; usize::from(lacks_seed)], "{what}");
        }
    }
}

fn is_read(reply: &ChatReply, written: &WrittenReply, what: &str) {
    let finish = match &reply.finish {
        Finish::Other(_) => "Other".to_owned(),
        finish => format!("{finish:?}"),
    };
    assert_eq!(finish, written.finish, "{what}");
    if written.finish == "ToolCall" {
        assert!(
            reply.text.starts_with('[') && reply.text.contains("grade"),
            "the record has the call: {what}"
        );
    } else {
        assert_eq!(reply.text, written.text.as_deref().unwrap_or(ANSWER), "{what}");
    }
}

#[tokio::test]
async fn log_probabilities_are_read_or_reported_as_missing() {
    for fixture in fixtures() {
        let request = ChatRequest { logprobs: Some(2), ..request(None) };
        let lacks = fixture.lacks.iter().any(|name| name == "logprobs");
        let written = fixture.replies.get("logprobs").filter(|_| !lacks);
        let body = written.map_or(&fixture.replies["answer"].body, |written| &written.body);
        let server = serving(vec![ServerAnswer::json(body)]);
        let model = model(&fixture, &server);
        let reply = model.chat(&request).await.unwrap();
        let sent = server.arrived().remove(0).body;
        let Some(written) = written else {
            assert!(lacks && reply.tokens.is_empty() && !sent.to_string().contains("logprobs"), "{sent}");
            assert!(reply.adjusted.iter().any(|left_out| left_out.parameter == "logprobs"));
            let told =
                model.notices().iter().filter(|notice| notice.to_string().contains("no log-prob")).count();
            assert_eq!(told, 1);
            continue;
        };
        for (name, value) in fixture.asks_logprobs.as_ref().and_then(Value::as_object).unwrap() {
            assert_eq!(sent.get(name).unwrap_or(&Value::Null), value, "{}: {sent}", fixture.model);
        }
        let tokens = reply.tokens.iter().map(|token| json!([token.text, token.logprob, token.alternatives]));
        assert_eq!(tokens.collect::<Value>(), *written.logprobs.as_ref().unwrap(), "{}", fixture.model);
    }
}

async fn failed(fixture: &Fixture, error: &WrittenError, request: &ChatRequest) -> (Failure, usize) {
    let answer = ServerAnswer::status(error.status, fill(&error.body, "{key}", &json!(KEY)).to_string());
    let answer = error.headers.iter().fold(answer, |answer, (name, value)| answer.with(name, value));
    let server = serving(vec![answer]);
    let model = model(fixture, &server);
    let failure = model.chat(request).await.unwrap_err();
    assert!(model.notices().is_empty(), "a failure teaches nothing: {}: {failure:?}", fixture.model);
    (failure, server.arrived().len())
}

#[tokio::test]
async fn every_error_has_its_kind_its_wait_and_its_advice() {
    for fixture in fixtures() {
        for (name, error) in &fixture.errors {
            let (failure, requests) = failed(&fixture, error, &request(None)).await;
            let what = format!("{}: {name}: {failure:?}", fixture.model);
            assert_eq!(format!("{:?}", failure.kind), error.kind, "{what}");
            assert_eq!(failure.retry_after_ms, error.wait_ms, "{what}");
            assert_eq!(requests, 1, "no model retries by itself: {what}");
            assert!(!failure.message.contains(KEY), "{what}");
            for said in &error.says {
                assert!(failure.message.contains(said), "{said:?}: {what}");
            }
            if name == "key" {
                assert!(failure.message.contains("the key in TEAM_KEY"), "{what}");
            }
            let schema = grade_schema(GradeKind::Reasoned, Scale::default());
            let (with_schema, requests) = failed(&fixture, error, &request(Some(schema))).await;
            let same =
                (with_schema.kind, with_schema.retry_after_ms) == (failure.kind, failure.retry_after_ms);
            assert!(same, "{with_schema:?}: {what}");
            assert!(requests == 1 || error.kind == "Rejected", "the schema is not to blame: {what}");
        }
    }
}

/// A refused schema is sent in the next form that the provider has, and that is learnt, told and recorded.
#[tokio::test]
async fn a_refused_schema_is_sent_in_another_form() {
    let schema = grade_schema(GradeKind::Reasoned, Scale::default());
    for fixture in fixtures() {
        let refusals = fixture.refused_schemas.clone().unwrap();
        for count in 1..=refusals.len() {
            let last = &refusals[count - 1];
            let refused = refusals[..count].iter();
            let mut answers: Vec<_> = refused
                .map(|refused| ServerAnswer::status(refused.status, refused.body.to_string()))
                .collect();
            answers.push(last.answer.as_ref().map_or_else(|| answer(&fixture), ServerAnswer::json));
            let server = serving(answers);
            let model = model(&fixture, &server);
            for _ in 0..2 {
                let reply = model.chat(&request(Some(schema.clone()))).await.unwrap();
                assert_eq!(
                    (reply.text.as_str(), &reply.finish),
                    (ANSWER, &Finish::Stop),
                    "{}",
                    fixture.model
                );
                let recorded = reply.adjusted.iter().find(|adjusted| adjusted.parameter == "response_format");
                assert_eq!(recorded.unwrap().sent_as, last.sent_as.as_deref(), "{}", fixture.model);
            }
            let sent = server.arrived();
            assert_eq!(sent.len(), count + 2, "learnt once: {}", fixture.model);
            let mut expected = fixture.request.clone().unwrap();
            patch(&mut expected, &last.patch);
            for sent in &sent[count..] {
                let mut body = sent.body.clone();
                let tools = ["/tools/0/input_schema", "/toolConfig/tools/0/toolSpec/inputSchema/json"];
                let place = tools.into_iter().find(|place| body.pointer(place).is_some());
                if let Some(tool) = place.and_then(|place| body.pointer_mut(place)) {
                    properties_stand_in_order(&schema, tool);
                    *tool = json!("{schema}");
                }
                assert_eq!(body, expected, "{}", fixture.model);
            }
            let told = model.notices().iter().any(|notice| {
                notice.to_string().contains(match &last.sent_as {
                    Some(_) => "response_format",
                    None => "takes no JSON schema",
                })
            });
            assert!(told, "{}: {:?}", fixture.model, model.notices());
        }
    }
}

/// A call that was cut, one of several, or one of a tool that is not llull's own, is no answer, and neither is the text
/// before it.
#[tokio::test]
async fn a_reply_to_the_tool_is_its_only_whole_call() {
    let mut with_tools = 0;
    for fixture in fixtures() {
        let refused = fixture.refused_schemas.clone().unwrap().remove(0);
        for (at, other) in refused.others.iter().enumerate() {
            let refusal = ServerAnswer::status(refused.status, refused.body.to_string());
            let body = fill(&other.body, "{answer}", &json!(ANSWER));
            let server = serving(vec![refusal, ServerAnswer::json(&body)]);
            let schema = grade_schema(GradeKind::Reasoned, Scale::default());
            let reply = model(&fixture, &server).chat(&request(Some(schema))).await.unwrap();
            is_read(&reply, other, &format!("{}: {at}: {reply:?}", fixture.model));
            with_tools += 1;
        }
    }
    assert_eq!(with_tools, 8);
}

/// A part of an unknown kind may hold the answer.
#[tokio::test]
async fn a_part_of_an_unknown_kind_is_not_left_out() {
    for (name, body) in [
        ("openai", json!({ "choices": [{ "message": { "content": [{ "type": "hologram" }] } }] })),
        ("anthropic", json!({ "content": [{ "type": "hologram" }], "stop_reason": "end_turn" })),
        (
            "gemini",
            json!({ "candidates": [{ "content": { "parts": [{ "hologram": {} }] }, "finishReason": "STOP" }] }),
        ),
        (
            "bedrock",
            json!({ "output": { "message": { "content": [{ "hologram": {} }] } }, "stopReason": "end_turn" }),
        ),
    ] {
        let server = serving(vec![ServerAnswer::json(&body)]);
        let failure = model(&read(name), &server).chat(&request(None)).await.unwrap_err();
        assert!(failure.message.contains("unknown kind"), "{name}: {failure}");
    }
}

/// A document may quote anything, also an error of the server.
#[tokio::test]
async fn a_key_in_a_reply_is_hidden() {
    for fixture in fixtures() {
        let body = fill(&fixture.replies["answer"].body, "{answer}", &json!(format!("it is {KEY}")));
        let server = serving(vec![ServerAnswer::json(&body)]);
        let reply = model(&fixture, &server).chat(&request(None)).await.unwrap();
        assert_eq!(reply.text, "it is [key]", "{}", fixture.model);
    }
}

#[tokio::test]
async fn what_is_no_reply_is_the_server_s_failure() {
    for fixture in fixtures() {
        for body in
            ["{}", "[]", "\"no\"", "<html>", "{\"content\": 3}", "{\"candidates\": [], \"choices\": []}"]
        {
            let server = serving(vec![ServerAnswer::status(200, body)]);
            let failure = model(&fixture, &server).chat(&request(None)).await.unwrap_err();
            assert_eq!(format!("{:?}", failure.kind), "Server", "{}: {body}: {failure}", fixture.model);
            assert!(failure.message.contains("check the address"), "{failure}");
        }
    }
}

#[tokio::test]
async fn limits_in_headers_are_read() {
    let [openai, anthropic] = ["openai", "anthropic"].map(read);
    let headers = |headers: &[(&str, &str)], fixture: &Fixture| {
        headers.iter().fold(answer(fixture), |answer, (name, value)| answer.with(name, value))
    };
    let of_openai = headers(
        &[
            ("x-ratelimit-limit-requests", "500"),
            ("x-ratelimit-remaining-requests", "499"),
            ("x-ratelimit-reset-requests", "1"),
            ("x-ratelimit-limit-tokens", "30000"),
            ("x-ratelimit-reset-tokens", "6m0s"),
        ],
        &openai,
    );
    let of_anthropic = headers(
        &[
            ("anthropic-ratelimit-input-tokens-limit", "50000"),
            ("anthropic-ratelimit-input-tokens-remaining", "49000"),
            ("anthropic-ratelimit-requests-limit", "50"),
            ("anthropic-ratelimit-requests-remaining", "40"),
            ("anthropic-ratelimit-requests-reset", "2026-10-21T07:28:00Z"),
            ("date", "Wed, 21 Oct 2026 07:27:50 GMT"),
        ],
        &anthropic,
    );
    let limit = |subject, limit, left, millis| (subject, limit, left, Duration::from_millis(millis));
    for (fixture, answer, limits) in [
        (
            &openai,
            of_openai,
            vec![
                limit(LimitSubject::Requests, 500, Some(499), 1000),
                limit(LimitSubject::Tokens, 30_000, None, 360_000),
            ],
        ),
        (
            &anthropic,
            of_anthropic,
            vec![
                limit(LimitSubject::Requests, 50, Some(40), 10_000),
                // A fiftieth of what refills in a minute.
                limit(LimitSubject::InputTokens, 50_000, Some(49_000), 1200),
            ],
        ),
    ] {
        let server = serving(vec![answer]);
        let model = model(fixture, &server);
        assert_eq!(model.limits(), []);
        model.chat(&request(None)).await.unwrap();
        let fields = |limit: RateLimit| (limit.subject, limit.limit, limit.left, limit.full_in);
        assert_eq!(model.limits().into_iter().map(fields).collect::<Vec<_>>(), limits);
    }
}

/// Returns the JSON pointers of all values in a value, its own included.
fn places(value: &Value) -> Vec<String> {
    let below = |name: &str, value: &Value| {
        let name = name.replace('~', "~0").replace('/', "~1");
        places(value).into_iter().map(|place| format!("/{name}{place}")).collect::<Vec<_>>()
    };
    let inner: Vec<String> = match value {
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(at, item)| below(&at.to_string(), item)).collect()
        }
        Value::Object(fields) => fields.iter().flat_map(|(name, field)| below(name, field)).collect(),
        _ => Vec::new(),
    };
    std::iter::once(String::new()).chain(inner).collect()
}

/// Every value of every reply and error in the fixtures, in turn: of another type, empty, too large. No reader panics,
/// reads a grade or counts a cost that is not there.
#[test]
fn no_damaged_body_becomes_another_answer() {
    let damages = [
        Value::Null,
        json!(true),
        json!(-1),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!("x"),
        json!([]),
        json!([null]),
        json!({}),
    ];
    let (scale, price) = (
        Scale::default(),
        Some(Price { input_per_million: 1.0, cached_per_million: None, output_per_million: 2.0 }),
    );
    let request = request(Some(grade_schema(GradeKind::GradeOnly, scale)));
    let mut answered = 0;
    for fixture in fixtures() {
        let base_url = Some(format!("http://localhost{}", fixture.base.as_deref().unwrap()));
        let settings =
            ModelSettings { base_url, price, sends_nothing: true, ..ModelSettings::new(&fixture.model) };
        let model = connect(&settings, &|_| None).unwrap();
        let replies =
            fixture.replies.values().map(|reply| (200, fill(&reply.body, "{answer}", &json!(ANSWER))));
        let errors = fixture.errors.values().map(|error| (error.status, error.body.clone()));
        for (status, body) in replies.chain(errors) {
            for place in places(&body) {
                for damage in &damages {
                    let mut body = body.clone();
                    body.pointer_mut(&place).unwrap().clone_from(damage);
                    let line = json!({ "response": { "status_code": status, "body": body } });
                    let Ok(reply) = model.batch_lines().unwrap().reply(&line, &request) else { continue };
                    let has_cost = reply.cost_usd.is_none_or(|usd| usd.is_finite() && usd >= 0.0);
                    assert!(has_cost, "{}: {body}", fixture.model);
                    let (cut_off, refused) =
                        (reply.finish == Finish::Length, reply.finish == Finish::Refused);
                    let raw = RawReply { text: &reply.text, cut_off, refused };
                    if let Ok(verdict) = read_grade(&raw, GradeKind::GradeOnly, scale) {
                        answered += 1;
                        let is_there = verdict.grade == 2 && body.to_string().contains("grade");
                        assert!(is_there, "{}: {body}", fixture.model);
                    }
                }
            }
        }
    }
    assert!(answered > 1_000, "damage elsewhere leaves the answer: {answered}");
}
