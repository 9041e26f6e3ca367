//! Tests models against a local server with scripted answers.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

mod batches;
mod conformance;
mod connecting;
mod embeddings;
mod endpoints;
mod failures;
mod logprobs;
mod over_tcp;
mod parameters;
mod replies;
mod reply_checks;
mod requests;
mod schema;
mod secrets;

use std::time::Duration;

use llull_core::{Failure, Sampling};
use llull_llm::{ChatModel, ChatReply, ChatRequest, Message, ModelSettings, ResponseSchema, Role, connect};
use llull_testkit::{Fault, FaultPlan, FaultyServer};
use serde_json::{Value, json};

/// A key that no message may hold.
const KEY: &str = "topsecret-0123456789abcdef";

fn server(plan: FaultPlan) -> FaultyServer {
    FaultyServer::start(plan).unwrap()
}

fn settings(model: &str, server: &FaultyServer) -> ModelSettings {
    let timeout = Duration::from_secs(20);
    ModelSettings { base_url: Some(server.url()), timeout, ..ModelSettings::new(model) }
}

/// The model at the server, with [`KEY`] in every provider's variable.
fn model(name: &str, server: &FaultyServer) -> Box<dyn ChatModel> {
    let env = |variable: &str| variable.ends_with("_API_KEY").then(|| KEY.to_owned());
    connect(&settings(name, server), &env).unwrap()
}

fn request() -> ChatRequest {
    let say = |role, content: &str| Message { role, content: content.into() };
    ChatRequest {
        messages: vec![say(Role::System, "You grade."), say(Role::User, "Grade this.")],
        sampling: Sampling::default(),
        schema: None,
        logprobs: None,
    }
}

fn request_with_schema() -> ChatRequest {
    let schema = json!({
        "type": "object",
        "properties": { "rationale": { "type": "string" }, "grade": { "type": "integer" } },
        "required": ["rationale", "grade"],
        "additionalProperties": false,
    });
    ChatRequest { schema: Some(ResponseSchema { name: "judgment".into(), schema }), ..request() }
}

fn raw(status: u16, body: impl Into<String>) -> Fault {
    Fault::Raw {
        status,
        headers: vec![("content-type".into(), "application/json".into())],
        body: body.into(),
    }
}

fn error_body(message: &str, code: Value) -> String {
    json!({ "error": { "message": message, "type": "some_error", "code": code } }).to_string()
}

/// The answer of `openai/m` to one request that the server treats like this.
async fn asked(fault: Fault) -> Result<ChatReply, Failure> {
    let server = server(FaultPlan::always(fault));
    model("openai/m", &server).chat(&request()).await
}

async fn failed(fault: Fault) -> Failure {
    asked(fault).await.unwrap_err()
}
