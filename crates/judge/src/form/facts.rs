//! The form of an answer that is the facts of a text.

use serde_json::{Value, json};

/// The most facts that a prompt requests, and that are read, of one text.
pub const MOST_FACTS: usize = 20;

/// Returns the JSON schema of the facts of a text, in the subset that OpenAI's strict mode accepts. How many there may
/// be is no part of that subset.
pub fn facts_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
        "required": ["facts"],
        "additionalProperties": false,
    })
}
