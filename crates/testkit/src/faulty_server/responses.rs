//! The server's answers, in OpenAI's form.

use std::{io, time::Duration};

use axum::{
    body::Body,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use futures::{StreamExt, stream};
use serde_json::{Value, json};

/// Returns a reply with this content.
pub(super) fn completion(content: Value, finish: &str) -> Response {
    choice(json!({ "role": "assistant", "content": content, "refusal": null }), finish)
}

/// Returns a refusal, in the field made for it.
pub(super) fn refusal() -> Response {
    let refusal = "I'm sorry, but I can't help with that.";
    choice(json!({ "role": "assistant", "content": null, "refusal": refusal }), "stop")
}

fn choice(message: Value, finish: &str) -> Response {
    axum::Json(json!({
        "id": "chatcmpl-faulty",
        "object": "chat.completion",
        "model": "faulty-1",
        "choices": [{ "index": 0, "message": message, "finish_reason": finish }],
        "usage": { "prompt_tokens": 200, "completion_tokens": 40, "total_tokens": 240 },
    }))
    .into_response()
}

/// Returns an error with these words.
pub(super) fn error(status: StatusCode, message: &str, code: Value) -> Response {
    let body = json!({ "error": { "message": message, "type": "invalid_request_error", "code": code } });
    (status, axum::Json(body)).into_response()
}

/// Returns the refusal of a parameter, in the words and fields of OpenAI's reasoning models.
pub(super) fn refused_parameter(name: &str) -> Response {
    let message = format!(
        "Unsupported value: '{name}' does not support this value with this model. Only the default value is supported."
    );
    let kind = "invalid_request_error";
    let error = json!({ "message": message, "type": kind, "param": name, "code": "unsupported_value" });
    (StatusCode::BAD_REQUEST, axum::Json(json!({ "error": error }))).into_response()
}

/// Returns a body that begins well; then the connection is closed.
pub(super) fn broken(answer: &str) -> Response {
    let begin = answer.to_owned();
    let breaks = async {
        // The first part has to be sent before.
        tokio::time::sleep(Duration::from_millis(5)).await;
        Err(io::Error::from(io::ErrorKind::ConnectionReset))
    };
    Body::from_stream(stream::once(async { Ok(begin) }).chain(stream::once(breaks))).into_response()
}

/// Returns an answer of the test's own.
pub(super) fn raw(status: u16, headers: &[(String, String)], body: String) -> Response {
    let response = headers
        .iter()
        .fold(Response::builder().status(status), |response, (name, value)| response.header(name, value))
        .body(Body::from(body));
    // A test with an impossible status or header should see that, not a panic in a server's thread.
    response.unwrap_or_else(|wrong| error(StatusCode::NOT_IMPLEMENTED, &wrong.to_string(), Value::Null))
}
