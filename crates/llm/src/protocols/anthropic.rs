//! Anthropic's Messages.
//!
//! Their form is documented at <https://platform.claude.com/docs/en/api/messages>, prompt caching and structured
//! outputs below <https://platform.claude.com/docs/en/build-with-claude>.

use llull_core::Usage;
use llull_http::{Address, KeyForm};
use serde_json::{Map, Value, json};

use super::batches::{ANTHROPIC_BATCHES, BatchFormat};
use super::parameter::{Form, Parameter, SchemaForm};
use super::tool_call::with_calls;
use super::turns::{Turns, turns};
use super::wire_format::{Unread, WireFormat, key_header, usage_beside_cache};
use crate::chat::{ChatReply, ChatRequest, Finish, Message, Role};
use crate::price::CacheRates;

#[derive(Debug)]
pub(crate) struct Anthropic;

impl WireFormat for Anthropic {
    fn address(&self, base: &Address, _model: &str) -> Address {
        base.with_path(&format!("{}/messages", base.path()))
    }

    fn batch_url(&self, _requests: &Address, _model: &str) -> String {
        String::from("/v1/messages")
    }

    fn batches(&self) -> Option<&'static dyn BatchFormat> {
        Some(&ANTHROPIC_BATCHES)
    }

    fn key_form(&self) -> KeyForm {
        key_header("x-api-key")
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        // The next version refuses a temperature for all models.
        &[("anthropic-version", "2023-06-01")]
    }

    fn schema_forms(&self) -> &'static [SchemaForm] {
        // Models before Claude 4.5 have no schemas, and some after 5 refuse to be told which tool to call.
        &[SchemaForm::Native, SchemaForm::Tool]
    }

    fn lacks(&self) -> &'static [Parameter] {
        &[Parameter::Seed, Parameter::Logprobs]
    }

    fn body(&self, model: &str, request: &ChatRequest, form: Form) -> Value {
        let sampling = &request.sampling;
        let Turns { system, turns } = turns(request, form);
        let taken = |parameter, value: Option<f64>| value.filter(|_| form.takes(parameter)).map(Value::from);
        let mut fields = vec![
            ("model", Some(json!(model))),
            ("max_tokens", Some(json!(sampling.max_tokens))),
            ("system", system.map(|text| json!([cached_block(&text, turns.len() <= 1)]))),
            ("messages", Some(messages(&turns))),
            ("temperature", taken(Parameter::Temperature, sampling.temperature)),
            ("top_p", taken(Parameter::TopP, sampling.top_p)),
        ];
        if let Some(schema) = &request.schema {
            match form.schema() {
                Some(SchemaForm::Native) => {
                    let format = json!({ "format": { "type": "json_schema", "schema": schema.schema } });
                    fields.push(("output_config", Some(format)));
                }
                Some(SchemaForm::Tool) => {
                    let tool = json!({ "name": schema.name, "description": "Gives the answer.",
                        "input_schema": schema.schema });
                    fields.push(("tools", Some(json!([tool]))));
                    let choice = json!({ "type": "tool", "name": schema.name });
                    fields.push(("tool_choice", Some(choice)));
                }
                Some(SchemaForm::Object) | None => {}
            }
        }
        let given = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Value::Object(given.collect::<Map<_, _>>())
    }

    fn reply(&self, body: &Value, tool: Option<&str>) -> Result<ChatReply, Unread> {
        let not_the_protocol = |what: &str| Unread::NotTheProtocol(format!("{what}: {body}"));
        let blocks = body.get("content").and_then(Value::as_array);
        let blocks = blocks.ok_or_else(|| not_the_protocol("the answer has no content"))?;
        let (mut text, mut reasoning, mut calls) = (String::new(), String::new(), Vec::new());
        for block in blocks {
            let field = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default();
            match field("type") {
                "text" => text.push_str(field("text")),
                "thinking" => reasoning.push_str(field("thinking")),
                "redacted_thinking" => {}
                "tool_use" => calls.push(block),
                _ => return Err(not_the_protocol("the content has a block of an unknown kind")),
            }
        }
        let finish = finish(body.get("stop_reason").and_then(Value::as_str));
        let (mut text, finish) = with_calls(text, finish, &calls, tool);
        if finish == Finish::Refused && text.is_empty() {
            text = why_refused(body);
        }
        let count = |place: &str| body.pointer(place).and_then(Value::as_u64);
        let cached = ["read", "creation"].map(|kind| count(&format!("/usage/cache_{kind}_input_tokens")));
        Ok(ChatReply {
            text,
            reasoning: Some(reasoning).filter(|reasoning| !reasoning.is_empty()),
            finish,
            usage: Usage {
                reasoning_tokens: count("/usage/output_tokens_details/thinking_tokens"),
                ..usage_beside_cache(count("/usage/input_tokens"), count("/usage/output_tokens"), cached)
            },
            model: body.get("model").and_then(Value::as_str).map(str::to_owned),
            tokens: Vec::new(),
            cost_usd: None,
            adjusted: Vec::new(),
            request_id: None,
        })
    }

    /// A token is read at 0.1 of its price (0.05 from Opus 5.5 and Sonnet 5.5), and written for five minutes at 1.25.
    fn cache_rates(&self) -> CacheRates {
        CacheRates { read: 0.1, written: 1.25 }
    }
}

/// Returns a block of text. `marked` is the end of what requests of a study have in common.
fn cached_block(text: &str, marked: bool) -> Value {
    let mut block = json!({ "type": "text", "text": text });
    if marked {
        block["cache_control"] = json!({ "type": "ephemeral" });
    }
    block
}

/// Returns the turns. All but the last, worked examples, are the same in every request, and marked for the cache.
fn messages(turns: &[Message]) -> Value {
    let marked = turns.len().checked_sub(2);
    let written = turns.iter().enumerate().map(|(at, message)| {
        let role = if message.role == Role::Assistant { "assistant" } else { "user" };
        let content = match Some(at) == marked {
            true => json!([cached_block(&message.content, true)]),
            false => json!(message.content),
        };
        json!({ "role": role, "content": content })
    });
    written.collect()
}

fn finish(reason: Option<&str>) -> Finish {
    match reason {
        Some("tool_use") => Finish::ToolCall,
        word => Finish::of_word(word.unwrap_or_default()),
    }
}

/// Returns the reason of a refusal without a text.
fn why_refused(body: &Value) -> String {
    let category = body.pointer("/stop_details/category").and_then(Value::as_str);
    category.map(|category| format!("refused by the provider: {category}")).unwrap_or_default()
}
