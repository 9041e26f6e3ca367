//! Fills placeholders such as `{query}`, `{k}` and `{vector}`.

use serde_json::Value;

use super::protocol::AskedQuery;

/// The values of placeholders, by name. An option with null is not set.
pub(super) struct Values<'a> {
    pub(super) asked: Vec<(&'static str, Value)>,
    pub(super) options: &'a [(&'static str, Value)],
}

/// Returns the values of `{query}`, `{k}` and `{vector}`.
pub(super) fn asked_values(query: &AskedQuery<'_>) -> Vec<(&'static str, Value)> {
    vec![("query", query.text.into()), ("k", query.k.into()), ("vector", vector(query))]
}

/// Returns a query's vector as JSON.
pub(super) fn vector(query: &AskedQuery<'_>) -> Value {
    query.vector.unwrap_or_default().iter().map(|value| Value::from(*value)).collect()
}

enum Piece<'a> {
    Text(&'a str),
    Value(&'a Value),
}

/// Splits a text at its placeholders. It is read once, so that a query with the text `{k}` stays a query.
fn pieces<'a>(
    text: &'a str,
    values: impl Iterator<Item = &'a (&'static str, Value)> + Clone,
) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let first = |rest: &str| {
        let found =
            values.clone().filter_map(|(name, value)| Some((place(rest, name)?, name.len() + 2, value)));
        found.min_by_key(|(at, ..)| *at)
    };
    while let Some((at, length, value)) = first(rest) {
        let (before, from) = rest.split_at(at);
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        pieces.push(Piece::Value(value));
        rest = from.get(length..).unwrap_or_default();
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

/// Returns where the first placeholder of a name begins.
fn place(text: &str, name: &str) -> Option<usize> {
    let placed = |(at, _): &(usize, &str)| {
        text.get(at + 1..).and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| rest.starts_with('}'))
    };
    text.match_indices('{').find(placed).map(|(at, _)| at)
}

/// Whether a text somewhere in a value contains this placeholder.
pub(super) fn says(value: &Value, placeholder: &str) -> bool {
    match value {
        Value::String(text) => text.contains(placeholder),
        Value::Array(values) => values.iter().any(|value| says(value, placeholder)),
        Value::Object(fields) => fields.values().any(|value| says(value, placeholder)),
        _ => false,
    }
}

/// Fills a JSON value; `None` if it is the placeholder of an option that is not set. A text that is one placeholder
/// becomes its value: a text, a number, a list. In a longer text, the value becomes a part of the text. Values are
/// never read as JSON. Names of fields may contain options, too.
pub(super) fn filled(value: &Value, values: &Values<'_>) -> Option<Value> {
    let all = values.asked.iter().chain(values.options);
    Some(match value {
        Value::String(text) => match pieces(text, all).as_slice() {
            [Piece::Value(Value::Null)] => return None,
            [Piece::Value(value)] => (*value).clone(),
            pieces => joined(pieces, word).into(),
        },
        Value::Array(list) => list.iter().filter_map(|value| filled(value, values)).collect(),
        Value::Object(fields) => {
            let name = |name: &str| joined(&pieces(name, values.options.iter()), word);
            let fields = fields.iter();
            Value::Object(
                fields.filter_map(|(field, value)| Some((name(field), filled(value, values)?))).collect(),
            )
        }
        other => other.clone(),
    })
}

/// Fills a text, each value written in words.
pub(super) fn filled_text(text: &str, values: &Values<'_>, to_text: impl Fn(&Value) -> String) -> String {
    joined(&pieces(text, values.asked.iter().chain(values.options)), to_text)
}

fn joined(pieces: &[Piece<'_>], to_text: impl Fn(&Value) -> String) -> String {
    let piece = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => (*text).to_owned(),
        Piece::Value(value) => to_text(value),
    };
    pieces.iter().map(piece).collect()
}

/// Returns a value as a part of a text.
pub(super) fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use llull_core::percent_encoded;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn values<'a>(text: &str, options: &'a [(&'static str, Value)]) -> Values<'a> {
        Values { asked: asked_values(&AskedQuery { text, vector: Some(&[0.5, -1.0]), k: 7 }), options }
    }

    #[test]
    fn what_stands_alone_keeps_its_kind() {
        let template = json!(
            {"q": "{query}", "n": "{k}", "v": ["{vector}"], "y": "text:{query} {k} {vector}", "{k}": 1}
        );
        let filled = filled(&template, &values("a \"b\" {k}", &[])).unwrap();
        let expected = json!(
            {"q": "a \"b\" {k}", "n": 7, "v": [[0.5, -1.0]], "y": "text:a \"b\" {k} 7 [0.5,-1.0]", "{k}": 1}
        );
        assert_eq!(filled, expected);
    }

    #[test]
    fn an_option_that_is_not_given_is_left_out() {
        let options = [("field", "{query}".into()), ("tenant", Value::Null)];
        let template = json!({"{field}": {"in": "{{field}}", "tenant": "{tenant}"}, "none": null});
        let expected = json!({"{query}": {"in": "{{query}}"}, "none": null});
        assert_eq!(filled(&template, &values("a", &options)), Some(expected));
    }

    #[test]
    fn an_address_is_encoded() {
        let filled = filled_text("http://h/s?q={query}&n={k}", &values("a&b=ü/{k}", &[]), |value| {
            percent_encoded(&word(value))
        });
        assert_eq!(filled, "http://h/s?q=a%26b%3D%C3%BC%2F%7Bk%7D&n=7");
    }

    proptest! {
        /// Whatever the query, it is one text of the request.
        #[test]
        fn a_query_stays_a_text(text in "\\PC*|[\"\\\\{}\\[\\]:,\u{0}-\u{1f}]*") {
            let sent = filled(&json!({"q": "{query}"}), &values(&text, &[])).unwrap().to_string();
            let read: Value = serde_json::from_str(&sent).unwrap();
            prop_assert_eq!(read, json!({"q": text}));
        }
    }
}
