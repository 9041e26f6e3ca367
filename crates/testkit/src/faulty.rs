//! An OpenAI-compatible server on this machine that misbehaves as planned.

use std::{
    collections::BTreeMap,
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, StatusCode, header::AUTHORIZATION},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use futures::{StreamExt, stream};
use llull_core::{Hash, Scale};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::compared::{compared_json, misordered_json};
use crate::{Fault, FaultPlan, answer_json, grade_of_prompt};

/// A server at `http://127.0.0.1:PORT/v1` with `/chat/completions` and `/models`, which runs on a thread of its own
/// until it is dropped. The answer's grade is [`grade_of_prompt`] of the messages' contents; a prompt that compares is answered
/// by the plan's [`taste`](FaultPlan::taste).
#[derive(Debug)]
pub struct FaultyServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

/// What a server has done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Served {
    /// Requests by what was made of them: [`Fault::name`], or `no_schema`, `new_limit_name`, `bad_request`.
    pub kinds: BTreeMap<&'static str, u64>,
    /// Requests by the hash of their prompt.
    pub prompts: BTreeMap<Hash, PromptCount>,
    /// The most requests that were open at once.
    pub most_open: usize,
}

/// How often one prompt was asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PromptCount {
    /// Requests.
    pub asked: u32,
    /// Requests that met a fault on the way: 429, 500, a hang, a broken connection.
    pub stumbled: u32,
    /// Requests whose answer was written out, whatever its text.
    pub answered: u32,
}

/// One request, as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// The `Authorization` header.
    pub authorization: Option<String>,
    /// The body; `null` when it is not JSON.
    pub body: Value,
}

impl Served {
    /// Requests in all.
    pub fn total(&self) -> u64 {
        self.kinds.values().sum()
    }

    /// Requests of this kind.
    pub fn of(&self, kind: &str) -> u64 {
        self.kinds.get(kind).copied().unwrap_or(0)
    }

    /// Answers that a provider would have charged for.
    pub fn answered(&self) -> u64 {
        self.prompts.values().map(|count| u64::from(count.answered)).sum()
    }

    /// Answers beyond the first to the same prompt: what was paid twice.
    pub fn answered_again(&self) -> u64 {
        self.prompts.values().map(|count| u64::from(count.answered.saturating_sub(1))).sum()
    }
}

#[derive(Debug)]
struct Shared {
    plan: FaultPlan,
    scale: Scale,
    state: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    served: Served,
    arrivals: usize,
    open: usize,
    recorded: Vec<Recorded>,
}

impl FaultyServer {
    /// Starts a server at a free port, with grades from 0 to 3.
    ///
    /// # Errors
    /// When no port can be bound or no thread started.
    pub fn start(plan: FaultPlan) -> io::Result<Self> {
        Self::start_at(plan, Scale::default(), SocketAddr::from(([127, 0, 0, 1], 0)))
    }

    /// Starts a server with grades on this scale at this address; port 0 takes a free one.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_at(plan: FaultPlan, scale: Scale, address: SocketAddr) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { plan, scale, state: Mutex::default() });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let app = Router::new()
            .route("/v1/chat/completions", post(chat))
            .route("/v1/models", get(models))
            .with_state(Arc::clone(&shared));
        let thread = thread::Builder::new().name(String::from("faulty server")).spawn(move || {
            runtime.block_on(async {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                tokio::select! {
                    _ = axum::serve(listener, app) => {}
                    _ = stopped => {}
                }
            });
            // dropping the runtime here closes the connections that hang
        })?;
        Ok(Self { address, shared, stop: Some(stop), thread: Some(thread) })
    }

    /// The base URL, `http://127.0.0.1:PORT/v1`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The grade that this prompt gets: the messages' contents with a blank line between them.
    pub fn grade(&self, prompt: &str) -> llull_core::Grade {
        grade_of_prompt(prompt, self.shared.scale)
    }

    /// What it has done so far.
    pub fn served(&self) -> Served {
        self.shared.counts().served.clone()
    }

    /// What it was asked, in order of arrival, if the plan [records](FaultPlan::record).
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.counts().recorded.clone()
    }
}

impl Drop for FaultyServer {
    fn drop(&mut self) {
        // either may be gone already, when the server has ended by itself
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Counts a request as open for as long as it lives, also when the client hangs up and the handler is dropped.
struct Open(Arc<Shared>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.counts().open -= 1;
    }
}

impl Shared {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request and decides what becomes of it, in one step.
    fn arrive(&self, body: &Value, headers: &HeaderMap, prompt: &Hash) -> (Decision, u32) {
        let mut counts = self.counts();
        let counts = &mut *counts;
        let authorization =
            headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let decision = self.decide(body, authorization.as_deref(), prompt, counts);
        counts.arrivals += 1;
        counts.open += 1;
        counts.served.most_open = counts.served.most_open.max(counts.open);
        *counts.served.kinds.entry(decision.name()).or_default() += 1;
        let count = counts.served.prompts.entry(*prompt).or_default();
        let asked = count.asked;
        count.asked += 1;
        count.stumbled += u32::from(decision.is_on_the_way());
        if self.plan.record {
            counts.recorded.push(Recorded { authorization, body: body.clone() });
        }
        (decision, asked)
    }

    fn decide(&self, body: &Value, authorization: Option<&str>, prompt: &Hash, counts: &Counts) -> Decision {
        let key = self.plan.key.as_ref().map(|key| format!("Bearer {key}"));
        if key.is_some() && key.as_deref() != authorization {
            return Decision::Do(Fault::Unauthorized);
        }
        if self.plan.new_limit_name && body.get("max_tokens").is_some() {
            return Decision::NewLimitName;
        }
        if self.plan.no_schema && body.get("response_format").is_some() {
            return Decision::NoSchema;
        }
        let count = counts.served.prompts.get(prompt).copied().unwrap_or_default();
        Decision::Do(self.plan.fault(prompt, counts.arrivals, count.asked, count.stumbled))
    }
}

/// What becomes of a request.
#[derive(Debug)]
enum Decision {
    NoSchema,
    NewLimitName,
    Do(Fault),
}

impl Decision {
    fn name(&self) -> &'static str {
        match self {
            Self::NoSchema => "no_schema",
            Self::NewLimitName => "new_limit_name",
            Self::Do(fault) => fault.name(),
        }
    }

    fn is_on_the_way(&self) -> bool {
        use Fault::{Hang, RateLimited, Reset, ServerError};
        matches!(self, Self::Do(RateLimited { .. } | ServerError | Hang | Reset))
    }
}

async fn models() -> Response {
    axum::Json(json!({ "object": "list", "data": [{ "id": "faulty", "object": "model" }] })).into_response()
}

async fn chat(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let Some(prompt) = prompt(&body) else {
        *shared.counts().served.kinds.entry("bad_request").or_default() += 1;
        return error(
            StatusCode::BAD_REQUEST,
            "messages: a list of role and content is required",
            Value::Null,
        );
    };
    let hash = Hash::of(prompt.as_bytes());
    let (decision, asked) = shared.arrive(&body, &headers, &hash);
    let whole = !decision.is_on_the_way();
    let open = Open(Arc::clone(&shared));
    tokio::time::sleep(shared.plan.delay(&hash, asked)).await;
    let response = respond(&shared, decision, &prompt, &headers).await;
    if whole && response.status().is_success() {
        shared.counts().served.prompts.entry(hash).or_default().answered += 1;
    }
    drop(open);
    response
}

async fn respond(shared: &Shared, decision: Decision, prompt: &str, headers: &HeaderMap) -> Response {
    let fault = match decision {
        Decision::NoSchema => {
            let words = "response_format of type json_schema is not supported by this server";
            return error(StatusCode::BAD_REQUEST, words, Value::Null);
        }
        Decision::NewLimitName => {
            let words = "Unsupported parameter: 'max_tokens' is not supported with this model. \
                         Use 'max_completion_tokens' instead.";
            return error(StatusCode::BAD_REQUEST, words, json!("unsupported_parameter"));
        }
        Decision::Do(fault) => fault,
    };
    let (scale, taste) = (shared.scale, shared.plan.taste);
    let answer =
        compared_json(prompt, taste, scale).unwrap_or_else(|| answer_json(grade_of_prompt(prompt, scale)));
    match fault {
        Fault::None => completion(json!(answer), "stop"),
        // whole, so not to be taken for a reply that was cut off, with a grade that a reader of first numbers would take
        Fault::Malformed => completion(json!("{\"rationale\": \"says 3 things\", \"grade\": 2,, }"), "stop"),
        Fault::CutOff => completion(json!(answer.get(..answer.len() / 2)), "length"),
        Fault::Empty => completion(json!(""), "stop"),
        Fault::Refusal => refusal(),
        Fault::NotAnOrder => {
            let answer = misordered_json(prompt).unwrap_or_else(|| answer_json(scale.high() + 1));
            completion(json!(answer), "stop")
        }
        Fault::RateLimited { retry_after } => {
            let words = "Rate limit reached for requests";
            let response = error(StatusCode::TOO_MANY_REQUESTS, words, json!("rate_limit_exceeded"));
            ([("retry-after", retry_after.to_string())], response).into_response()
        }
        Fault::Quota => {
            let words = "You exceeded your current quota, please check your plan and billing details.";
            error(StatusCode::TOO_MANY_REQUESTS, words, json!("insufficient_quota"))
        }
        Fault::ServerError => {
            error(StatusCode::INTERNAL_SERVER_ERROR, "The server had an error", Value::Null)
        }
        Fault::Unauthorized => {
            let sent = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or("none");
            let words = format!("Incorrect API key provided: {}.", sent.trim_start_matches("Bearer "));
            error(StatusCode::UNAUTHORIZED, &words, json!("invalid_api_key"))
        }
        Fault::Hang => std::future::pending().await,
        Fault::Reset => broken(&answer),
        Fault::Raw { status, headers, body } => raw(status, &headers, body),
    }
}

/// The contents of the messages, a blank line between them, as [`prompt_of`](crate::prompt_of) has it.
fn prompt(body: &Value) -> Option<String> {
    let messages = body.get("messages")?.as_array()?;
    let contents: Option<Vec<_>> = messages.iter().map(|message| message.get("content")?.as_str()).collect();
    Some(contents?.join("\n\n"))
}

fn completion(content: Value, finish: &str) -> Response {
    choice(json!({ "role": "assistant", "content": content, "refusal": null }), finish)
}

fn refusal() -> Response {
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

fn error(status: StatusCode, message: &str, code: Value) -> Response {
    let body = json!({ "error": { "message": message, "type": "invalid_request_error", "code": code } });
    (status, axum::Json(body)).into_response()
}

/// A body that begins well; then the connection is closed.
fn broken(answer: &str) -> Response {
    let begin = answer.to_owned();
    let breaks = async {
        // the first part has to be on its way before
        tokio::time::sleep(Duration::from_millis(5)).await;
        Err(io::Error::from(io::ErrorKind::ConnectionReset))
    };
    Body::from_stream(stream::once(async { Ok(begin) }).chain(stream::once(breaks))).into_response()
}

fn raw(status: u16, headers: &[(String, String)], body: String) -> Response {
    let response = headers
        .iter()
        .fold(Response::builder().status(status), |response, (name, value)| response.header(name, value))
        .body(Body::from(body));
    // a test that asks for an impossible status or header should see that, not a panic in a server's thread
    response.unwrap_or_else(|wrong| error(StatusCode::NOT_IMPLEMENTED, &wrong.to_string(), Value::Null))
}
