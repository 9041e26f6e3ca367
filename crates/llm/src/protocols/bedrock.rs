//! Amazon Bedrock's Converse, with a bearer key or signed requests.
//!
//! Its form is documented at <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html>. No
//! prompt is marked for the cache: models without one refuse the mark.

use llull_http::Address;
use serde_json::{Map, Value, json};

use super::parameter::{Form, Parameter, SchemaForm};
use super::tool_call::with_calls;
use super::turns::{Turns, turns};
use super::wire_format::{Unread, WireFormat, usage_beside_cache};
use crate::chat::{ChatReply, ChatRequest, Finish, Role};

#[derive(Debug)]
pub(crate) struct Bedrock;

impl WireFormat for Bedrock {
    fn address(&self, base: &Address, model: &str) -> Address {
        // The name may be an ARN, which has both signs.
        let model = model.replace('%', "%25").replace('/', "%2F").replace(':', "%3A");
        base.with_path(&format!("{}/model/{model}/converse", base.path().trim_end_matches('/')))
    }

    fn batch_url(&self, _requests: &Address, model: &str) -> String {
        format!("/model/{model}/converse")
    }

    fn schema_forms(&self) -> &'static [SchemaForm] {
        &[SchemaForm::Native, SchemaForm::Tool]
    }

    fn lacks(&self) -> &'static [Parameter] {
        &[Parameter::Seed, Parameter::Logprobs]
    }

    fn body(&self, _model: &str, request: &ChatRequest, form: Form) -> Value {
        let sampling = &request.sampling;
        let Turns { system, turns } = turns(request, form);
        let messages = turns.iter().map(|message| {
            let role = if message.role == Role::Assistant { "assistant" } else { "user" };
            json!({ "role": role, "content": [{ "text": message.content }] })
        });
        let mut limits = Map::from_iter([("maxTokens".to_owned(), json!(sampling.max_tokens))]);
        for (parameter, name, value) in [
            (Parameter::Temperature, "temperature", sampling.temperature),
            (Parameter::TopP, "topP", sampling.top_p),
        ] {
            limits
                .extend(value.filter(|_| form.takes(parameter)).map(|value| (name.to_owned(), json!(value))));
        }
        let mut body = json!({ "messages": messages.collect::<Value>(), "inferenceConfig": limits });
        if let Some(text) = system {
            body["system"] = json!([{ "text": text }]);
        }
        if let Some(schema) = &request.schema {
            let name = &schema.name;
            match form.schema() {
                Some(SchemaForm::Native) => {
                    let structure =
                        json!({ "jsonSchema": { "name": name, "schema": schema.schema.to_string() } });
                    body["outputConfig"] =
                        json!({ "textFormat": { "type": "json_schema", "structure": structure } });
                }
                Some(SchemaForm::Tool) => {
                    let tool = json!({ "toolSpec": { "name": name, "description": "Gives the answer.",
                        "inputSchema": { "json": schema.schema } } });
                    body["toolConfig"] =
                        json!({ "tools": [tool], "toolChoice": { "tool": { "name": name } } });
                }
                Some(SchemaForm::Object) | None => {}
            }
        }
        body
    }

    fn reply(&self, body: &Value, tool: Option<&str>) -> Result<ChatReply, Unread> {
        let blocks = body.pointer("/output/message/content").and_then(Value::as_array);
        let no_message = || Unread::NotTheProtocol(format!("the answer has no message: {body}"));
        let blocks = blocks.ok_or_else(no_message)?;
        let is_known = |block: &Value| {
            ["text", "reasoningContent", "toolUse"].iter().any(|kind| block.get(kind).is_some())
        };
        if let Some(block) = blocks.iter().find(|block| !is_known(block)) {
            return Err(Unread::NotTheProtocol(format!(
                "the message has a block of an unknown kind: {block}"
            )));
        }
        let text_of = |block: &Value, place: &str| {
            block.pointer(place).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let text: String = blocks.iter().map(|block| text_of(block, "/text")).collect();
        let reasoning: String =
            blocks.iter().map(|block| text_of(block, "/reasoningContent/reasoningText/text")).collect();
        let calls: Vec<&Value> = blocks.iter().filter_map(|block| block.get("toolUse")).collect();
        let finish = finish(body.get("stopReason").and_then(Value::as_str));
        let (text, finish) = with_calls(text, finish, &calls, tool);
        let count = |name: &str| body.pointer(&format!("/usage/{name}")).and_then(Value::as_u64);
        let cached = ["cacheReadInputTokens", "cacheWriteInputTokens"].map(count);
        Ok(ChatReply {
            text,
            reasoning: Some(reasoning).filter(|reasoning| !reasoning.is_empty()),
            finish,
            usage: usage_beside_cache(count("inputTokens"), count("outputTokens"), cached),
            model: None,
            tokens: Vec::new(),
            cost_usd: None,
            adjusted: Vec::new(),
            request_id: None,
        })
    }
}

fn finish(reason: Option<&str>) -> Finish {
    match reason {
        Some("tool_use") => Finish::ToolCall,
        word => Finish::of_word(word.unwrap_or_default()),
    }
}
