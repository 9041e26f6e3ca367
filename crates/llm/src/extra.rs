//! Fields that a study adds to the body of every request.

use serde_json::{Map, Value};

use crate::provider::{Provider, Wire};

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

/// Checks that none of these fields is one that llull sets itself in requests to a provider.
///
/// # Errors
/// Returns the first that is.
///
/// ```
/// use llull_llm::{ExtraFields, check_extra, split_name};
///
/// let (provider, _) = split_name("openai/gpt-4o-mini")?;
/// let fields = |name: &str| ExtraFields::from_iter([(name.to_owned(), "low".into())]);
/// assert!(check_extra(&fields("reasoning_effort"), provider).is_ok());
/// assert!(check_extra(&fields("model"), provider).is_err());
/// # Ok::<(), llull_llm::ModelError>(())
/// ```
pub fn check_extra(extra: &ExtraFields, provider: &Provider) -> Result<(), ReservedField> {
    let inside = |name: &'static str| {
        let fields = extra.get(name).and_then(Value::as_object).into_iter().flatten();
        fields.filter_map(move |(field, _)| Some((format!("{name}.{field}"), reserved_inside(name, field)?)))
    };
    let top = extra.keys().filter_map(|field| Some((field.clone(), reserved(field, provider.wire)?)));
    let mut all = top.chain(OBJECTS.into_iter().flat_map(inside));
    all.next().map_or(Ok(()), |(field, reason)| Err(ReservedField { field, reason }))
}

/// The objects of requests that have fields of llull and may have others of a study (Anthropic, Gemini, Bedrock).
const OBJECTS: [&str; 4] = ["output_config", "generationConfig", "inferenceConfig", "outputConfig"];

const MESSAGES: &str = "the prompt and the rubric make the messages";

const FORM: &str = "the form of an answer follows from the prompt";

/// Returns why a field of a request's body is reserved, if it is.
fn reserved(field: &str, wire: Wire) -> Option<&'static str> {
    let gemini = matches!(wire, Wire::Gemini | Wire::Vertex);
    Some(match field {
        "model" => "the model is what `model` says",
        "messages" => MESSAGES,
        "system" if matches!(wire, Wire::Anthropic | Wire::Bedrock) => MESSAGES,
        "contents" | "systemInstruction" if gemini => MESSAGES,
        "stream" | "stream_options" => "llull reads whole replies",
        "tools" | "tool_choice" | "toolConfig" => "llull gives the model no tools",
        field => return reserved_anywhere(field),
    })
}

/// Returns why a field of an object is reserved, if it is.
fn reserved_inside(object: &str, field: &str) -> Option<&'static str> {
    match (object, field) {
        ("output_config", "format") => Some(FORM),
        (_, field) => reserved_anywhere(field),
    }
}

fn reserved_anywhere(field: &str) -> Option<&'static str> {
    Some(match field {
        "n" | "candidateCount" => "each question gets one reply",
        "temperature" => "set `temperature`",
        "top_p" | "topP" => "set `top_p`",
        "seed" | "random_seed" => "set `seed`",
        "max_tokens" | "max_completion_tokens" | "maxOutputTokens" | "maxTokens" => {
            "set `max_tokens`, which is sent under the name that the server takes"
        }
        "response_format" | "textFormat" | "responseMimeType" | "responseJsonSchema" | "responseSchema" => {
            FORM
        }
        "logprobs" | "top_logprobs" | "responseLogprobs" => "set `logprobs`",
        _ => return None,
    })
}
