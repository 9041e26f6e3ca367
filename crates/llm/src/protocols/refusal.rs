//! Makes a failure of a status and a server's message.

use std::time::SystemTime;

use llull_core::{Failure, FailureKind};
use llull_http::Response;
use serde_json::Value;

use super::{
    error_body::ErrorBody,
    parameter::{Form, Parameter},
    refused_parameter::refused_parameter,
    refused_text::refused_text,
    server::Server,
};
use crate::chat::ChatRequest;

/// A request that was refused, with the evidence for or against another form of it.
#[derive(Debug)]
pub(super) struct Refused {
    /// The HTTP status, or the status in the body of an error that arrived under 200.
    status: Option<u16>,
    /// The server's words, shortened and without keys.
    pub(super) words: String,
    /// The body's message and codes.
    body: Box<ErrorBody>,
    pub(super) failure: Failure,
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Self { status: None, words: String::new(), body: Box::default(), failure }
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
            // Some answer 400 to a wrong key, an unknown model, or a request that may be repeated.
            Some(400 | 415 | 422) => self.failure.kind == FailureKind::Rejected,
            Some(404 | 405 | 500 | 501) => mentioned,
            _ => false,
        }
    }

    /// Returns the parameter that the server refuses, of those that a request in this form holds.
    pub(super) fn parameter(&self, request: &ChatRequest, form: Form) -> Option<Parameter> {
        let sent = |parameter| match self.status {
            Some(400 | 422) => form.sends(parameter, request),
            // OpenAI answers 403 to those who may not request log-probabilities.
            Some(403) => parameter == Parameter::Logprobs && form.sends(parameter, request),
            // llama.cpp answers 500 where a model's template refuses the role.
            Some(500) => parameter == Parameter::SystemRole && form.sends(parameter, request),
            _ => false,
        };
        refused_parameter(&self.body, &sent)
    }

    /// Takes over how long the server wants the client to wait. No wait helps an account without credit.
    fn wait_as_stated(&mut self, response: &Response) {
        if self.failure.kind != FailureKind::Quota {
            self.failure.retry_after_ms = response.retry_after_ms(SystemTime::now()).or(self.body.wait_ms);
        }
    }

    /// Returns whether the reply was cut off: OpenAI answers 400 if a model has used up its limit while it reasoned.
    pub(super) fn is_cut_off(&self) -> bool {
        let sentence = "Could not finish the message because max_tokens or model output limit was reached";
        self.status == Some(400) && self.words.starts_with(sentence)
    }
}

/// Returns the refusal that an answer with an error's status is.
pub(super) fn refusal(server: &Server, response: &Response) -> Refused {
    if response.is_redirection() {
        return redirected(server, response);
    }
    let body = serde_json::from_slice(&response.body).ok();
    let mut body = body
        .as_ref()
        .map_or_else(|| ErrorBody::plain(&String::from_utf8_lossy(&response.body)), ErrorBody::read);
    // Amazon's code is in a header, before the address of its namespace.
    let code = response.header("x-amzn-errortype").and_then(|code| code.split(':').next());
    body.codes.extend(code.map(str::to_owned));
    let mut refused = refused(server, response.status, &response.status.to_string(), body);
    // Both SDKs of OpenAI and Anthropic let it override the status.
    match (response.header("x-should-retry"), refused.failure.kind) {
        (Some("true"), FailureKind::Rejected) => refused.failure.kind = FailureKind::Server,
        (Some("false"), FailureKind::Server) => refused.failure.kind = FailureKind::Rejected,
        _ => {}
    }
    refused.wait_as_stated(response);
    if let Some(id) = request_id(response).or(refused.body.request_id.as_deref()) {
        refused.failure.message.push_str(&format!(" (request {})", server.transport.quote(id)));
    }
    refused
}

/// The headers with a request's identifier: OpenAI and Groq, Anthropic, Azure, Amazon.
pub(super) const REQUEST_ID_HEADERS: [&str; 4] =
    ["x-request-id", "request-id", "apim-request-id", "x-amzn-requestid"];

/// Returns the provider's identifier of a request, by the headers of its answer.
pub(super) fn request_id(response: &Response) -> Option<&str> {
    REQUEST_ID_HEADERS.iter().find_map(|name| response.header(name))
}

/// Returns the refusal in a body under a status of success. OpenRouter sends such a body, with the intended status in
/// it, if an upstream fails late; a server without chat completions sends one without a status.
pub(super) fn refusal_in_body(server: &Server, response: &Response, error: &Value) -> Refused {
    let answered = response.status;
    let body = ErrorBody::read(error);
    let code = error.get("code");
    let number = |code: &Value| code.as_u64().or_else(|| code.as_str()?.parse().ok());
    let stated = code.and_then(number).and_then(|code| u16::try_from(code).ok());
    let stated = stated.filter(|status| (400..600).contains(status));
    let status = stated.unwrap_or_else(|| match refused_text(400, &body) {
        Some(_) => 400,
        None => status_of_text(&body),
    });
    let said = match stated {
        Some(status) => format!("{answered} with the error {status}"),
        None => format!("{answered} with an error"),
    };
    let mut refused = refused(server, status, &said, body);
    if stated.is_none() && refused.failure.kind == FailureKind::Server {
        refused.failure.message.push_str(ADDRESS_ADVICE);
    }
    refused.wait_as_stated(response);
    refused
}

/// Returns the failure of a request in a batch that has an error and no answer.
pub(super) fn failure_of_line(server: &Server, status: Option<u16>, error: &Value) -> Failure {
    let body = ErrorBody::read(error);
    let unserved = ["expired", "cancelled", "canceled"];
    if body.codes.iter().any(|code| unserved.iter().any(|word| code.ends_with(word))) {
        let words = server.transport.quote(&body.words);
        return Failure::new(FailureKind::Timeout, format!("the batch ended before the request: {words}"));
    }
    let status = status.filter(|status| *status >= 400).unwrap_or_else(|| status_of_text(&body));
    refused(server, status, "in a batch with an error", body).failure
}

/// Returns the status that fits an error without one, by its code and its message; that of a server in trouble if both
/// are unknown.
fn status_of_text(body: &ErrorBody) -> u16 {
    let by_code = body.codes.iter().find_map(|code| {
        Some(match code.as_str() {
            "authentication_error" | "invalid_api_key" => 401,
            "permission_error" | "permission_denied" => 403,
            "not_found" | "not_found_error" | "model_not_found" => 404,
            "rate_limit_error" | "rate_limit_exceeded" => 429,
            "invalid_request_error" | "BadRequestError" => 400,
            _ => return None,
        })
    });
    // LM Studio answers like this, with 200, at an address without an endpoint.
    let no_endpoint = || body.words.to_ascii_lowercase().starts_with("unexpected endpoint").then_some(404);
    by_code.or_else(no_endpoint).unwrap_or(500)
}

/// Advice for an answer that does not come from a chat server.
pub(super) const ADDRESS_ADVICE: &str = "; check the address, which usually ends in /v1";

fn refused(server: &Server, status: u16, said: &str, body: ErrorBody) -> Refused {
    let words = server.transport.quote(&body.words);
    let kind = kind(status, &body);
    let colon = if words.is_empty() { "" } else { ": " };
    let advice = advice(server, kind);
    let message = format!("{} answered {said}{colon}{words}{advice}", server.transport.address());
    Refused { status: Some(status), words, body: Box::new(body), failure: Failure::new(kind, message) }
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
        body: Box::default(),
        failure: Failure::new(FailureKind::NotFound, message),
    }
}

/// Returns advice for the user about a failure of this kind; empty without any.
fn advice(server: &Server, kind: FailureKind) -> String {
    let variable = &server.key_variable;
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

/// Codes of accounts that get no answer until somebody pays, raises a limit or waits for another day: OpenAI,
/// Anthropic, Bedrock.
pub(super) const NO_CREDIT: [&str; 8] = [
    "insufficient_quota",
    "billing_hard_limit_reached",
    "billing_not_active",
    "credit_balance_exhausted",
    "contract_spend_limit_reached",
    "enforced_spend_limit_reached",
    "organization_on_hold",
    "ServiceQuotaExceededException",
];

fn kind(status: u16, body: &ErrorBody) -> FailureKind {
    let has_code = |known: &dyn Fn(&str) -> bool| body.codes.iter().any(|code| known(code));
    let words = body.words.to_ascii_lowercase();
    if has_code(&|code| NO_CREDIT.contains(&code) || code.ends_with("_spend_limit_exceeded"))
        // Gemini, Bedrock. Groq's and OpenAI's "on tokens per day (TPD)" is a limit of the last 24 hours, which they
        // tell how long to wait for.
        || (status == 429
            && (has_code(&|quota| quota.contains("PerDay")) || words.contains("too many tokens per day")))
        || (status == 400 && words.starts_with("your credit balance is too low"))
    {
        return FailureKind::Quota;
    }
    if let Some(kind) = refused_text(status, body) {
        return kind;
    }
    match status {
        // Gemini
        400 if has_code(&|code| code == "API_KEY_INVALID") => return FailureKind::Unauthorized,
        // OpenRouter, Bedrock
        400 if has_code(&|code| code == "model_not_found")
            || words.contains("on-demand throughput isn\u{2019}t supported")
            || words.contains("on-demand throughput isn't supported") =>
        {
            return FailureKind::NotFound;
        }
        // The body was cut on its way, which Anthropic reports as a bad request.
        400 if words.contains("not valid json") && words.contains("unexpected end") => {
            return FailureKind::Connection;
        }
        _ => {}
    }
    match status {
        401 => FailureKind::Unauthorized,
        402 => FailureKind::Quota,
        403 => FailureKind::Unauthorized,
        404 | 405 | 410 => FailureKind::NotFound,
        // 524 is Cloudflare's "a timeout occurred"
        408 | 504 | 524 => FailureKind::Timeout,
        // 424 is a failure of the model behind the server (TEI, Bedrock).
        409 | 424 | 425 => FailureKind::Server,
        // 498 is Groq's "no capacity in the flex tier".
        429 | 498 => FailureKind::RateLimited,
        400..=499 => FailureKind::Rejected,
        _ => FailureKind::Server,
    }
}
