//! The body of a request.

use serde_json::{Map, Value, json};

use crate::chat::{ChatRequest, Message, Role};

/// The form of a request: what this server accepts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// Whether to send the schema, if the request has one.
    pub(super) schema: bool,
    /// Whether to ask for log-probabilities, if the request does.
    pub(super) logprobs: bool,
    /// Whether the token limit is called `max_completion_tokens`.
    pub(super) new_limit_name: bool,
}

/// Returns the body of a request. A parameter that is `None` is left out, so that the server decides.
pub(super) fn body(model: &str, ask_cost: bool, request: &ChatRequest, form: Form) -> Value {
    let sampling = &request.sampling;
    let limit = if form.new_limit_name { "max_completion_tokens" } else { "max_tokens" };
    let schema = request.schema.as_ref().filter(|_| form.schema).map(|schema| {
        json!({
            "type": "json_schema",
            "json_schema": { "name": schema.name, "strict": true, "schema": schema.schema },
        })
    });
    let logprobs = request.logprobs.filter(|_| form.logprobs);
    let fields = [
        ("model", Some(json!(model))),
        ("messages", Some(request.messages.iter().map(message).collect())),
        (limit, Some(json!(sampling.max_tokens))),
        ("temperature", sampling.temperature.map(Value::from)),
        ("top_p", sampling.top_p.map(Value::from)),
        ("seed", sampling.seed.map(Value::from)),
        ("response_format", schema),
        ("logprobs", logprobs.map(|_| json!(true))),
        ("top_logprobs", logprobs.map(Value::from)),
        ("usage", ask_cost.then(|| json!({ "include": true }))),
    ];
    let given = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(given.collect::<Map<_, _>>())
}

fn message(message: &Message) -> Value {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    json!({ "role": role, "content": message.content })
}
