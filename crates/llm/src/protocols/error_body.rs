//! Reads the body of an error.

use serde_json::Value;

/// How deep errors inside errors are read: a router's, its provider's, and one more.
const DEPTH: u8 = 3;

/// The places of codes in an error.
const CODES: [&str; 7] = [
    "/code",
    "/type",
    "/status",
    "/innererror/code",
    "/inner_error/code",
    "/metadata/error_type",
    "/details/error_code",
];

/// The places where content filters name their findings.
const FILTERED: [&str; 7] = [
    "/metadata/flagged_input",
    "/metadata/patterns",
    "/innererror/content_filter_result",
    "/inner_error/content_filter_result",
    "/innererror/content_filter_results",
    "/inner_error/content_filter_results",
    "/promptFeedback/blockReason",
];

/// The message and codes of an error's body.
#[derive(Debug, Default)]
pub(super) struct ErrorBody {
    /// The server's words.
    pub(super) words: String,
    /// `error.code`, `error.type` and `error.status`, those of an inner error, of OpenRouter's metadata and of
    /// Anthropic's details, and the reasons and quotas in Gemini's. A number is written out.
    pub(super) codes: Vec<String>,
    /// The parameter that the server blames, in the field made for that.
    pub(super) param: Option<String>,
    /// The fields of the body that a validator does not know (pydantic's `extra_forbidden`).
    pub(super) forbidden: Vec<String>,
    /// A content filter names its findings: OpenRouter's moderation and guardrails, Azure's results, Gemini's
    /// feedback.
    pub(super) filtered: bool,
    /// How long the server wants the client to wait, in milliseconds (Gemini, OpenRouter).
    pub(super) wait_ms: Option<u64>,
    /// The request's identifier, for the provider's support.
    pub(super) request_id: Option<String>,
    /// The error of the provider behind a router.
    pub(super) inner: Option<Box<ErrorBody>>,
}

impl ErrorBody {
    pub(super) fn plain(text: &str) -> Self {
        Self { words: text.to_owned(), ..Self::default() }
    }

    /// Reads `{"error": {"message", "code", "type"}}` (OpenAI), the inner object alone, `{"error": "…"}` (Ollama),
    /// `{"message": "…"}` (older vLLM), `{"detail": …}` (FastAPI), and a list of one of them (Gemini). Anything else
    /// is quoted unchanged.
    pub(super) fn read(body: &Value) -> Self {
        Self::read_within(body, DEPTH)
    }

    fn read_within(body: &Value, depth: u8) -> Self {
        let body = match body.as_array().map(Vec::as_slice) {
            Some([only]) => only,
            _ => body,
        };
        let error = body.get("error").filter(|error| !error.is_null()).unwrap_or(body);
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let message = ["message", "detail"].iter().find_map(|name| error.get(name));
        let words = text(message.unwrap_or(error)).unwrap_or_else(|| message.unwrap_or(error).to_string());
        let raw = error.pointer("/metadata/raw").and_then(Value::as_str);
        let inner = raw.filter(|_| depth > 0).map(|raw| match serde_json::from_str(raw) {
            Ok(inner) => Self::read_within(&inner, depth - 1),
            Err(_) => Self::plain(raw),
        });
        let mut forbidden = Vec::new();
        for place in [error.get("detail"), message, message.and_then(|message| message.get("detail"))] {
            forbidden.extend(place.into_iter().flat_map(unknown_fields));
        }
        // Mistral: a validator's answer as JSON in a text.
        if let Some(inside) = message.and_then(Value::as_str).and_then(json_in) {
            forbidden.extend(inside.get("detail").into_iter().flat_map(unknown_fields));
        }
        let details = error.get("details").and_then(Value::as_array);
        let details = || details.into_iter().flatten();
        let waits = || details().find_map(|detail| seconds(detail.get("retryDelay")?));
        let availability = error.pointer("/availability/retry_after");
        Self {
            wait_ms: waits().or_else(|| availability.and_then(seconds)),
            request_id: body.get("request_id").and_then(text),
            // OpenRouter: the message of the provider behind it
            words: raw.map_or_else(|| words.clone(), |raw| format!("{words} ({raw})")),
            codes: CODES
                .iter()
                .filter_map(|place| error.pointer(place).and_then(code))
                .chain(details().flat_map(reasons))
                .collect(),
            param: error.get("param").and_then(text),
            forbidden,
            filtered: FILTERED.iter().any(|place| error.pointer(place).is_some_and(|found| !found.is_null())),
            inner: inner.map(Box::new),
        }
    }
}

fn code(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns the reason of one of Gemini's details, and the quotas that it names.
fn reasons(detail: &Value) -> Vec<String> {
    let violations = detail.get("violations").and_then(Value::as_array).into_iter().flatten();
    let quotas = violations.filter_map(|violation| violation.get("quotaId"));
    detail.get("reason").into_iter().chain(quotas).filter_map(code).collect()
}

/// Reads a number of seconds, or Google's form of a duration, `34s`, as milliseconds.
fn seconds(value: &Value) -> Option<u64> {
    let seconds = match value {
        Value::String(text) => text.strip_suffix('s').unwrap_or(text).parse().ok()?,
        other => other.as_f64()?,
    };
    (0.0..1e9).contains(&seconds).then(|| (seconds * 1000.0_f64).ceil() as u64)
}

fn json_in(text: &str) -> Option<Value> {
    text.starts_with('{').then(|| serde_json::from_str(text).ok()).flatten()
}

/// Returns the unknown fields of the request's body, by a validator's list of complaints. The part that a complaint
/// quotes from the request (`input`) is ignored.
fn unknown_fields(complaints: &Value) -> Vec<String> {
    let unknown = |complaint: &Value| {
        let is_unknown = complaint.get("type").and_then(Value::as_str) == Some("extra_forbidden");
        match complaint.get("loc")?.as_array()?.as_slice() {
            [place, field] if is_unknown && place == "body" => field.as_str().map(str::to_owned),
            _ => None,
        }
    };
    complaints.as_array().into_iter().flatten().filter_map(unknown).collect()
}
