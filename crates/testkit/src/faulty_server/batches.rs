//! Requests in batches: OpenAI's files and batches, over HTTP.

use std::sync::Arc;

use axum::{
    Json, Router,
    body::{Bytes, to_bytes},
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};

use super::{responses::error, routes::answered, state::ServerState};

/// A batch at the server.
#[derive(Debug, Clone, Default)]
pub(super) struct ServerBatch {
    lines: Vec<Value>,
    metadata: Value,
    looks: u32,
    /// The results, once it has ended.
    results: Option<Vec<Value>>,
}

/// Returns `/v1/files` and `/v1/batches`.
pub(super) fn batch_routes() -> Router<Arc<ServerState>> {
    Router::new()
        .route("/v1/files", post(upload))
        .route("/v1/files/{file}/content", get(content))
        .route("/v1/batches", post(make).get(list))
        .route("/v1/batches/{batch}", get(status))
        .route("/v1/batches/{batch}/cancel", post(cancel))
        .layer(axum::extract::DefaultBodyLimit::disable())
}

/// Returns the line of results of a line of requests: the server's answer, whatever its status.
pub(super) async fn result_line(state: &Arc<ServerState>, headers: &HeaderMap, line: &Value) -> Value {
    let body = line.get("body").cloned().unwrap_or_default();
    let response = answered(Arc::clone(state), headers, &body).await;
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap_or_default();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    json!({
        "id": "batch_req_faulty",
        "custom_id": line.get("custom_id"),
        "response": { "status_code": status, "request_id": "req_faulty", "body": body },
        "error": null,
    })
}

fn described(number: usize, batch: &ServerBatch) -> Value {
    let ended = batch.results.is_some();
    json!({
        "id": format!("batch_{number}"),
        "status": if ended { "completed" } else { "in_progress" },
        "metadata": batch.metadata,
        "output_file_id": ended.then(|| format!("file-out-{number}")),
        "request_counts": { "total": batch.lines.len(), "completed": if ended { batch.lines.len() } else { 0 } },
    })
}

fn number(name: &str) -> Option<usize> {
    name.rsplit(['-', '_']).next()?.parse().ok()
}

fn unknown(name: &str) -> Response {
    error(StatusCode::NOT_FOUND, &format!("No such object: {name}"), Value::Null)
}

/// Keeps the lines of an uploaded file: those that are JSON.
async fn upload(State(state): State<Arc<ServerState>>, body: Bytes) -> Response {
    let text = String::from_utf8_lossy(&body).into_owned();
    let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut batches = state.batches();
    batches.push(ServerBatch { lines, ..ServerBatch::default() });
    Json(json!({ "id": format!("file-in-{}", batches.len() - 1), "purpose": "batch" })).into_response()
}

/// Makes a batch of an uploaded file, whose number it has.
async fn make(State(state): State<Arc<ServerState>>, Json(body): Json<Value>) -> Response {
    let file = body.get("input_file_id").and_then(Value::as_str).unwrap_or_default();
    let mut batches = state.batches();
    match number(file).and_then(|at| Some((at, batches.get_mut(at)?))) {
        Some((at, batch)) => {
            batch.metadata = body.get("metadata").cloned().unwrap_or_default();
            Json(described(at, batch)).into_response()
        }
        None => unknown(file),
    }
}

async fn list(State(state): State<Arc<ServerState>>) -> Response {
    let batches = state.batches();
    let all: Vec<Value> = batches.iter().enumerate().map(|(at, batch)| described(at, batch)).collect();
    Json(json!({ "data": all })).into_response()
}

/// Describes a batch. It ends at the look that the plan says, and its requests are answered then.
async fn status(
    State(state): State<Arc<ServerState>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let found = number(&name).and_then(|at| {
        let mut batches = state.batches();
        let batch = batches.get_mut(at)?;
        batch.looks += u32::from(!state.holds());
        Some((at, batch.clone()))
    });
    let Some((at, mut batch)) = found else { return unknown(&name) };
    if batch.results.is_none() && batch.looks > state.plan.batch_looks {
        let mut results = Vec::new();
        for line in batch.lines.iter().rev() {
            results.push(result_line(&state, &headers, line).await);
        }
        batch.results = Some(results);
        state.batches().iter_mut().skip(at).take(1).for_each(|kept| *kept = batch.clone());
    }
    Json(described(at, &batch)).into_response()
}

/// Ends a batch before any of its requests is answered.
async fn cancel(State(state): State<Arc<ServerState>>, Path(name): Path<String>) -> Response {
    let mut batches = state.batches();
    match number(&name).and_then(|at| Some((at, batches.get_mut(at)?))) {
        Some((at, batch)) => {
            batch.results.get_or_insert_default();
            Json(described(at, batch)).into_response()
        }
        None => unknown(&name),
    }
}

async fn content(State(state): State<Arc<ServerState>>, Path(file): Path<String>) -> Response {
    let results = number(&file).and_then(|at| state.batches().get(at)?.results.clone());
    match results {
        Some(lines) => lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_response(),
        None => unknown(&file),
    }
}
