//! From a status and a server's words to a failure.

use std::time::SystemTime;

use llull_core::{Failure, FailureKind};
use llull_http::Response;
use serde_json::Value;

use super::server::Server;

/// A request that was refused, with what is needed to tell whether another form of it would be answered.
#[derive(Debug)]
pub(super) struct Refused {
    /// The HTTP status, or what a body says it would have been.
    status: Option<u16>,
    /// The server's words, shortened and without keys.
    pub(super) words: String,
    pub(super) failure: Failure,
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Self { status: None, words: String::new(), failure }
    }
}

impl Refused {
    /// Returns whether the schema may be the reason. A plain "bad request" may mean it; if the status has other
    /// common meanings (no such model, a server in trouble), the words have to mention it.
    pub(super) fn may_be_the_schema(&self) -> bool {
        let words = self.words.to_lowercase();
        let mentioned = ["response_format", "schema", "structured output", "grammar", "requested parameters"]
            .iter()
            .any(|word| words.contains(word));
        match self.status {
            Some(400 | 415 | 422) => true,
            Some(404 | 405 | 500 | 501) => mentioned,
            _ => false,
        }
    }

    /// Returns whether the server refuses log-probabilities. Its words have to say so: OpenAI's reasoning
    /// models answer 400 or 403 with `You are not allowed to request logprobs from this model`, vLLM 400 if
    /// more alternatives are asked for than it was started with.
    pub(super) fn refuses_logprobs(&self) -> bool {
        matches!(self.status, Some(400..=501)) && self.words.to_lowercase().contains("logprob")
    }

    /// Returns whether the server asks for `max_completion_tokens`, as OpenAI's reasoning models do.
    pub(super) fn wants_new_limit_name(&self) -> bool {
        matches!(self.status, Some(400 | 422)) && self.words.contains("max_completion_tokens")
    }
}

/// What a body says about an error.
struct ErrorBody {
    words: String,
    /// `error.code` and `error.type`, if they are texts.
    codes: Vec<String>,
    /// The server objects to the text: OpenRouter's moderation.
    flagged: bool,
}

/// Returns the refusal that an answer with an error's status is.
pub(super) fn refusal(server: &Server, response: &Response) -> Refused {
    if response.is_redirection() {
        return redirected(server, response);
    }
    let body = serde_json::from_slice(&response.body).ok();
    let body = body
        .as_ref()
        .map_or_else(|| ErrorBody::plain(&String::from_utf8_lossy(&response.body)), ErrorBody::read);
    let mut refused = refused(server, response.status, body);
    if refused.failure.kind != FailureKind::Quota {
        refused.failure.retry_after_ms = response.retry_after_ms(SystemTime::now());
    }
    refused
}

/// Returns the refusal that a body reports under a status of success, as OpenRouter does if an upstream fails late.
pub(super) fn refusal_in_body(server: &Server, error: &Value) -> Refused {
    let code = error.get("code");
    let status = code.and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    let status = status.filter(|status| (400..600).contains(status)).unwrap_or(500);
    refused(server, status, ErrorBody::read(error))
}

fn refused(server: &Server, status: u16, body: ErrorBody) -> Refused {
    let words = server.transport.quote(&body.words);
    let kind = kind(status, &body);
    let colon = if words.is_empty() { "" } else { ": " };
    let advice = advice(server, kind);
    let message = format!("{} answered {status}{colon}{words}{advice}", server.transport.address());
    Refused { status: Some(status), words, failure: Failure::new(kind, message) }
}

fn redirected(server: &Server, response: &Response) -> Refused {
    let target = response.header("location").unwrap_or("elsewhere");
    let target = server.transport.quote(target.split(['?', '#']).next().unwrap_or_default());
    let message = format!(
        "{} answered {}: redirects to {target}; keys do not follow redirects, so set base_url to the final address",
        server.transport.address(),
        response.status
    );
    Refused {
        status: Some(response.status),
        words: String::new(),
        failure: Failure::new(FailureKind::NotFound, message),
    }
}

/// Returns what the user can do about a failure of this kind, if anything.
fn advice(server: &Server, kind: FailureKind) -> String {
    let variable = server.provider.key_variable;
    let model = &server.model;
    match kind {
        FailureKind::Unauthorized if server.transport.has_key() => {
            format!("; the key in {variable} is not accepted for model {model}: check it, and its rights")
        }
        FailureKind::Unauthorized => format!("; set {variable} in the environment or in .env"),
        FailureKind::NotFound if server.provider.name == "ollama" => {
            format!("; if model {model} is missing: ollama pull {model}")
        }
        FailureKind::NotFound => {
            format!("; check the model's name ({model}) and the address, which usually ends in /v1")
        }
        FailureKind::Quota => {
            String::from("; add credit, or lower the budget, and run again: nothing judged is lost")
        }
        _ => String::new(),
    }
}

fn kind(status: u16, body: &ErrorBody) -> FailureKind {
    let no_credit = ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"];
    if body.codes.iter().any(|code| no_credit.contains(&code.as_str())) {
        return FailureKind::Quota;
    }
    match status {
        401 => FailureKind::Unauthorized,
        402 => FailureKind::Quota,
        403 if body.flagged => FailureKind::Rejected,
        403 => FailureKind::Unauthorized,
        404 | 405 | 410 => FailureKind::NotFound,
        // 524 is Cloudflare's "a timeout occurred"
        408 | 504 | 524 => FailureKind::Timeout,
        409 | 425 => FailureKind::Server,
        429 => FailureKind::RateLimited,
        400..=499 => FailureKind::Rejected,
        _ => FailureKind::Server,
    }
}

impl ErrorBody {
    fn plain(text: &str) -> Self {
        Self { words: text.to_owned(), codes: Vec::new(), flagged: false }
    }

    /// Reads `{"error": {"message", "code", "type"}}` (OpenAI), the inner object alone, `{"error": "…"}` (Ollama),
    /// `{"message": "…"}` (older vLLM) and `{"detail": …}` (FastAPI). Anything else is quoted as it is.
    fn read(body: &Value) -> Self {
        let error = body.get("error").filter(|error| !error.is_null()).unwrap_or(body);
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let message = ["message", "detail"].iter().find_map(|name| error.get(name));
        let mut words =
            text(message.unwrap_or(error)).unwrap_or_else(|| message.unwrap_or(error).to_string());
        // OpenRouter: what the provider behind it has said
        if let Some(raw) = error.pointer("/metadata/raw").and_then(Value::as_str) {
            words = format!("{words} ({raw})");
        }
        let codes = ["code", "type"].iter().filter_map(|name| error.get(name).and_then(text)).collect();
        let flagged = error.pointer("/metadata/flagged_input").is_some();
        Self { words, codes, flagged }
    }
}
