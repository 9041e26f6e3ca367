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
            Category::Syntax => (format!("no JSON ({message})"), None),
            Category::Data | Category::Io => found_and_expected(message),
        };
        Self { line: error.line(), found, expected }
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
