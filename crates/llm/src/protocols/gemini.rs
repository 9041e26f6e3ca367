//! Gemini's generateContent, at Google AI and at Vertex AI.
//!
//! Its form is documented at <https://ai.google.dev/api/generate-content>, the reasons of blocks at
//! <https://ai.google.dev/gemini-api/docs/safety-settings>.

use llull_core::Usage;
use llull_http::{Address, KeyForm};
use serde_json::{Map, Value, json};

use super::batches::{BatchFormat, GEMINI_BATCHES};
use super::parameter::{Form, Parameter, SchemaForm};
use super::turns::{Turns, turns};
use super::wire_format::{Unread, WireFormat, key_header};
use crate::chat::{ChatReply, ChatRequest, Finish, ReplyToken, Role};
use crate::price::CacheRates;

#[derive(Debug)]
pub(crate) struct Gemini {
    /// Whether the server is Vertex AI's, whose keys are access tokens.
    vertex: bool,
}

pub(crate) const GEMINI: Gemini = Gemini { vertex: false };

pub(crate) const VERTEX: Gemini = Gemini { vertex: true };

impl WireFormat for Gemini {
    fn address(&self, base: &Address, model: &str) -> Address {
        let base_path = base.path().trim_end_matches('/');
        let model = match (model.contains('/'), self.vertex) {
            (true, _) => model.to_owned(),
            (false, true) => format!("publishers/google/models/{model}"),
            (false, false) => format!("models/{model}"),
        };
        base.with_path(&format!("{base_path}/{model}:generateContent"))
    }

    fn batch_url(&self, _requests: &Address, model: &str) -> String {
        format!("/v1/models/{model}:generateContent")
    }

    fn batches(&self) -> Option<&'static dyn BatchFormat> {
        (!self.vertex).then_some(&GEMINI_BATCHES)
    }

    fn key_form(&self) -> KeyForm {
        if self.vertex { KeyForm::Bearer } else { key_header("x-goog-api-key") }
    }

    fn schema_forms(&self) -> &'static [SchemaForm] {
        &[SchemaForm::Native, SchemaForm::Object]
    }

    fn body(&self, _model: &str, request: &ChatRequest, form: Form) -> Value {
        let sampling = &request.sampling;
        let Turns { system, turns } = turns(request, form);
        let contents = turns.iter().map(|message| {
            let role = if message.role == Role::Assistant { "model" } else { "user" };
            json!({ "role": role, "parts": [{ "text": message.content }] })
        });
        let contents = contents.collect::<Value>();
        let schema = request.schema.as_ref().filter(|_| form.schema() == Some(SchemaForm::Native));
        let json_alone = request.schema.as_ref().and(form.schema());
        let logprobs = request.logprobs.filter(|_| form.takes(Parameter::Logprobs));
        let taken = |parameter, value: Option<Value>| value.filter(|_| form.takes(parameter));
        let config = object([
            ("maxOutputTokens", Some(json!(sampling.max_tokens))),
            ("temperature", taken(Parameter::Temperature, sampling.temperature.map(Value::from))),
            ("topP", taken(Parameter::TopP, sampling.top_p.map(Value::from))),
            ("seed", taken(Parameter::Seed, sampling.seed.map(Value::from))),
            ("responseMimeType", json_alone.map(|_| json!("application/json"))),
            ("responseJsonSchema", schema.map(|schema| ordered(&schema.schema))),
            ("responseLogprobs", logprobs.map(|_| json!(true))),
            ("logprobs", logprobs.map(Value::from)),
        ]);
        object([
            ("systemInstruction", system.map(|text| json!({ "parts": [{ "text": text }] }))),
            ("contents", Some(contents)),
            ("generationConfig", Some(config)),
        ])
    }

    fn reply(&self, body: &Value, _tool: Option<&str>) -> Result<ChatReply, Unread> {
        let not_the_protocol = |what: &str| Unread::NotTheProtocol(format!("{what}: {body}"));
        let count = |name: &str| body.pointer(&format!("/usageMetadata/{name}")).and_then(Value::as_u64);
        let thoughts = count("thoughtsTokenCount");
        let written = count("candidatesTokenCount");
        let mut reply = ChatReply {
            text: String::new(),
            reasoning: None,
            finish: Finish::Refused,
            usage: Usage {
                prompt_tokens: count("promptTokenCount"),
                completion_tokens: match (written, thoughts) {
                    (None, None) => None,
                    (written, thoughts) => Some(written.unwrap_or(0).saturating_add(thoughts.unwrap_or(0))),
                },
                cached_tokens: count("cachedContentTokenCount"),
                cache_written_tokens: None,
                reasoning_tokens: thoughts,
            },
            model: body.get("modelVersion").and_then(Value::as_str).map(str::to_owned),
            tokens: Vec::new(),
            cost_usd: None,
            adjusted: Vec::new(),
            request_id: body.get("responseId").and_then(Value::as_str).map(str::to_owned),
        };
        let Some(candidate) = body.pointer("/candidates/0") else {
            let reason = body.pointer("/promptFeedback/blockReason").and_then(Value::as_str);
            let reason = reason.ok_or_else(|| not_the_protocol("the answer has no candidates"))?;
            reply.text = format!("the prompt was blocked: {reason}");
            return Ok(reply);
        };
        let reason = candidate.get("finishReason").and_then(Value::as_str);
        reply.finish = Finish::of_word(reason.unwrap_or_default());
        let (mut reasoning, mut calls) = (String::new(), Vec::new());
        // A candidate that was blocked, or that used up its tokens on thoughts, has no parts.
        for part in candidate.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten() {
            let thought = part.get("thought").and_then(Value::as_bool).unwrap_or(false);
            match (part.get("text").and_then(Value::as_str), part.get("functionCall")) {
                (Some(text), _) if thought => reasoning.push_str(text),
                (Some(text), _) => reply.text.push_str(text),
                (None, Some(call)) => calls.push(call),
                (None, None) if is_empty(part) => {}
                (None, None) => return Err(not_the_protocol("the reply has a part of an unknown kind")),
            }
        }
        reply.reasoning = Some(reasoning).filter(|reasoning| !reasoning.is_empty());
        if reply.text.is_empty() {
            if reply.finish == Finish::Refused {
                reply.text = format!("the reply was blocked: {}", reason.unwrap_or_default());
            } else if !calls.is_empty() {
                (reply.text, reply.finish) = (json!(calls).to_string(), Finish::ToolCall);
            }
        }
        reply.tokens = tokens(candidate);
        Ok(reply)
    }

    /// A cached token is read at 0.1 of its price (0.05 from Gemini 4).
    fn cache_rates(&self) -> CacheRates {
        CacheRates { read: 0.1, written: 1.0 }
    }
}

/// Returns whether a part has no content, but at most the marks of a thought.
fn is_empty(part: &Value) -> bool {
    let marks = ["thought", "thoughtSignature"];
    part.as_object().is_some_and(|fields| fields.keys().all(|name| marks.contains(&name.as_str())))
}

fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let given = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(given.collect::<Map<_, _>>())
}

/// Returns a schema that states the order of its properties: the order decides whether reasons come before a grade.
fn ordered(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let mut fields: Map<_, _> =
                fields.iter().map(|(name, value)| (name.clone(), ordered(value))).collect();
            let is_object = fields.get("type").is_some_and(|kind| kind == "object");
            let names = fields.get("properties").and_then(Value::as_object).filter(|_| is_object);
            if let Some(names) = names.map(|names| names.keys().cloned().collect::<Vec<_>>()) {
                fields.insert("propertyOrdering".into(), json!(names));
            }
            Value::Object(fields)
        }
        Value::Array(items) => items.iter().map(ordered).collect(),
        other => other.clone(),
    }
}

/// Returns the chosen tokens with the alternatives at their places; none if one of them does not follow the protocol.
fn tokens(candidate: &Value) -> Vec<ReplyToken> {
    let list = |place: &str| candidate.pointer(place).and_then(Value::as_array);
    let token = |value: &Value| {
        let text = value.get("token")?.as_str()?.to_owned();
        Some((text, value.get("logProbability")?.as_f64()?))
    };
    let top = list("/logprobsResult/topCandidates");
    let read = |(at, chosen): (usize, &Value)| {
        let (text, logprob) = token(chosen)?;
        let alternatives = top.and_then(|top| top.get(at)?.get("candidates")?.as_array());
        let alternatives = alternatives.into_iter().flatten().filter_map(token).collect();
        Some(ReplyToken { text, logprob, alternatives })
    };
    let chosen = list("/logprobsResult/chosenCandidates");
    chosen.and_then(|chosen| chosen.iter().enumerate().map(read).collect()).unwrap_or_default()
}
