//! One small request, before money is spent.

use std::time::{Duration, Instant};

use llull_core::{Failure, Sampling, Usage};
use serde_json::{Value, json};

use crate::{ChatModel, ChatRequest, Finish, Message, Notice, ResponseSchema, Role};

/// The longest reply to a probe, in tokens: enough for the answer with some talk around it.
const LONGEST_REPLY: u32 = 64;

/// What a model has shown of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// From asking to answer.
    pub latency: Duration,
    /// The model that has answered, as its server calls it.
    pub model: Option<String>,
    /// What became of the JSON schema.
    pub schema: SchemaUse,
    /// The reply, verbatim.
    pub reply: String,
    /// Tokens.
    pub usage: Usage,
    /// Its price in US dollars, if known.
    pub cost_usd: Option<f64>,
}

/// What a server makes of a JSON schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaUse {
    /// The reply follows it.
    Followed,
    /// It was taken, and the reply does not follow it: the server ignores schemas.
    Ignored,
    /// It was taken, and the reply was cut off before that could be seen, as happens to models that reason first.
    CutOff,
    /// It was refused, and the reply came without.
    Refused,
}

/// Asks the model for `{"ok": true}` with these sampling parameters (and at most 64 tokens), which shows that address,
/// key, model and parameters are accepted. Costs about a hundred tokens: a list of models would cost
/// nothing, but OpenRouter's needs no key, and none shows that a model takes `temperature` 0.
///
/// # Errors
/// The [`Failure`] with which the request failed.
pub async fn check(model: &dyn ChatModel, sampling: &Sampling) -> Result<Probe, Failure> {
    let request = request(sampling);
    let started = Instant::now();
    let reply = model.chat(&request).await?;
    let latency = started.elapsed();
    let refused = model.notices().iter().any(|notice| matches!(notice, Notice::SchemaRefused { .. }));
    let schema = match serde_json::from_str::<Value>(&reply.text) {
        _ if refused => SchemaUse::Refused,
        Ok(value) if value.get("ok").is_some_and(Value::is_boolean) => SchemaUse::Followed,
        _ if reply.finish == Finish::Length => SchemaUse::CutOff,
        _ => SchemaUse::Ignored,
    };
    Ok(Probe {
        latency,
        model: reply.model,
        schema,
        reply: reply.text,
        usage: reply.usage,
        cost_usd: reply.cost_usd,
    })
}

fn request(sampling: &Sampling) -> ChatRequest {
    let schema = json!({
        "type": "object",
        "properties": { "ok": { "type": "boolean" } },
        "required": ["ok"],
        "additionalProperties": false,
    });
    ChatRequest {
        // a natural question with room to talk: a server that ignores the schema shows itself
        messages: vec![Message {
            role: Role::User,
            content: String::from("Are you ready? Answer in JSON: is it ok?"),
        }],
        sampling: Sampling { max_tokens: sampling.max_tokens.min(LONGEST_REPLY), ..*sampling },
        schema: Some(ResponseSchema { name: String::from("ready"), schema }),
        logprobs: None,
    }
}
