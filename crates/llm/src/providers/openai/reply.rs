//! From a body to a reply.

use llull_core::{Failure, FailureKind, Usage};
use serde_json::Value;

use super::{OpenAi, status::Refused};
use crate::{ChatReply, Finish, ReplyToken, transport::Answered};

/// What a message says, apart.
#[derive(Debug, Default, PartialEq)]
struct Said {
    text: String,
    reasoning: String,
    refusal: String,
}

impl OpenAi {
    /// Reads an answer with a status of success.
    pub(super) fn reply(&self, answered: &Answered) -> Result<ChatReply, Refused> {
        let body: Value = serde_json::from_slice(&answered.body).map_err(|error| {
            let start = String::from_utf8_lossy(&answered.body);
            self.not_the_protocol(&format!("the answer is not JSON ({error}): {start}"))
        })?;
        let choice = body.pointer("/choices/0");
        for error in [body.get("error"), choice.and_then(|choice| choice.get("error"))].into_iter().flatten()
        {
            if !error.is_null() {
                return Err(self.refusal_in_body(error));
            }
        }
        let choice =
            choice.ok_or_else(|| self.not_the_protocol(&format!("the answer has no choices: {body}")))?;
        let message = choice.get("message").filter(|message| message.is_object());
        let message =
            message.ok_or_else(|| self.not_the_protocol(&format!("the choice has no message: {body}")))?;
        let said = said(message).map_err(|what| self.not_the_protocol(&what))?;
        Ok(ChatReply {
            finish: finish(choice.get("finish_reason").and_then(Value::as_str), &said.refusal),
            text: self.transport.without_key(if said.text.is_empty() { said.refusal } else { said.text }),
            reasoning: Some(self.transport.without_key(said.reasoning))
                .filter(|reasoning| !reasoning.is_empty()),
            usage: usage(&body),
            tokens: self.tokens(choice),
            model: body
                .get("model")
                .and_then(Value::as_str)
                .filter(|model| !model.is_empty())
                .map(|model| self.transport.without_key(model.to_owned())),
            cost_usd: body
                .pointer("/usage/cost")
                .and_then(Value::as_f64)
                .filter(|usd| usd.is_finite() && *usd >= 0.0),
        })
    }

    /// The tokens of `choice.logprobs.content`; none if one of them is not as the protocol has it, for the others would
    /// no longer make up the reply.
    fn tokens(&self, choice: &Value) -> Vec<ReplyToken> {
        let content = choice.pointer("/logprobs/content").and_then(Value::as_array);
        let token = |value: &Value| {
            let (text, logprob) = token(value)?;
            let alternatives = value.get("top_logprobs").and_then(Value::as_array);
            let alternatives = alternatives.into_iter().flatten().filter_map(token);
            let hidden = |(text, logprob)| (self.transport.without_key(text), logprob);
            Some(ReplyToken {
                text: self.transport.without_key(text),
                logprob,
                alternatives: alternatives.map(hidden).collect(),
            })
        };
        content.and_then(|tokens| tokens.iter().map(token).collect()).unwrap_or_default()
    }

    /// The server does not speak the protocol; most often the address is another service's.
    fn not_the_protocol(&self, what: &str) -> Refused {
        let message = format!("{}: {}", self.transport.shown_url(), self.transport.words(what));
        Failure::new(FailureKind::Server, message).into()
    }
}

/// Reads `content` (a text, `null`, or parts), `refusal`, and the reasoning under either of its names:
/// `reasoning_content` (DeepSeek, vLLM, llama.cpp) and `reasoning` (OpenRouter, Ollama).
fn said(message: &Value) -> Result<Said, String> {
    let text = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut said = Said { refusal: text("refusal"), ..Said::default() };
    match message.get("content") {
        None | Some(Value::Null) => {}
        Some(Value::String(text)) => said.text.push_str(text),
        Some(Value::Array(parts)) => parts.iter().try_for_each(|part| said.add(part))?,
        Some(other) => return Err(format!("content is neither a text nor a list of parts: {other}")),
    }
    let reasoning = ["reasoning_content", "reasoning"].map(text).into_iter().find(|text| !text.is_empty());
    said.reasoning.push_str(&reasoning.unwrap_or_default());
    Ok(said)
}

impl Said {
    /// Adds a part of a content list. One of a kind that is not known may hold the answer, so it is an error.
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

/// A token's text and log-probability. `bytes` are the text where they are given: a token may end in the middle of a
/// character, which `token` then writes as an escape.
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
        Some("content_filter" | "refusal") => Finish::Refused,
        Some("stop" | "end_turn" | "stop_sequence" | "eos") => Finish::Stop,
        Some("length" | "max_tokens") => Finish::Length,
        other => Finish::Other(other.unwrap_or_default().to_owned()),
    }
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
        let text = |message| said(&message).map(|said| said.text);
        assert_eq!(text(json!({ "content": "a" })), Ok("a".into()));
        assert_eq!(text(json!({ "content": null })), Ok(String::new()));
        assert_eq!(text(json!({})), Ok(String::new()));
        let parts = json!([{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }]);
        assert_eq!(text(json!({ "content": parts })), Ok("ab".into()));
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
            let said = said(&message).unwrap();
            assert_eq!((said.text.as_str(), said.reasoning.as_str()), ("", "hm"));
        }
    }

    #[test]
    fn the_end_is_named() {
        assert_eq!(finish(Some("stop"), ""), Finish::Stop);
        assert_eq!(finish(Some("length"), ""), Finish::Length);
        assert_eq!(finish(Some("content_filter"), ""), Finish::Refused);
        assert_eq!(finish(Some("stop"), "I cannot"), Finish::Refused);
        assert_eq!(finish(Some("tool_calls"), ""), Finish::Other("tool_calls".into()));
        assert_eq!(finish(None, ""), Finish::Other(String::new()));
    }
}
