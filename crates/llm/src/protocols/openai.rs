//! OpenAI's chat completions, and the differences of servers that follow them.
//!
//! Their form is documented at <https://platform.openai.com/docs/api-reference/chat>, Azure's at
//! <https://learn.microsoft.com/azure/ai-foundry/openai/reference>.

use llull_core::Usage;
use llull_http::{Address, KeyForm};
use serde_json::{Map, Value, json};

use super::batches::{BatchFormat, OPENAI_BATCHES, batch_endpoint};
use super::parameter::{Form, Parameter, SchemaForm};
use super::turns::turns;
use super::wire_format::{Unread, WireFormat, key_header};
use crate::chat::{ChatReply, ChatRequest, Finish, Message, ReplyToken, Role};

/// A server of OpenAI's chat completions, by its differences from OpenAI's own.
#[derive(Debug)]
pub(crate) struct OpenAi {
    /// The name of the seed.
    seed: &'static str,
    schemas: &'static [SchemaForm],
    lacks: &'static [Parameter],
    /// Whether `logprobs` is the number of alternatives (Together).
    counted_logprobs: bool,
    azure: bool,
}

/// OpenAI's own.
pub(crate) const OPENAI: OpenAi = OpenAi {
    seed: "seed",
    schemas: &[SchemaForm::Native],
    lacks: &[],
    counted_logprobs: false,
    azure: false,
};

/// Azure: the key in `api-key`, and at dated addresses the model in the path.
pub(crate) const AZURE: OpenAi = OpenAi { azure: true, ..OPENAI };

/// Mistral: <https://docs.mistral.ai/api>.
pub(crate) const MISTRAL: OpenAi = OpenAi { seed: "random_seed", ..OPENAI };

/// Groq has schemas for some models, and no log-probabilities.
pub(crate) const GROQ: OpenAi =
    OpenAi { schemas: &[SchemaForm::Native, SchemaForm::Object], lacks: &[Parameter::Logprobs], ..OPENAI };

/// Together: <https://docs.together.ai/reference/chat-completions-1>.
pub(crate) const TOGETHER: OpenAi = OpenAi { counted_logprobs: true, ..OPENAI };

/// DeepSeek answers 400 to every schema.
pub(crate) const DEEPSEEK: OpenAi =
    OpenAi { schemas: &[SchemaForm::Object], lacks: &[Parameter::ResponseFormat], ..OPENAI };

#[derive(Debug, Default, PartialEq)]
struct MessageParts {
    text: String,
    reasoning: String,
    refusal: String,
}

impl WireFormat for OpenAi {
    fn address(&self, base: &Address, model: &str) -> Address {
        let path = base.path().trim_end_matches('/');
        // Azure's versions of before 2025 are dates.
        let is_dated = base.query("api-version").is_some_and(|version| version.starts_with('2'));
        let path = match path {
            "/openai" | "/openai/v1" if self.azure && is_dated => format!("/openai/deployments/{model}"),
            path => path.to_owned(),
        };
        base.with_path(&format!("{path}/chat/completions"))
    }

    fn batch_url(&self, requests: &Address, _model: &str) -> String {
        batch_endpoint(requests).to_owned()
    }

    fn batches(&self) -> Option<&'static dyn BatchFormat> {
        Some(&OPENAI_BATCHES)
    }

    fn key_form(&self) -> KeyForm {
        if self.azure { key_header("api-key") } else { KeyForm::Bearer }
    }

    fn schema_forms(&self) -> &'static [SchemaForm] {
        self.schemas
    }

    fn lacks(&self) -> &'static [Parameter] {
        self.lacks
    }

    fn body(&self, model: &str, request: &ChatRequest, form: Form) -> Value {
        let sampling = &request.sampling;
        let said = match form.takes(Parameter::SystemRole) {
            true => messages(&request.messages),
            false => messages(&turns(request, form).turns),
        };
        let schema = request.schema.as_ref().and_then(|schema| {
            Some(match form.schema()? {
                SchemaForm::Object => json!({ "type": "json_object" }),
                SchemaForm::Native | SchemaForm::Tool => json!({
                    "type": "json_schema",
                    "json_schema": { "name": schema.name, "strict": true, "schema": schema.schema },
                }),
            })
        });
        let logprobs = request.logprobs.filter(|_| form.takes(Parameter::Logprobs));
        let (logprobs, top_logprobs) = match self.counted_logprobs {
            true => (logprobs.map(Value::from), None),
            false => (logprobs.map(|_| json!(true)), logprobs.map(Value::from)),
        };
        let taken = |parameter: Parameter, name: &'static str, value: Option<Value>| {
            (name, value.filter(|_| form.takes(parameter)))
        };
        let fields = [
            ("model", Some(json!(model))),
            ("messages", Some(said)),
            (form.limit_name(), Some(json!(sampling.max_tokens))),
            taken(Parameter::Temperature, "temperature", sampling.temperature.map(Value::from)),
            taken(Parameter::TopP, "top_p", sampling.top_p.map(Value::from)),
            taken(Parameter::Seed, self.seed, sampling.seed.map(Value::from)),
            ("response_format", schema),
            ("logprobs", logprobs),
            ("top_logprobs", top_logprobs),
        ];
        let given = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Value::Object(given.collect::<Map<_, _>>())
    }

    fn reply(&self, body: &Value, _tool: Option<&str>) -> Result<ChatReply, Unread> {
        let choice = body.pointer("/choices/0");
        if let Some(error) = choice.and_then(|choice| choice.get("error")).filter(|error| !error.is_null()) {
            return Err(Unread::Error(error.clone()));
        }
        if choice.is_none() && body.pointer("/promptFeedback/blockReason").is_some() {
            return Err(Unread::Error(body.clone()));
        }
        let not_the_protocol = |what: &str| Unread::NotTheProtocol(format!("{what}: {body}"));
        let choice = choice.ok_or_else(|| not_the_protocol("the answer has no choices"))?;
        let reason = choice.get("finish_reason").and_then(Value::as_str);
        // Gemini sends no message with a blocked reply.
        let blocked = finish(reason, "") == Finish::Refused;
        let nothing = Value::Object(Map::new());
        let message = choice.get("message").filter(|message| message.is_object());
        let message = message.or_else(|| blocked.then_some(&nothing));
        let message = message.ok_or_else(|| not_the_protocol("the choice has no message"))?;
        let mut parts = parts(message).map_err(Unread::NotTheProtocol)?;
        let mut finish = finish(reason, &parts.refusal);
        let no_text = parts.text.is_empty() && finish != Finish::Refused;
        if let Some(calls) = tool_calls(message).filter(|_| no_text) {
            // The calls are in the record, so that a reader sees why there is no answer.
            parts.text = calls;
            finish = Finish::ToolCall;
        }
        let model = body.get("model").and_then(Value::as_str).filter(|model| !model.is_empty());
        let count = |place: &str| body.pointer(place).and_then(Value::as_u64);
        let details = "/usage/prompt_tokens_details";
        Ok(ChatReply {
            finish,
            text: if parts.text.is_empty() { parts.refusal } else { parts.text },
            reasoning: Some(parts.reasoning).filter(|reasoning| !reasoning.is_empty()),
            usage: Usage {
                prompt_tokens: count("/usage/prompt_tokens"),
                completion_tokens: count("/usage/completion_tokens"),
                cached_tokens: count(&format!("{details}/cached_tokens")),
                cache_written_tokens: count(&format!("{details}/cache_write_tokens")),
                reasoning_tokens: count("/usage/completion_tokens_details/reasoning_tokens"),
            },
            tokens: tokens(choice),
            model: model.map(str::to_owned),
            cost_usd: body
                .pointer("/usage/cost")
                .and_then(Value::as_f64)
                .filter(|usd| usd.is_finite() && *usd >= 0.0),
            adjusted: Vec::new(),
            request_id: None,
        })
    }
}

pub(super) fn messages(messages: &[Message]) -> Value {
    messages.iter().map(written).collect()
}

fn written(message: &Message) -> Value {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    json!({ "role": role, "content": message.content })
}

/// Returns the tokens of `choice.logprobs`; none if one of them does not follow the protocol, because the others would
/// no longer make up the reply.
fn tokens(choice: &Value) -> Vec<ReplyToken> {
    let content = choice.pointer("/logprobs/content").and_then(Value::as_array);
    content
        .and_then(|tokens| listed_tokens(tokens))
        .or_else(|| tokens_in_columns(choice.get("logprobs")?))
        .unwrap_or_default()
}

/// Reads a list of tokens; `None` if one of them does not follow the protocol.
pub(super) fn listed_tokens(tokens: &[Value]) -> Option<Vec<ReplyToken>> {
    let read = |value: &Value| {
        let (text, logprob) = token(value)?;
        let alternatives = value.get("top_logprobs").and_then(Value::as_array);
        let alternatives = alternatives.into_iter().flatten().filter_map(token).collect();
        Some(ReplyToken { text, logprob, alternatives })
    };
    tokens.iter().map(read).collect()
}

/// Reads Together's form: tokens, their log-probabilities, and for each token an object of the alternatives'.
fn tokens_in_columns(logprobs: &Value) -> Option<Vec<ReplyToken>> {
    let column = |name: &str| logprobs.get(name).and_then(Value::as_array);
    let (tokens, values) = (column("tokens")?, column("token_logprobs")?);
    let alternatives = |at: usize| {
        let object = column("top_logprobs").and_then(|top| top.get(at)?.as_object());
        let pairs = object.into_iter().flatten();
        pairs.filter_map(|(text, logprob)| Some((text.clone(), logprob.as_f64()?))).collect()
    };
    let pairs = tokens.iter().zip(values).enumerate();
    let read = pairs.map(|(at, (text, logprob))| {
        let (text, logprob) = (text.as_str()?.to_owned(), logprob.as_f64()?);
        Some(ReplyToken { text, logprob, alternatives: alternatives(at) })
    });
    if tokens.len() == values.len() { read.collect() } else { None }
}

/// Reads `content` (a text, `null`, or parts), `refusal`, and the reasoning under either of its names:
/// `reasoning_content` (DeepSeek, vLLM, llama.cpp) and `reasoning` (OpenRouter, Ollama).
fn parts(message: &Value) -> Result<MessageParts, String> {
    let text = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut found = MessageParts { refusal: text("refusal"), ..MessageParts::default() };
    match message.get("content") {
        None | Some(Value::Null) => {}
        Some(Value::String(text)) => found.text.push_str(text),
        Some(Value::Array(parts)) => parts.iter().try_for_each(|part| found.add(part))?,
        Some(other) => return Err(format!("content is neither a text nor a list of parts: {other}")),
    }
    let reasoning = ["reasoning_content", "reasoning"].map(text).into_iter().find(|text| !text.is_empty());
    found.reasoning.push_str(&reasoning.unwrap_or_default());
    Ok(found)
}

/// Returns the calls of tools in a message unchanged, also under their older name; `None` if there are none.
fn tool_calls(message: &Value) -> Option<String> {
    let calls =
        message.get("tool_calls").filter(|calls| calls.as_array().is_some_and(|calls| !calls.is_empty()));
    let call = || message.get("function_call").filter(|call| call.is_object());
    calls.or_else(call).map(Value::to_string)
}

impl MessageParts {
    /// Adds a part of a content list. A part of an unknown kind may hold the answer, so it is an error.
    fn add(&mut self, part: &Value) -> Result<(), String> {
        let field = |name: &str| part.get(name).and_then(Value::as_str).unwrap_or_default();
        match field("type") {
            "text" | "output_text" => self.text.push_str(field("text")),
            "refusal" => self.refusal.push_str(field("refusal")),
            "reasoning" => self.reasoning.push_str(field("text")),
            // Mistral's: a list of text parts, or a text
            "thinking" => match part.get("thinking") {
                Some(Value::Array(parts)) => {
                    let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
                    self.reasoning.extend(texts);
                }
                _ => self.reasoning.push_str(field("thinking")),
            },
            _ => return Err(format!("content has a part of an unknown kind: {part}")),
        }
        Ok(())
    }
}

/// Returns a token's text and log-probability. The text is made of `bytes` if they are given: a token may end in the
/// middle of a character, which `token` then writes as an escape.
fn token(value: &Value) -> Option<(String, f64)> {
    let byte = |byte: &Value| byte.as_u64().and_then(|byte| u8::try_from(byte).ok());
    let bytes = value.get("bytes").and_then(Value::as_array);
    let bytes = bytes.and_then(|bytes| bytes.iter().map(byte).collect::<Option<Vec<_>>>());
    let text = match bytes {
        Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        None => value.get("token")?.as_str()?.to_owned(),
    };
    Some((text, value.get("logprob")?.as_f64()?))
}

fn finish(reason: Option<&str>, refusal: &str) -> Finish {
    match reason {
        _ if !refusal.is_empty() => Finish::Refused,
        word => Finish::of_word(word.unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn content_is_a_text_or_nothing_or_parts() {
        let text = |message| parts(&message).map(|found| found.text);
        assert_eq!(text(json!({ "content": "a" })), Ok("a".into()));
        assert_eq!(text(json!({ "content": null })), Ok(String::new()));
        assert_eq!(text(json!({})), Ok(String::new()));
        let list = json!([{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }]);
        assert_eq!(text(json!({ "content": list })), Ok("ab".into()));
        assert!(text(json!({ "content": [{ "type": "image_url" }] })).unwrap_err().contains("image_url"));
        assert!(text(json!({ "content": 3 })).is_err(), "a bare number is no text");
    }

    #[test]
    fn reasoning_is_kept_apart() {
        let thinking = json!([{ "type": "thinking", "thinking": [{ "type": "text", "text": "hm" }] }]);
        for message in [
            json!({ "content": "", "reasoning_content": "hm" }),
            json!({ "content": "", "reasoning": "hm" }),
            json!({ "content": thinking }),
        ] {
            let found = parts(&message).unwrap();
            assert_eq!((found.text.as_str(), found.reasoning.as_str()), ("", "hm"));
        }
    }

    #[test]
    fn the_end_is_named() {
        assert_eq!(finish(Some("stop"), ""), Finish::Stop);
        assert_eq!(finish(Some("length"), ""), Finish::Length);
        assert_eq!(finish(Some("content_filter"), ""), Finish::Refused);
        for word in ["SAFETY", "PROHIBITED_CONTENT", "content_filter: RECITATION", "guardrail_intervened"] {
            assert_eq!(finish(Some(word), ""), Finish::Refused, "{word}");
        }
        assert_eq!(finish(Some("stop"), "I cannot"), Finish::Refused);
        assert_eq!(finish(Some("tool_calls"), ""), Finish::Other("tool_calls".into()));
        assert_eq!(finish(None, ""), Finish::Other(String::new()));
    }
}
