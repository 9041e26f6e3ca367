//! Reads a reply from a response's body.

use llull_core::Usage;
use llull_http::{Response, Transport};
use serde_json::Value;

use super::{
    refusal::{Refused, refusal_in_body},
    server::Server,
};
use crate::chat::{ChatReply, Finish, ReplyToken};

#[derive(Debug, Default, PartialEq)]
struct MessageParts {
    text: String,
    reasoning: String,
    refusal: String,
}

/// Reads an answer with a status of success.
pub(super) fn reply(server: &Server, response: &Response) -> Result<ChatReply, Refused> {
    let not_the_protocol = |what: String| Refused::from(server.not_the_protocol(&what));
    let body: Value = serde_json::from_slice(&response.body).map_err(|error| {
        let start = String::from_utf8_lossy(&response.body);
        not_the_protocol(format!("the answer is not JSON ({error}): {start}"))
    })?;
    let choice = body.pointer("/choices/0");
    for error in [body.get("error"), choice.and_then(|choice| choice.get("error"))].into_iter().flatten() {
        if !error.is_null() {
            return Err(refusal_in_body(server, response.status, error));
        }
    }
    if choice.is_none() && body.pointer("/promptFeedback/blockReason").is_some() {
        return Err(refusal_in_body(server, response.status, &body));
    }
    let choice = choice.ok_or_else(|| not_the_protocol(format!("the answer has no choices: {body}")))?;
    // Gemini sends no message with a blocked reply.
    let blocked = choice.get("finish_reason").and_then(Value::as_str).is_some_and(is_refusal);
    let nothing = Value::Object(serde_json::Map::new());
    let message = choice.get("message").filter(|message| message.is_object());
    let message = message.or_else(|| blocked.then_some(&nothing));
    let message = message.ok_or_else(|| not_the_protocol(format!("the choice has no message: {body}")))?;
    let mut parts = parts(message).map_err(not_the_protocol)?;
    let without_key = |text| server.transport.without_key(text);
    let mut finish = finish(choice.get("finish_reason").and_then(Value::as_str), &parts.refusal);
    if let Some(calls) = tool_calls(message).filter(|_| parts.text.is_empty() && parts.refusal.is_empty()) {
        // The calls are in the record, so that a reader sees why there is no answer.
        parts.text = calls;
        finish = Finish::ToolCall;
    }
    Ok(ChatReply {
        finish,
        text: without_key(if parts.text.is_empty() { parts.refusal } else { parts.text }),
        reasoning: Some(without_key(parts.reasoning)).filter(|reasoning| !reasoning.is_empty()),
        usage: usage(&body),
        tokens: tokens(choice, &server.transport),
        model: body
            .get("model")
            .and_then(Value::as_str)
            .filter(|model| !model.is_empty())
            .map(|model| without_key(model.to_owned())),
        cost_usd: body
            .pointer("/usage/cost")
            .and_then(Value::as_f64)
            // elsewhere `cost` has no agreed unit
            .filter(|usd| server.states_cost() && usd.is_finite() && *usd >= 0.0),
        adjusted: Vec::new(),
    })
}

/// Returns the tokens of `choice.logprobs.content`; none if one of them does not follow the protocol, because the
/// others would no longer make up the reply.
fn tokens(choice: &Value, transport: &Transport) -> Vec<ReplyToken> {
    let content = choice.pointer("/logprobs/content").and_then(Value::as_array);
    let read = |value: &Value| {
        let (text, logprob) = token(value)?;
        let alternatives = value.get("top_logprobs").and_then(Value::as_array);
        let alternatives = alternatives.into_iter().flatten().filter_map(token);
        Some(ReplyToken {
            text: transport.without_key(text),
            logprob,
            alternatives: alternatives
                .map(|(text, logprob)| (transport.without_key(text), logprob))
                .collect(),
        })
    };
    content.and_then(|tokens| tokens.iter().map(read).collect()).unwrap_or_default()
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
        Some(word) if is_refusal(word) => Finish::Refused,
        Some("stop" | "end_turn" | "stop_sequence" | "eos") => Finish::Stop,
        Some("length" | "max_tokens") => Finish::Length,
        other => Finish::Other(other.unwrap_or_default().to_owned()),
    }
}

/// Returns whether a `finish_reason` means that the text or the reply was refused. These are words of OpenAI, Azure,
/// Anthropic, Bedrock, and Gemini, whose words come unchanged or after `content_filter: `.
fn is_refusal(reason: &str) -> bool {
    let words = [
        "refusal",
        "content_filtered",
        "guardrail_intervened",
        "safety",
        "recitation",
        "language",
        "blocklist",
        "prohibited_content",
        "spii",
        "escalation",
        "model_armor",
    ];
    reason == "content_filter"
        || reason.starts_with("content_filter:")
        || words.iter().any(|word| reason.eq_ignore_ascii_case(word))
}

fn usage(body: &Value) -> Usage {
    let count = |name: &str| body.get("usage").and_then(|usage| usage.get(name)).and_then(Value::as_u64);
    Usage { prompt_tokens: count("prompt_tokens"), completion_tokens: count("completion_tokens") }
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
