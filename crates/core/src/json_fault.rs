//! Explains errors in JSON, in words of JSON.

use std::fmt;

use serde_json::error::Category;

/// The value in JSON, and the expected one, as far as the parser knows it. Rust's types are not named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonFault {
    /// The line, from 1; 0 where the parser has lost it.
    pub line: usize,
    /// The value.
    pub found: String,
    /// The expected value.
    pub expected: Option<String>,
}

impl From<&serde_json::Error> for JsonFault {
    fn from(error: &serde_json::Error) -> Self {
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        let (found, expected) = match error.classify() {
            Category::Eof => ("the end of the text inside a JSON value".to_owned(), None),
            Category::Syntax => (format!("invalid JSON: {}", syntax_fault(message)), None),
            Category::Data | Category::Io => found_and_expected(message),
        };
        Self { line: error.line(), found, expected }
    }
}

/// The parser's text without the word that introduces what the reader expects: ``expected `:` ``.
fn syntax_fault(message: &str) -> String {
    match message.strip_prefix("expected ") {
        Some("value") => "no valid value".to_owned(),
        Some("ident") => "not true, false or null".to_owned(),
        Some(missing) => format!("{missing} is missing"),
        None => message.to_owned(),
    }
}

fn found_and_expected(message: &str) -> (String, Option<String>) {
    let stripped = ["invalid type: ", "invalid value: "].iter().find_map(|begin| message.strip_prefix(begin));
    let (found, expected) = message.split_once(", expected ").unwrap_or((message, ""));
    let found = stripped.map_or(found, |_| found.split_once(": ").map_or(found, |(_, found)| found));
    let found = match found {
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        found => found.replacen("integer", "the number", 1).replacen("boolean", "the value", 1),
    };
    let expected = match expected {
        "" => None,
        "a sequence" => Some("a list".to_owned()),
        "a map" => Some("an object".to_owned()),
        "f32" | "f64" => Some("a number".to_owned()),
        rust if rust.starts_with("struct ") => None,
        expected => Some(expected.to_owned()),
    };
    (found, expected)
}

impl fmt::Display for JsonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        write!(f, "found {}", self.found)?;
        self.expected.iter().try_for_each(|expected| write!(f, ", expected {expected}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_is_explained_without_a_second_expectation() {
        for (text, found) in [
            ("{\"a\" 1}", "`:` is missing"),
            ("[1 2]", "`,` or `]` is missing"),
            ("[,]", "no valid value"),
            ("[True]", "no valid value"),
            ("[nul]", "not true, false or null"),
            ("{} {", "trailing characters"),
        ] {
            let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
            assert_eq!(JsonFault::from(&error).found, format!("invalid JSON: {found}"), "{text}");
        }
    }
}
