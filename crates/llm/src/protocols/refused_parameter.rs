//! Finds the parameter that a server refuses, by its message.
//!
//! A refusal may quote the request, documents included, so a parameter's name somewhere in it is not enough. The name
//! has to be in a field made for it, or in one of the sentences that servers begin their refusals with.

use super::{error_body::ErrorBody, parameter::Parameter};

/// The codes of OpenAI and Azure for a parameter that is refused itself, and not only its value.
const CODES: [&str; 3] = ["unsupported_value", "unsupported_parameter", "unknown_parameter"];

/// Sentences that begin a refusal. `{}` is the parameter's name, with or without quotes; `*` is one word.
const SENTENCES: [&str; 24] = [
    // OpenAI, Azure, and OpenRouter, which passes their words on
    "unsupported value: {} does not support",
    "unsupported parameter: {}",
    "unknown parameter: {}",
    "unrecognized request argument supplied: {}",
    "unrecognized request arguments supplied: {}",
    "this model does not support the {} parameter",
    "you are not allowed to request {} from this model",
    "this model has beta-limitations, {}",
    // DeepSeek
    "* does not support the parameter {}",
    // xAI
    "model * does not support parameter {}",
    "argument not supported on this model: {}",
    // Groq
    "property {} is unsupported",
    "{} : property * is unsupported",
    "{} is not supported",
    // Anthropic
    "{} is deprecated for this model",
    "{}: extra inputs are not permitted",
    // Gemini
    "{} is not enabled for",
    "unable to submit request because {} is not supported",
    "invalid json payload received. unknown name {}",
    // Fireworks
    "extra inputs are not permitted, field: {}",
    // llama.cpp
    "unsupported param: {}",
    // vLLM
    "requested sample {} of",
    // servers that read requests with serde
    "unknown field {}",
    "{}: unknown field",
];

/// The messages of templates and servers that support no system role: those of Gemma (vLLM, llama.cpp, Gemini's API),
/// of Mistral's first models, of OpenAI's o1-mini, and of servers that check the roles themselves.
const NO_SYSTEM_ROLE: [&str; 9] = [
    "system role not supported",
    "system role is not supported",
    "system message not supported",
    "system messages are not supported",
    "does not support system messages",
    "does not support 'system' with this model",
    "developer instruction is not enabled for",
    "only user and assistant roles are supported",
    "conversation roles must alternate user/assistant",
];

/// Returns whether a message means that the server supports no system role. A template's message comes inside that of
/// its renderer, so it may be anywhere. If a document contains such a message and is quoted in another refusal, that
/// costs one more request. No lesson is learnt from it, since a lesson counts once a request without the role was
/// answered.
fn refuses_system_role(words: &str) -> bool {
    let words = words.to_ascii_lowercase();
    NO_SYSTEM_ROLE.iter().any(|sentence| words.contains(sentence))
}

/// Returns the parameter that an error refuses, if it is one that was sent. The error's words are already on one line.
pub(super) fn refused_parameter(body: &ErrorBody, sent: &dyn Fn(Parameter) -> bool) -> Option<Parameter> {
    let sent_by_name = |name: &str| Parameter::from_name(name).filter(|parameter| sent(*parameter));
    let words = body.words.split_whitespace().collect::<Vec<_>>().join(" ");
    let blamed = || {
        let parameter = sent_by_name(body.param.as_deref()?)?;
        let by_code = body.codes.iter().any(|code| CODES.contains(&code.as_str()));
        (by_code || says_unsupported(&words)).then_some(parameter)
    };
    let forbidden = || body.forbidden.iter().find_map(|name| sent_by_name(name));
    let said = || SENTENCES.iter().find_map(|sentence| named(sentence, &words).and_then(sent_by_name));
    let inner = || refused_parameter(body.inner.as_deref()?, sent);
    let role = || {
        let role = Parameter::SystemRole;
        (sent(role) && refuses_system_role(&words)).then_some(role)
    };
    blamed()
        .or_else(forbidden)
        .or_else(said)
        .or_else(|| repr(&words).and_then(sent_by_name))
        .or_else(role)
        .or_else(inner)
}

/// Returns whether a message about a parameter named in its field means that the parameter is refused whatever its
/// value.
fn says_unsupported(words: &str) -> bool {
    let words = words.to_ascii_lowercase();
    ["not support", "unsupported", "not permitted", "not allowed", "unrecognized", "unknown", "deprecated"]
        .iter()
        .any(|word| words.contains(word))
}

/// Returns the name in a message that begins like a sentence.
fn named<'a>(sentence: &str, words: &'a str) -> Option<&'a str> {
    let (before, after) = sentence.split_once("{}")?;
    let (name, rest) = name(begins(before, words)?)?;
    begins(after, rest).map(|_| name)
}

/// Returns the rest of a message after a pattern at its beginning, regardless of case.
fn begins<'a>(pattern: &str, words: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        None => {
            let (start, rest) = words.split_at_checked(pattern.len())?;
            start.eq_ignore_ascii_case(pattern).then_some(rest)
        }
        Some((before, after)) => {
            let rest = begins(before, words)?;
            let end = rest.find(' ').filter(|end| *end > 0)?;
            begins(after, rest.get(end..)?)
        }
    }
}

/// Returns the name at the beginning of a message, and the text after it and its quotes.
fn name(words: &str) -> Option<(&str, &str)> {
    let quotes = ['\'', '"', '`'];
    let inside = words.trim_start_matches(quotes);
    let end = inside.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    let (name, rest) = inside.split_at(end.unwrap_or(inside.len()));
    (!name.is_empty()).then(|| (name, rest.trim_start_matches(quotes)))
}

/// Returns the field that vLLM calls unknown: it shows pydantic's complaints as Python does,
/// `[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), …}]`, or with `1 validation error:` before them.
fn repr(words: &str) -> Option<&str> {
    let start = words.find('{')?;
    let (before, complaint) = words.split_at(start);
    let counted = before.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let header = ["", "[", " validation error: ", " validation errors: "].contains(&counted);
    let loc = complaint.strip_prefix("{'type': 'extra_forbidden', 'loc': ('body', '").filter(|_| header)?;
    loc.split_once("')").map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn learnt(body: &Value) -> Option<&'static str> {
        refused_parameter(&ErrorBody::read(body), &|_| true).map(Parameter::name)
    }

    fn openai(message: &str, param: Value, code: Value) -> Value {
        json!({ "error": { "message": message, "type": "invalid_request_error", "param": param, "code": code } })
    }

    fn said(message: &str) -> Value {
        openai(message, Value::Null, Value::Null)
    }

    /// As servers answered, by the issues of their clients and their own documentation: openai-python 1080, litellm
    /// 10957 and 16265, DeepSeek-R1 7, groq-python 25, platform-docs-public of Mistral 7, crewAI 60.
    #[test]
    fn every_servers_refusal_is_understood() {
        let temperature = "Unsupported value: 'temperature' does not support 0 with this model. \
                           Only the default (1) value is supported.";
        let limit = "Unsupported parameter: 'max_tokens' is not supported with this model. Use \
                     'max_completion_tokens' instead.";
        let o1 = "This model has beta-limitations, temperature, top_p and n are fixed at 1, while presence_penalty \
                  and frequency_penalty are fixed at 0.";
        let raw = "{\n  \"error\": {\n    \"message\": \"Unsupported parameter: 'temperature' is not supported with \
                   this model.\",\n    \"type\": \"invalid_request_error\",\n    \"param\": \"temperature\",\n    \
                   \"code\": null\n  }\n}";
        let forbidden =
            |field: &str| json!([{ "type": "extra_forbidden", "loc": ["body", field], "msg": "no" }]);
        let mistral = "{\"detail\":[{\"type\":\"extra_forbidden\",\"loc\":[\"body\",\"seed\"],\"input\":1}]}";
        let vllm =
            "[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'msg': 'Extra inputs are not permitted'}]";
        for (body, parameter) in [
            (openai(temperature, json!("temperature"), json!("unsupported_value")), "temperature"),
            (openai(limit, json!("max_tokens"), json!("unsupported_parameter")), "max_tokens"),
            (openai(o1, Value::Null, json!("unsupported_value")), "temperature"),
            (said("Unrecognized request argument supplied: top_logprobs"), "logprobs"),
            (openai("Unknown parameter: 'seed'.", json!("seed"), json!("unknown_parameter")), "seed"),
            (
                openai(
                    "This model does not support the 'logprobs' parameter.",
                    json!("logprobs"),
                    Value::Null,
                ),
                "logprobs",
            ),
            (said("You are not allowed to request logprobs from this model"), "logprobs"),
            (
                openai(
                    "logprobs are not supported with reasoning models.",
                    json!("include"),
                    json!("unsupported_parameter"),
                ),
                "logprobs",
            ),
            (said("deepseek-reasoner does not support the parameter `temperature`"), "temperature"),
            (
                json!({ "code": "Client specified an invalid argument",
                        "error": "Model grok-4-latest does not support parameter topP." }),
                "top_p",
            ),
            (said("property 'seed' is unsupported, did you mean 'stop'?"), "seed"),
            (said("`logprobs` is not supported with this model"), "logprobs"),
            (said("`temperature` is deprecated for this model."), "temperature"),
            (
                json!({ "error": { "code": 400, "message": "Logprobs is not enabled for models/g" } }),
                "logprobs",
            ),
            (
                json!([{ "error": { "code": 400, "status": "INVALID_ARGUMENT",
                    "message": "Invalid JSON payload received. Unknown name \"seed\": Cannot find field." } }]),
                "seed",
            ),
            (said("Extra inputs are not permitted, field: 'seed', value: 7"), "seed"),
            (json!({ "error": { "code": 400, "message": "Unsupported param: top_p" } }), "top_p"),
            (json!({ "object": "error", "message": vllm, "param": null, "code": 400 }), "seed"),
            (
                said(
                    "1 validation error:\n  {'type': 'extra_forbidden', 'loc': ('body', 'top_p'), 'msg': ''}",
                ),
                "top_p",
            ),
            (said("Requested sample logprobs of 20, which is greater than max allowed: 5"), "logprobs"),
            (json!({ "detail": forbidden("seed") }), "seed"),
            (json!({ "object": "error", "message": { "detail": forbidden("top_p") } }), "top_p"),
            (json!({ "object": "Error", "message": forbidden("temperature"), "code": 3001 }), "temperature"),
            (json!({ "object": "error", "message": mistral, "code": "1000" }), "seed"),
            (
                json!({ "error": { "message": "Provider returned error", "code": 400,
                                   "metadata": { "raw": raw, "provider_name": "OpenAI" } } }),
                "temperature",
            ),
        ] {
            assert_eq!(learnt(&body), Some(parameter), "{body}");
        }
    }

    /// As servers answered: Gemma 2 behind vLLM and llama.cpp (with its template's exception), Gemma 3 at Gemini's API,
    /// OpenAI's o1-mini, Mistral 7B 0.1 behind vLLM.
    #[test]
    fn a_refused_system_role_is_understood() {
        for body in [
            said("System role not supported"),
            json!({ "object": "error", "message": "System role not supported", "code": 400 }),
            said(
                "\n------------\nWhile executing CallExpression at line 1, column 68 in source:\n...\nError: Jinja \
                  Exception: System role not supported",
            ),
            json!([{ "error": { "code": 400, "status": "INVALID_ARGUMENT",
                                "message": "Developer instruction is not enabled for models/gemma-3-27b-it" } }]),
            openai(
                "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
                json!("messages[0].role"),
                json!("unsupported_value"),
            ),
            said("Conversation roles must alternate user/assistant/user/assistant/..."),
        ] {
            assert_eq!(learnt(&body), Some("system role"), "{body}");
        }
    }

    #[test]
    fn a_message_that_quotes_what_was_sent_teaches_nothing() {
        let quoted = "Unsupported value: 'temperature' does not support 0 with this model.";
        for message in [
            format!("the prompt was flagged: {quoted}"),
            format!("messages[1].content: {quoted}"),
            "this document about temperature, seed, top_p, logprobs and max_tokens is too long".into(),
            "max_tokens is too large: 100000. This model supports at most 16384 completion tokens".into(),
            "use max_completion_tokens".into(),
            format!("bad input [{{'type': 'extra_forbidden', 'loc': ('body', 'seed')}}] {quoted}"),
        ] {
            assert_eq!(learnt(&said(&message)), None, "{message}");
            assert_eq!(learnt(&openai(&message, json!("messages"), json!("unsupported_value"))), None);
        }
        let quoting = json!([{ "type": "string_too_long", "loc": ["body", "messages"], "input": quoted },
            { "type": "extra_forbidden", "loc": ["body", "messages", "seed"], "input": quoted }]);
        assert_eq!(learnt(&json!({ "detail": quoting })), None);
    }

    #[test]
    fn a_wrong_value_of_a_parameter_does_not_make_it_an_unknown_one() {
        let too_hot =
            "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.";
        let too_long =
            "max_tokens is too large: 100000. This model supports at most 16384 completion tokens.";
        for (message, param, code) in [
            (too_hot, "temperature", json!("decimal_above_max_value")),
            (too_long, "max_tokens", Value::Null),
        ] {
            assert_eq!(learnt(&openai(message, json!(param), code)), None, "{message}");
        }
    }

    #[test]
    fn what_was_not_sent_is_not_to_blame() {
        let body = ErrorBody::read(&said("Unknown parameter: 'seed'."));
        assert_eq!(refused_parameter(&body, &|parameter| parameter != Parameter::Seed), None);
        assert_eq!(learnt(&said("Unknown parameter: 'reasoning_effort'.")), None);
    }
}
