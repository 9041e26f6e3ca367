//! Vectors of texts, in OpenAI's form and in Cohere's.

use axum::response::{IntoResponse, Response};
use llull_core::SplitMix64;
use serde_json::{Value, json};

/// How many numbers a vector has.
const DIMENSIONS: usize = 32;

/// Returns the texts that a request wants vectors of.
pub(super) fn texts(body: &Value) -> Option<Vec<&str>> {
    let texts = body.get("input").or_else(|| body.get("texts"))?.as_array()?;
    texts.iter().map(Value::as_str).collect()
}

/// Returns the vectors of these texts, in OpenAI's form from the last to the first: only the index counts.
pub(super) fn embedded(body: &Value, texts: &[&str]) -> Response {
    let vectors = texts.iter().map(|text| vector(text));
    let answer = if body.get("texts").is_some() {
        json!({ "id": "e", "embeddings": { "float": vectors.collect::<Vec<_>>() } })
    } else {
        let data = vectors
            .enumerate()
            .map(|(index, vector)| json!({ "object": "embedding", "index": index, "embedding": vector }));
        json!({ "object": "list", "model": "faulty-1", "data": data.rev().collect::<Vec<_>>() })
    };
    axum::Json(answer).into_response()
}

/// Counts a text's words, each at a place that follows from its letters.
fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSIONS];
    for word in
        text.to_lowercase().split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
    {
        let mixed = word.bytes().fold(0, |mixed, byte| SplitMix64::mix(mixed ^ u64::from(byte)));
        vector[mixed as usize % DIMENSIONS] += 1.0;
    }
    vector
}
