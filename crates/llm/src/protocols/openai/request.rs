//! Writes the body of a request.

use serde_json::{Map, Value, json};

use super::parameter::{Form, Parameter};
use crate::{
    chat::{ChatRequest, Role},
    extra::ExtraFields,
};

/// Returns the body of a request, with the fields that a study adds. A parameter that is `None` is left out, so that
/// the server decides. A refused parameter is left out or renamed.
pub(super) fn body(
    model: &str,
    ask_cost: bool,
    request: &ChatRequest,
    form: Form,
    extra: &ExtraFields,
) -> Value {
    let sampling = &request.sampling;
    let schema = request.schema.as_ref().map(|schema| {
        json!({
            "type": "json_schema",
            "json_schema": { "name": schema.name, "strict": true, "schema": schema.schema },
        })
    });
    let logprobs = request.logprobs.filter(|_| form.takes(Parameter::Logprobs));
    let taken = |parameter: Parameter, value: Option<Value>| {
        (parameter.name(), value.filter(|_| form.takes(parameter)))
    };
    let fields = [
        ("model", Some(json!(model))),
        ("messages", Some(messages(request, form))),
        (form.limit_name(), Some(json!(sampling.max_tokens))),
        taken(Parameter::Temperature, sampling.temperature.map(Value::from)),
        taken(Parameter::TopP, sampling.top_p.map(Value::from)),
        taken(Parameter::Seed, sampling.seed.map(Value::from)),
        taken(Parameter::ResponseFormat, schema),
        ("logprobs", logprobs.map(|_| json!(true))),
        ("top_logprobs", logprobs.map(Value::from)),
        ("usage", ask_cost.then(|| json!({ "include": true }))),
    ];
    let given = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let added = extra.iter().map(|(name, value)| (name.clone(), value.clone()));
    Value::Object(given.chain(added).collect::<Map<_, _>>())
}

/// Returns the messages. For a server that refuses the system role, instructions are at the beginning of the next user
/// message: some templates require that the roles alternate.
fn messages(request: &ChatRequest, form: Form) -> Value {
    if form.takes(Parameter::SystemRole) {
        return request.messages.iter().map(|message| written(message.role, &message.content)).collect();
    }
    let mut instructions = String::new();
    let mut messages = Vec::new();
    for message in &request.messages {
        match message.role {
            Role::System => instructions.extend([&message.content, "\n\n"]),
            Role::User => {
                messages.push(written(Role::User, &format!("{instructions}{}", message.content)));
                instructions.clear();
            }
            Role::Assistant => messages.push(written(Role::Assistant, &message.content)),
        }
    }
    if !instructions.is_empty() {
        messages.push(written(Role::User, instructions.trim_end()));
    }
    Value::Array(messages)
}

fn written(role: Role, content: &str) -> Value {
    let role = match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    json!({ "role": role, "content": content })
}
