//! OpenAI's Responses, which models that reason are built for.
//!
//! Their form is documented at <https://platform.openai.com/docs/api-reference/responses>. They have no seed. Requests
//! ask OpenAI to store nothing.

use llull_core::Usage;
use llull_http::Address;
use serde_json::{Map, Value, json};

use super::batches::{BatchFormat, OPENAI_BATCHES, batch_endpoint};
use super::openai::{listed_tokens, messages};
use super::parameter::{Form, Parameter, SchemaForm};
use super::turns::{Turns, turns};
use super::wire_format::{Unread, WireFormat};
use crate::chat::{ChatReply, ChatRequest, Finish};

#[derive(Debug)]
pub(crate) struct Responses;

impl WireFormat for Responses {
    fn address(&self, base: &Address, _model: &str) -> Address {
        base.with_path(&format!("{}/responses", base.path().trim_end_matches('/')))
    }

    fn batch_url(&self, requests: &Address, _model: &str) -> String {
        batch_endpoint(requests).to_owned()
    }

    fn batches(&self) -> Option<&'static dyn BatchFormat> {
        Some(&OPENAI_BATCHES)
    }

    fn schema_forms(&self) -> &'static [SchemaForm] {
        &[SchemaForm::Native]
    }

    fn lacks(&self) -> &'static [Parameter] {
        &[Parameter::Seed]
    }

    fn body(&self, model: &str, request: &ChatRequest, form: Form) -> Value {
        let sampling = &request.sampling;
        let Turns { system, turns } = turns(request, form);
        let taken = |parameter, value: Option<f64>| value.filter(|_| form.takes(parameter)).map(Value::from);
        let schema = request.schema.as_ref().filter(|_| form.schema().is_some());
        let text = schema.map(|schema| {
            json!({ "format": {
                "type": "json_schema", "name": schema.name, "strict": true, "schema": schema.schema,
            } })
        });
        let logprobs = request.logprobs.filter(|_| form.takes(Parameter::Logprobs));
        let fields = [
            ("model", Some(json!(model))),
            ("store", Some(json!(false))),
            ("instructions", system.map(Value::from)),
            ("input", Some(messages(&turns))),
            ("max_output_tokens", Some(json!(sampling.max_tokens))),
            ("temperature", taken(Parameter::Temperature, sampling.temperature)),
            ("top_p", taken(Parameter::TopP, sampling.top_p)),
            ("text", text),
            ("include", logprobs.map(|_| json!(["message.output_text.logprobs"]))),
            ("top_logprobs", logprobs.map(Value::from)),
        ];
        let given = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Value::Object(given.collect::<Map<_, _>>())
    }

    fn reply(&self, body: &Value, _tool: Option<&str>) -> Result<ChatReply, Unread> {
        let not_the_protocol = |what: &str| Unread::NotTheProtocol(format!("{what}: {body}"));
        let items = body.get("output").and_then(Value::as_array);
        let items = items.ok_or_else(|| not_the_protocol("the answer has no output"))?;
        let field = |value: &Value, name: &str| {
            value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let (mut reasoning, mut calls, mut replies) = (String::new(), Vec::new(), Vec::new());
        for item in items {
            match field(item, "type").as_str() {
                "message" => replies.push(item),
                "reasoning" => {
                    let parts = ["summary", "content"].iter().filter_map(|name| item.get(name)?.as_array());
                    reasoning.extend(parts.flatten().map(|part| field(part, "text")));
                }
                kind if kind.ends_with("_call") => calls.push(item),
                _ => return Err(not_the_protocol("the output has an item of an unknown kind")),
            }
        }
        // Comments on the work may come before the answer.
        let is_final = |reply: &&&Value| field(reply, "phase") == "final_answer";
        let last = replies.iter().rfind(is_final).or_else(|| replies.last());
        let (mut text, mut refusal, mut tokens) = (String::new(), String::new(), Some(Vec::new()));
        for part in last.and_then(|reply| reply.get("content")?.as_array()).into_iter().flatten() {
            match field(part, "type").as_str() {
                "output_text" => {
                    text.push_str(&field(part, "text"));
                    let read = part.get("logprobs").and_then(Value::as_array).map(|list| listed_tokens(list));
                    tokens =
                        tokens.zip(read.unwrap_or_default()).map(|(tokens, more)| [tokens, more].concat());
                }
                "refusal" => refusal.push_str(&field(part, "refusal")),
                _ => return Err(not_the_protocol("the content has a part of an unknown kind")),
            }
        }
        let mut finish = finish(body);
        if !refusal.is_empty() {
            finish = Finish::Refused;
        }
        if text.is_empty() {
            text = refusal;
        }
        if text.is_empty() && !calls.is_empty() && finish != Finish::Refused {
            (text, finish) = (json!(calls).to_string(), Finish::ToolCall);
        }
        let count = |place: &str| body.pointer(&format!("/usage/{place}")).and_then(Value::as_u64);
        Ok(ChatReply {
            text,
            reasoning: Some(reasoning).filter(|reasoning| !reasoning.is_empty()),
            finish,
            usage: Usage {
                prompt_tokens: count("input_tokens"),
                completion_tokens: count("output_tokens"),
                cached_tokens: count("input_tokens_details/cached_tokens"),
                cache_written_tokens: count("input_tokens_details/cache_write_tokens"),
                reasoning_tokens: count("output_tokens_details/reasoning_tokens"),
            },
            model: body.get("model").and_then(Value::as_str).map(str::to_owned),
            tokens: tokens.unwrap_or_default(),
            cost_usd: None,
            adjusted: Vec::new(),
            request_id: None,
        })
    }
}

/// Returns why a response ended: `completed`, or `incomplete` for a reason.
fn finish(body: &Value) -> Finish {
    let reason = body.pointer("/incomplete_details/reason").and_then(Value::as_str);
    match (body.get("status").and_then(Value::as_str), reason) {
        (Some("completed"), _) => Finish::Stop,
        (_, Some("max_output_tokens")) => Finish::Length,
        (status, reason) => Finish::of_word(reason.or(status).unwrap_or_default()),
    }
}
