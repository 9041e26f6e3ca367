//! Detects from a server's error that it refuses this one text.
//!
//! The reason is a content filter, or a request that is too long. Such an error is no evidence about the judge, and
//! the same request would be refused again.

use llull_core::FailureKind;

use super::error_body::ErrorBody;

/// Codes and types of content filters: Azure and Moonshot (`content_filter`), OpenAI's policies, OpenRouter
/// (`refusal`), Alibaba (`data_inspection_failed`), Zhipu (`1301`).
const FILTER_CODES: [&str; 13] = [
    "content_filter",
    "content_policy_violation",
    "responsibleaipolicyviolation",
    "invalid_prompt",
    "cyber_policy",
    "bio_policy",
    "misalignment_policy_violation",
    "moderation_blocked",
    "refusal",
    "data_inspection_failed",
    "datainspectionfailed",
    "guardrail_intervened",
    "1301",
];

/// Sentences of content filters without a code: Azure, Anthropic, DeepSeek, Alibaba, Gemini.
const FILTER_WORDS: [&str; 7] = [
    "content management policy",
    "blocked by content filtering policy",
    "content exists risk",
    "inappropriate content",
    "blocked by our usage policies",
    "prohibited_content",
    "content_filter",
];

/// Codes and types of requests that are too long: OpenAI and Groq, llama.cpp, Anthropic.
const LENGTH_CODES: [&str; 5] = [
    "context_length_exceeded",
    "exceed_context_size_error",
    "string_above_max_length",
    "request_too_large",
    "model_context_window_exceeded",
];

/// Sentences about requests that are too long: OpenAI, Mistral, DeepSeek and vLLM ("maximum context length"),
/// Anthropic ("prompt is too long"), Bedrock ("Input is too long for requested model"), Ollama ("the input length
/// exceeds the context length"), llama.cpp ("exceeds the available context size"), Gemini ("The input token count
/// (1) exceeds the maximum number of tokens allowed (0)"), SGLang ("longer than the model's context length").
const LENGTH_WORDS: [&str; 9] = [
    "maximum context length",
    "prompt is too long",
    "input is too long",
    "exceeds the context length",
    "the model's context length",
    "exceeds the available context size",
    "exceeds the maximum number of tokens allowed",
    "context length exceeded",
    "context window",
];

/// Returns the kind of refusal that an error with this status is, or `None` if it is another error.
pub(super) fn refused_text(status: u16, body: &ErrorBody) -> Option<FailureKind> {
    // Other statuses speak of keys, models, rates and the server.
    match status {
        400 | 403 | 422 | 451 if is_filtered(body) => Some(FailureKind::Refused),
        413 => Some(FailureKind::TooLong),
        400 | 422 if is_too_long(body) => Some(FailureKind::TooLong),
        // vLLM and llama.cpp behind some routers.
        500 if has_code(body, &LENGTH_CODES) => Some(FailureKind::TooLong),
        _ => None,
    }
}

fn is_filtered(body: &ErrorBody) -> bool {
    body.filtered || has_code(body, &FILTER_CODES) || says(body, &FILTER_WORDS)
}

fn is_too_long(body: &ErrorBody) -> bool {
    // A limit of the reply that is above the model's own would be refused for every text.
    let blames_the_limit = body.param.as_deref().is_some_and(|param| param.starts_with("max_"));
    has_code(body, &LENGTH_CODES) || (!blames_the_limit && says(body, &LENGTH_WORDS))
}

fn has_code(body: &ErrorBody, known: &[&str]) -> bool {
    let of_body = body.codes.iter().any(|code| known.contains(&code.to_ascii_lowercase().as_str()));
    of_body || body.inner.as_deref().is_some_and(|inner| has_code(inner, known))
}

fn says(body: &ErrorBody, known: &[&str]) -> bool {
    let words = body.words.to_lowercase();
    known.iter().any(|phrase| words.contains(phrase))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn kind(status: u16, body: &Value) -> Option<FailureKind> {
        refused_text(status, &ErrorBody::read(body))
    }

    /// The bodies are those of the servers, as their documentation and users' bug reports show them.
    #[test]
    fn every_filters_error_is_a_refusal_of_the_text() {
        let azure = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. \
            Please modify your prompt and retry.";
        let azure_result = json!({ "violence": { "filtered": true, "severity": "medium" } });
        let raw = json!({ "error": { "message": "x", "code": "content_filter" } }).to_string();
        for body in [
            json!({ "error": { "message": azure, "type": null, "param": "prompt", "code": "content_filter",
                "status": 400, "innererror": { "code": "ResponsibleAIPolicyViolation",
                "content_filter_result": azure_result } } }),
            json!({ "error": { "message": "x", "inner_error": { "content_filter_results": azure_result } } }),
            json!({ "error": { "message": "Invalid prompt: your prompt was flagged", "code": "invalid_prompt" } }),
            json!({ "error": { "message": "x", "type": "cyber_policy", "code": null } }),
            json!({ "error": { "message": "Content Exists Risk", "type": "invalid_request_error",
                "code": "invalid_request_error" } }),
            json!({ "type": "error", "error": { "type": "invalid_request_error",
                "message": "Output blocked by content filtering policy" }, "request_id": "req_1" }),
            json!({ "error": { "code": "data_inspection_failed",
                "message": "Input data may contain inappropriate content." } }),
            json!({ "error": { "code": 400, "message": "Provider returned error", "metadata": { "raw": raw } } }),
            json!({ "error": { "code": 400, "message": "x", "metadata": { "error_type": "refusal" } } }),
            json!({ "error": { "code": 403, "message": "x", "metadata": { "flagged_input": "…" } } }),
            json!({ "error": { "code": 403, "message": "x", "metadata": { "patterns": ["p"] } } }),
            json!({ "error": { "code": 1301, "message": "x" } }),
            json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" } }),
        ] {
            assert_eq!(kind(400, &body), Some(FailureKind::Refused), "{body}");
            assert_eq!(kind(401, &body), None, "{body}");
        }
    }

    #[test]
    fn every_servers_words_for_a_text_that_is_too_long_are_known() {
        for message in [
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
            "prompt is too long: 209999 tokens > 200000 maximum",
            "Input is too long for requested model.",
            "the input length exceeds the context length",
            "the request exceeds the available context size. try increasing the context size",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
            "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
        ] {
            let body = json!({ "error": { "message": message, "type": "invalid_request_error" } });
            assert_eq!(kind(400, &body), Some(FailureKind::TooLong), "{message}");
        }
        let llama = json!({ "error": { "code": 400, "message": "x", "type": "exceed_context_size_error",
            "n_prompt_tokens": 9000, "n_ctx": 4096 } });
        assert_eq!(kind(400, &llama), Some(FailureKind::TooLong));
        assert_eq!(kind(413, &json!("payload too large")), Some(FailureKind::TooLong));
    }

    #[test]
    fn an_error_that_every_text_would_meet_is_the_judges() {
        for (status, body) in [
            (
                400,
                json!({ "error": { "message": "max_tokens is too large: 100000. This model's maximum context \
                length is 4096", "param": "max_tokens" } }),
            ),
            (
                400,
                json!({ "error": { "message": "Unsupported value: 'temperature'", "param": "temperature" } }),
            ),
            (400, json!({ "error": { "message": "no such thing", "code": null } })),
            (403, json!({ "error": { "message": "the key has no access to this model" } })),
            (429, json!({ "error": { "message": "maximum context length", "code": "rate_limit_exceeded" } })),
            (500, json!({ "error": { "message": "content_filter is down" } })),
        ] {
            assert_eq!(kind(status, &body), None, "{status} {body}");
        }
    }
}
