//! Explains a server's failure by its status and message.

use std::time::SystemTime;

use llull_core::{Failure, FailureKind};
use llull_http::{Response, Transport, TransportError};
use serde_json::Value;

/// Returns the failure of an answer with an error's status.
pub(super) fn refused(transport: &Transport, response: &Response, key: Option<&str>) -> Failure {
    let body = String::from_utf8_lossy(&response.body);
    let words =
        serde_json::from_str(&body).ok().and_then(|body| message(&body)).unwrap_or_else(|| body.into());
    let mut said = format!("{}: HTTP {}", transport.address(), response.status);
    let words = transport.quote(&words);
    if !words.is_empty() {
        said.push_str(&format!(": {words}"));
    }
    let kind = kind(response.status);
    match (kind, key) {
        (FailureKind::Unauthorized, Some(variable)) if transport.has_key() => {
            said.push_str(&format!("; the key in {variable} is refused"));
        }
        (FailureKind::Unauthorized, Some(variable)) => said.push_str(&format!("; {variable} is not set")),
        (FailureKind::Unauthorized, None) => {
            said.push_str("; name the variable of the environment that has its key: key = \"NAME\"");
        }
        _ if response.is_redirection() => {
            let to = response
                .header("location")
                .map_or_else(String::new, |to| format!(" to {}", transport.quote(to)));
            said.push_str(&format!(
                "; it redirects{to}, which is not followed: write the address that answers"
            ));
        }
        _ => {}
    }
    Failure { retry_after_ms: response.retry_after_ms(SystemTime::now()), ..Failure::new(kind, said) }
}

/// Returns the failure of a request that has no answer. An answer that is too long is too long each time.
pub(super) fn unanswered(error: TransportError) -> Failure {
    match error {
        TransportError::TooLong { .. } => Failure::new(
            FailureKind::Rejected,
            format!(
                "{error}, which is the most that is read: ask for fewer results, or for less of each document"
            ),
        ),
        other => Failure::from(other),
    }
}

fn kind(status: u16) -> FailureKind {
    match status {
        401 | 403 => FailureKind::Unauthorized,
        404 | 405 | 410 => FailureKind::NotFound,
        300..400 => FailureKind::NotFound,
        408 | 504 | 524 => FailureKind::Timeout,
        425 => FailureKind::Server,
        429 => FailureKind::RateLimited,
        400..=499 => FailureKind::Rejected,
        _ => FailureKind::Server,
    }
}

/// The message of a server's refusal: `error` or `message`, as text or one level down.
fn message(body: &Value) -> Option<String> {
    let text = |at: &str| body.pointer(at).and_then(Value::as_str);
    let places = ["/error/message", "/error/reason", "/status/error", "/message", "/error", "/detail"];
    let of_all = places.into_iter().find_map(text);
    let first = body.pointer("/error/root_cause/0/reason").and_then(Value::as_str);
    first.or(of_all).map(str::to_owned)
}
