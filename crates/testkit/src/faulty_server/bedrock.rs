//! Amazon Bedrock's Converse and batches, and the bucket of the latter, over HTTP.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::{
    Json, Router,
    body::{Bytes, to_bytes},
    extract::{Path, Query, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header::AUTHORIZATION},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};

use super::{
    aws_signature::{AWS_SECRET, access_key},
    routes::answered,
    state::ServerState,
};

/// The objects of the bucket, and the jobs.
#[derive(Debug, Default)]
pub(super) struct Bedrock {
    objects: BTreeMap<String, Bytes>,
    jobs: Vec<Job>,
}

#[derive(Debug, Clone, Default)]
struct Job {
    made: Value,
    looks: u32,
    /// The state in which it has ended.
    end: Option<&'static str>,
}

/// Returns `/model/MODEL/converse`, `/model-invocation-job` and the bucket `/llull-bucket`.
pub(super) fn bedrock_routes() -> Router<Arc<ServerState>> {
    Router::new()
        .route("/model/{model}/converse", post(converse))
        .route("/model-invocation-job", post(make))
        .route("/model-invocation-jobs", get(list))
        .route("/model-invocation-job/{job}", get(status))
        .route("/model-invocation-job/{job}/stop", post(stop))
        .route("/llull-bucket/{*key}", get(object).put(store))
        .route_layer(from_fn(signed))
        .layer(axum::extract::DefaultBodyLimit::disable())
}

/// Passes on a request with its access key as a bearer key. One that is not signed with the secret of the accounts is
/// refused. The refusal quotes its headers, as S3's does.
async fn signed(request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let service = if parts.uri.path().starts_with("/llull-bucket/") { "s3" } else { "bedrock" };
    let bearer = access_key(&parts, &body, service, AWS_SECRET).map(|id| format!("Bearer {id}"));
    let Some(bearer) = bearer.and_then(|bearer| HeaderValue::from_str(&bearer).ok()) else {
        let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let quoted = ["authorization", "x-amz-security-token"].map(|name| header(name).unwrap_or_default());
        let message = format!("The request signature we calculated does not match: {}", quoted.join(" "));
        return error(StatusCode::FORBIDDEN, &message);
    };
    parts.headers.insert(AUTHORIZATION, bearer);
    next.run(Request::from_parts(parts, body.into())).await
}

fn error(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "message": message }))).into_response()
}

async fn converse(
    State(state): State<Arc<ServerState>>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let (status, body) = conversed(&state, &headers, &body).await;
    (status, Json(body)).into_response()
}

/// Answers a request in Converse's form as the same request in OpenAI's.
async fn conversed(state: &Arc<ServerState>, headers: &HeaderMap, body: &Value) -> (StatusCode, Value) {
    let texts = |of: &Value| {
        let blocks = of.as_array().map(Vec::as_slice).unwrap_or_default();
        blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect::<String>()
    };
    let system = body.get("system").map(|system| json!({ "role": "system", "content": texts(system) }));
    let turns = body.get("messages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let turns = turns.iter().map(|turn| json!({ "role": turn["role"], "content": texts(&turn["content"]) }));
    let messages: Vec<Value> = system.into_iter().chain(turns).collect();
    let response = answered(Arc::clone(state), headers, &json!({ "messages": messages })).await;
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap_or_default();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    if !status.is_success() {
        return (status, json!({ "message": body.pointer("/error/message") }));
    }
    let choice = &body["choices"][0];
    let text = choice["message"]["content"].as_str().or(choice["message"]["refusal"].as_str());
    let refused = choice["message"]["refusal"].is_string();
    let reason = match choice["finish_reason"].as_str() {
        _ if refused => "guardrail_intervened",
        Some("length") => "max_tokens",
        _ => "end_turn",
    };
    let answer = json!({
        "output": { "message": { "role": "assistant", "content": [{ "text": text }] } },
        "stopReason": reason,
        "usage": {
            "inputTokens": body["usage"]["prompt_tokens"], "outputTokens": body["usage"]["completion_tokens"],
        },
    });
    (status, answer)
}

async fn store(State(state): State<Arc<ServerState>>, Path(key): Path<String>, body: Bytes) -> Response {
    state.bedrock().objects.insert(key, body);
    StatusCode::OK.into_response()
}

async fn object(State(state): State<Arc<ServerState>>, Path(key): Path<String>) -> Response {
    let found = state.bedrock().objects.get(&key).cloned();
    let lacks = || (StatusCode::NOT_FOUND, "<Error><Code>NoSuchKey</Code></Error>").into_response();
    found.map_or_else(lacks, IntoResponse::into_response)
}

fn described(number: usize, job: &Job) -> Value {
    let state = match (job.end, job.looks) {
        (Some(end), _) => end,
        (None, 0 | 1) => "Submitted",
        (None, _) => "InProgress",
    };
    let mut described = job.made.clone();
    described["jobArn"] =
        json!(format!("arn:aws:bedrock:eu-central-1:123456789012:model-invocation-job/job{number}"));
    described["status"] = json!(state);
    described["message"] = json!((state == "Failed").then_some("the role cannot read the bucket"));
    described
}

async fn make(State(state): State<Arc<ServerState>>, Json(made): Json<Value>) -> Response {
    let mut bedrock = state.bedrock();
    let name = &made["jobName"];
    if bedrock.jobs.iter().any(|job| job.made["jobName"] == *name) {
        return error(StatusCode::BAD_REQUEST, "The provided job name is currently in use.");
    }
    bedrock.jobs.push(Job { made, ..Job::default() });
    let (at, job) = (bedrock.jobs.len() - 1, bedrock.jobs.last().cloned().unwrap_or_default());
    Json(json!({ "jobArn": described(at, &job)["jobArn"] })).into_response()
}

async fn list(
    State(state): State<Arc<ServerState>>,
    Query(query): Query<BTreeMap<String, String>>,
) -> Response {
    let part = query.get("nameContains").map(String::as_str).unwrap_or_default();
    let bedrock = state.bedrock();
    let has = |job: &Job| job.made["jobName"].as_str().is_some_and(|name| name.contains(part));
    let jobs = bedrock.jobs.iter().enumerate().rev().filter(|(_, job)| has(job));
    let jobs: Vec<Value> = jobs.map(|(at, job)| described(at, job)).collect();
    Json(json!({ "invocationJobSummaries": jobs })).into_response()
}

fn number(name: &str) -> Option<usize> {
    name.strip_prefix("job")?.parse().ok()
}

/// Describes a job. It ends at the look that the plan says, and its records are answered then.
async fn status(
    State(state): State<Arc<ServerState>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let found = number(&name).and_then(|at| {
        let mut bedrock = state.bedrock();
        let job = bedrock.jobs.get_mut(at)?;
        job.looks += u32::from(!state.holds());
        Some((at, job.clone()))
    });
    let Some((at, mut job)) = found else { return error(StatusCode::NOT_FOUND, "no such job") };
    if job.end.is_none() && job.looks > state.plan.batch_looks {
        let end = state.plan.batch_ends.get(at).copied().unwrap_or("Completed");
        job.end = Some(end);
        let results = results(&state, &headers, &job, end).await;
        let mut bedrock = state.bedrock();
        bedrock.objects.extend(results.map(|lines| (result_key(&name, &job), Bytes::from(lines))));
        bedrock.jobs.iter_mut().skip(at).take(1).for_each(|kept| *kept = job.clone());
    }
    Json(described(at, &job)).into_response()
}

/// Returns the key of the object that an address of the bucket names.
fn key(uri: &Value) -> &str {
    uri.as_str().and_then(|uri| uri.strip_prefix("s3://llull-bucket/")).unwrap_or_default()
}

fn result_key(name: &str, job: &Job) -> String {
    let input = key(&job.made["inputDataConfig"]["s3InputDataConfig"]["s3Uri"]);
    let folder = key(&job.made["outputDataConfig"]["s3OutputDataConfig"]["s3Uri"]);
    format!("{folder}{name}/{}.out", input.rsplit('/').next().unwrap_or_default())
}

/// Returns the results of a job that ends in this state, in reverse order and the last one twice. One that ends early
/// has served every second record; one that did not begin has no file.
async fn results(state: &Arc<ServerState>, headers: &HeaderMap, job: &Job, end: &str) -> Option<String> {
    let every = match end {
        "Completed" => 1,
        "PartiallyCompleted" | "Stopped" => 2,
        _ => return None,
    };
    let input = key(&job.made["inputDataConfig"]["s3InputDataConfig"]["s3Uri"]);
    let requests = state.bedrock().objects.get(input).cloned().unwrap_or_default();
    let requests = String::from_utf8_lossy(&requests).into_owned();
    let mut lines = Vec::new();
    for request in requests.lines().step_by(every) {
        let record: Value = serde_json::from_str(request).unwrap_or_default();
        let (status, body) = conversed(state, headers, &record["modelInput"]).await;
        let mut line = json!({ "recordId": record["recordId"], "modelInput": record["modelInput"] });
        if status.is_success() {
            line["modelOutput"] = body;
        } else {
            line["error"] = json!({ "errorCode": status.as_u16(), "errorMessage": body["message"] });
        }
        lines.push(format!("{line}\n"));
    }
    lines.reverse();
    lines.extend(lines.first().cloned());
    Some(lines.concat())
}

/// Ends a job before any of its records is answered.
async fn stop(State(state): State<Arc<ServerState>>, Path(name): Path<String>) -> Response {
    match number(&name)
        .and_then(|at| Some(state.bedrock().jobs.get_mut(at)?.end.get_or_insert("Stopped").len()))
    {
        Some(_) => Json(json!({})).into_response(),
        None => error(StatusCode::NOT_FOUND, "no such job"),
    }
}
