//! Texts in which `{query}`, `{k}` and `{vector}` stand for what is asked.

use serde_json::Value;

use super::protocol::AskedQuery;

/// A part of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    /// It stands for itself.
    Text(String),
    /// The query.
    Query,
    /// How many results are wanted.
    K,
    /// The query's vector.
    Vector,
}

const NAMES: [(&str, Piece); 3] = [("{query}", Piece::Query), ("{k}", Piece::K), ("{vector}", Piece::Vector)];

/// Takes a text apart. It is read once, so that a query which says `{k}` is a query.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let first = |rest: &str| {
        let found = NAMES.iter().filter_map(|(name, piece)| Some((rest.find(name)?, *name, piece.clone())));
        found.min_by_key(|(at, ..)| *at)
    };
    while let Some((at, name, piece)) = first(rest) {
        let (before, from) = rest.split_at(at);
        if !before.is_empty() {
            pieces.push(Piece::Text(before.to_owned()));
        }
        pieces.push(piece);
        rest = from.get(name.len()..).unwrap_or_default();
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    pieces
}

/// Whether a value says this placeholder anywhere in a text of it.
pub(super) fn says(value: &Value, wanted: &Piece) -> bool {
    match value {
        Value::String(text) => pieces(text).contains(wanted),
        Value::Array(values) => values.iter().any(|value| says(value, wanted)),
        Value::Object(fields) => fields.values().any(|value| says(value, wanted)),
        _ => false,
    }
}

/// Fills a JSON value. A text that is one placeholder becomes what that stands for: a text, a number, a list of
/// numbers. In a longer text, it becomes a part of the text. What is filled in is never read as JSON.
pub(super) fn filled(value: &Value, query: &AskedQuery<'_>) -> Value {
    match value {
        Value::String(text) => match pieces(text).as_slice() {
            [Piece::Query] => Value::from(query.text),
            [Piece::K] => Value::from(query.k),
            [Piece::Vector] => vector(query),
            pieces => Value::from(pieces.iter().map(|piece| word(piece, query)).collect::<String>()),
        },
        Value::Array(values) => values.iter().map(|value| filled(value, query)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), filled(value, query))).collect())
        }
        other => other.clone(),
    }
}

/// Fills an address: what is filled in is percent-encoded.
pub(super) fn filled_address(pieces: &[Piece], query: &AskedQuery<'_>) -> String {
    let encoded = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        other => percent_encoded(&word(other, query)),
    };
    pieces.iter().map(encoded).collect()
}

/// Returns a query's vector as JSON.
pub(super) fn vector(query: &AskedQuery<'_>) -> Value {
    query.vector.unwrap_or_default().iter().map(|value| Value::from(*value)).collect()
}

fn word(piece: &Piece, query: &AskedQuery<'_>) -> String {
    match piece {
        Piece::Text(text) => text.clone(),
        Piece::Query => query.text.to_owned(),
        Piece::K => query.k.to_string(),
        Piece::Vector => vector(query).to_string(),
    }
}

/// Returns a text as a part of an address: all but RFC 3986's unreserved characters as `%` and two digits.
pub(super) fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn query(text: &str) -> AskedQuery<'_> {
        AskedQuery { text, vector: Some(&[0.5, -1.0]), k: 7 }
    }

    #[test]
    fn what_stands_alone_keeps_its_kind() {
        let template = json!(
            {"q": "{query}", "n": "{k}", "v": ["{vector}"], "y": "text:{query} {k} {vector}", "{k}": 1}
        );
        let filled = filled(&template, &query("a \"b\" {k}"));
        let expected = json!(
            {"q": "a \"b\" {k}", "n": 7, "v": [[0.5, -1.0]], "y": "text:a \"b\" {k} 7 [0.5,-1.0]", "{k}": 1}
        );
        assert_eq!(filled, expected);
    }

    #[test]
    fn an_address_is_encoded() {
        let pieces = pieces("http://h/s?q={query}&n={k}");
        assert_eq!(filled_address(&pieces, &query("a&b=ü/{k}")), "http://h/s?q=a%26b%3D%C3%BC%2F%7Bk%7D&n=7");
    }

    proptest! {
        /// Whatever a query says, it is one text of the request.
        #[test]
        fn a_query_stays_a_text(text in "\\PC*|[\"\\\\{}\\[\\]:,\u{0}-\u{1f}]*") {
            let sent = filled(&json!({"q": "{query}"}), &query(&text)).to_string();
            let read: Value = serde_json::from_str(&sent).unwrap();
            prop_assert_eq!(read, json!({"q": text}));
        }
    }
}
