//! The keys and the schema of a grade.

use llull_core::Scale;
use serde_json::{Value, json};

/// The keys of an answer that is a grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GradeKind {
    /// `facets_covered`, `facets_missing`, `rationale`, then `grade`.
    Reasoned,
    /// `grade` alone.
    GradeOnly,
}

impl GradeKind {
    /// Returns the name that template files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reasoned => "reasoned",
            Self::GradeOnly => "grade",
        }
    }

    /// Returns the keys of the answer in the order in which they are written: the grade comes last, so that a
    /// model, which writes from left to right, has reasoned before it decides.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Reasoned => &["facets_covered", "facets_missing", "rationale", "grade"],
            Self::GradeOnly => &["grade"],
        }
    }
}

/// Returns the JSON schema of a grade, in the subset that OpenAI's strict mode accepts (and llama.cpp, vLLM and
/// Ollama understand): an object, nothing but the required keys, the grade one of the scale's whole numbers.
///
/// ```
/// use llull_core::Scale;
/// use llull_judge::{GradeKind, grade_schema};
///
/// let schema = grade_schema(GradeKind::GradeOnly, Scale::default());
/// assert_eq!(schema["properties"]["grade"]["enum"], serde_json::json!([0, 1, 2, 3]));
/// ```
pub fn grade_schema(kind: GradeKind, scale: Scale) -> Value {
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
        let schema = grade_schema(GradeKind::Reasoned, Scale::new(1, 5).unwrap());
        let text = schema.to_string();
        let places: Vec<_> =
            GradeKind::Reasoned.keys().iter().map(|key| text.find(&format!("\"{key}\":{{"))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
        assert_eq!(schema["required"], json!(["facets_covered", "facets_missing", "rationale", "grade"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["grade"], json!({"type": "integer", "enum": [1, 2, 3, 4, 5]}));
    }
}
