//! The form of an answer, as data for servers that enforce it.

use llull_core::Scale;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What an answer consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AnswerKind {
    /// `facets_covered`, `facets_missing`, `rationale`, then `grade`.
    #[serde(rename = "reasoned")]
    Reasoned,
    /// `grade` alone.
    #[serde(rename = "grade")]
    GradeOnly,
}

impl AnswerKind {
    /// The name that template files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reasoned => "reasoned",
            Self::GradeOnly => "grade",
        }
    }

    /// The keys of the answer in the order in which it is to be written: the grade comes last, so that a model which
    /// writes from left to right has reasoned before it decides.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Reasoned => &["facets_covered", "facets_missing", "rationale", "grade"],
            Self::GradeOnly => &["grade"],
        }
    }
}

/// The JSON schema of an answer, in the subset that OpenAI's strict mode accepts (and llama.cpp, vLLM and Ollama
/// understand): an object, nothing but the required keys, the grade one of the scale's whole numbers.
///
/// ```
/// use llull_core::Scale;
/// use llull_judge::{AnswerKind, answer_schema};
///
/// let schema = answer_schema(AnswerKind::GradeOnly, Scale::default());
/// assert_eq!(schema["properties"]["grade"]["enum"], serde_json::json!([0, 1, 2, 3]));
/// ```
pub fn answer_schema(kind: AnswerKind, scale: Scale) -> Value {
    let properties: serde_json::Map<String, Value> = kind
        .keys()
        .iter()
        .map(|&key| {
            let property = match key {
                "grade" => json!({"type": "integer", "enum": scale.grades().collect::<Vec<_>>()}),
                "rationale" => json!({"type": "string"}),
                _ => json!({"type": "array", "items": {"type": "string"}}),
            };
            (key.to_owned(), property)
        })
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": kind.keys(),
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasoning_stands_before_the_grade() {
        let schema = answer_schema(AnswerKind::Reasoned, Scale::new(1, 5).unwrap());
        let text = schema.to_string();
        let places: Vec<_> =
            AnswerKind::Reasoned.keys().iter().map(|key| text.find(&format!("\"{key}\":{{"))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
        assert_eq!(schema["required"], json!(["facets_covered", "facets_missing", "rationale", "grade"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["grade"], json!({"type": "integer", "enum": [1, 2, 3, 4, 5]}));
    }
}
