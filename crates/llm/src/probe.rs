//! Checks a model by one small request, before money is spent.

use std::time::{Duration, Instant};

use llull_core::{Failure, Sampling, Usage};
use serde_json::{Value, json};

use crate::{
    adjustment::JSON_OBJECT,
    chat::{ChatModel, ChatRequest, Finish, Message, ResponseSchema, Role},
    notice::Notice,
    rate_limit::RateLimit,
};

/// The longest reply to a probe, in tokens: enough for the answer with some talk around it.
const LONGEST_REPLY: u32 = 64;

/// The findings of one request about a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// The time from request to reply.
    pub latency: Duration,
    /// The model that answered, as its server calls it.
    pub model: Option<String>,
    /// The server's use of the JSON schema.
    pub schema: SchemaUse,
    /// The limits of the account, as far as the server states them.
    pub limits: Vec<RateLimit>,
    /// The notices about the server.
    pub notices: Vec<Notice>,
    /// The reply, verbatim.
    pub reply: String,
    /// The tokens, as far as the server counted them.
    pub usage: Usage,
    /// Its price in US dollars, if known.
    pub cost_usd: Option<f64>,
}

/// A server's use of a JSON schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaUse {
    /// The reply follows it.
    Followed,
    /// The server takes no schema, but was told to reply with a JSON object and did.
    JsonAlone,
    /// It was accepted and the reply does not follow it: the server ignores schemas.
    Ignored,
    /// It was accepted and the reply was cut off too early to tell, as happens to models that reason first.
    CutOff,
    /// It was refused, and the request was answered without it.
    Refused,
}

/// Requests `{"ok": true}` from the model with these sampling parameters (and at most 64 tokens). A reply shows that
/// address, key, model and parameters are accepted.
///
/// Costs about a hundred tokens. A list of models would cost nothing, but OpenRouter's needs no key, and none shows
/// that a model accepts `temperature` 0.
///
/// # Errors
/// Returns the [`Failure`] with which the request failed.
pub async fn check(model: &dyn ChatModel, sampling: &Sampling) -> Result<Probe, Failure> {
    let request = request(sampling);
    let started = Instant::now();
    let reply = model.chat(&request).await?;
    let latency = started.elapsed();
    let notices = model.notices();
    let refused = notices.iter().any(|notice| matches!(notice, Notice::SchemaRefused { .. }));
    // Without its schema the reply may name its fields as it likes.
    let json_alone = reply.adjusted.iter().any(|adjusted| adjusted.sent_as == Some(JSON_OBJECT));
    let schema = match serde_json::from_str::<Value>(&reply.text) {
        _ if refused => SchemaUse::Refused,
        Ok(Value::Object(_)) if json_alone => SchemaUse::JsonAlone,
        Ok(value) if value.get("ok").is_some_and(Value::is_boolean) => SchemaUse::Followed,
        _ if reply.finish == Finish::Length => SchemaUse::CutOff,
        _ => SchemaUse::Ignored,
    };
    Ok(Probe {
        latency,
        model: reply.model,
        schema,
        limits: model.limits(),
        notices,
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
        // A natural question that invites a long answer, to detect a server that ignores the schema.
        messages: vec![Message {
            role: Role::User,
            content: String::from("Are you ready? Answer in JSON: is it ok?"),
        }],
        sampling: Sampling { max_tokens: sampling.max_tokens.min(LONGEST_REPLY), ..*sampling },
        schema: Some(ResponseSchema { name: String::from("ready"), schema }),
        logprobs: None,
    }
}
