//! Requests in batches, in the form of OpenAI's files.

use std::sync::Arc;

use axum::{body::to_bytes, http::HeaderMap};
use serde_json::{Value, json};

use super::{routes::answered, state::ServerState};

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
