//! Fields that a study adds to the body of every request.

use serde_json::{Map, Value};

/// Fields that a study adds to the body of every request, such as `reasoning_effort`.
pub type ExtraFields = Map<String, Value>;

/// A field that cannot be added to a request, because llull sets it itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` cannot stand in `extra`: {reason}")]
pub struct ReservedField {
    /// The field.
    pub field: String,
    /// The reason, and advice.
    pub reason: &'static str,
}

/// Checks that none of these fields is one that llull sets itself.
///
/// # Errors
/// Returns the first that is.
///
/// ```
/// use llull_llm::{ExtraFields, check_extra};
///
/// let fields = |name: &str| ExtraFields::from_iter([(name.to_owned(), "low".into())]);
/// assert!(check_extra(&fields("reasoning_effort")).is_ok());
/// assert!(check_extra(&fields("model")).is_err());
/// ```
pub fn check_extra(extra: &ExtraFields) -> Result<(), ReservedField> {
    let inside = |name: &'static str| {
        let fields = extra.get(name).and_then(Value::as_object).into_iter().flatten();
        fields.map(move |(field, _)| (format!("{name}.{field}"), field))
    };
    let own = extra.keys().map(|field| (field.clone(), field));
    let mut all = own.chain(OBJECTS.into_iter().flat_map(inside));
    let reserved = all.find_map(|(shown, field)| Some((shown, reserved(field)?)));
    reserved.map_or(Ok(()), |(field, reason)| Err(ReservedField { field, reason }))
}

/// The objects of requests that have fields of llull and may have others of a study (Anthropic, Gemini, Bedrock).
const OBJECTS: [&str; 4] = ["output_config", "generationConfig", "inferenceConfig", "outputConfig"];

fn reserved(field: &str) -> Option<&'static str> {
    Some(match field {
        "model" => "the model is what `model` says",
        "messages" | "system" | "contents" | "systemInstruction" => {
            "the prompt and the rubric make the messages"
        }
        "stream" | "stream_options" => "llull reads whole replies",
        "n" | "candidateCount" => "each question gets one reply",
        "temperature" => "set `temperature`",
        "top_p" | "topP" => "set `top_p`",
        "seed" | "random_seed" => "set `seed`",
        "max_tokens" | "max_completion_tokens" | "maxOutputTokens" | "maxTokens" => {
            "set `max_tokens`, which is sent under the name that the server takes"
        }
        "response_format" | "format" | "textFormat" | "responseMimeType" | "responseJsonSchema"
        | "responseSchema" => "the form of an answer follows from the prompt",
        "logprobs" | "top_logprobs" | "responseLogprobs" => "set `logprobs`",
        _ => return None,
    })
}
