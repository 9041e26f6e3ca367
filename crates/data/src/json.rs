//! JSON, parsed without copying more than necessary.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Deserializer, de};
use serde_json::error::Category;

use llull_core::JsonFault;

use crate::{DataError, LineError, error::quoted, lines::Line};

/// A string that borrows from the line unless it holds an escape. (serde's own `Option<Cow<str>>` always
/// copies.)
pub(crate) struct Text<'a>(pub(crate) Cow<'a, str>);

/// An identifier: a string, or a whole number as it is written.
pub(crate) struct Id<'a>(pub(crate) Cow<'a, str>);

struct TextVisitor {
    numbers: bool,
}

impl<'de> de::Visitor<'de> for TextVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.numbers { "a string or a whole number" } else { "a string" })
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
        if self.numbers {
            return Ok(Cow::Owned(number.to_string()));
        }
        Err(E::invalid_type(de::Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
        if self.numbers {
            return Ok(Cow::Owned(number.to_string()));
        }
        Err(E::invalid_type(de::Unexpected::Signed(number), &self))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor { numbers: false }).map(Self)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Id<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor { numbers: true }).map(Self)
    }
}

/// An identifier that outlives the text.
pub(crate) struct OwnedId(pub(crate) String);

impl<'de> Deserialize<'de> for OwnedId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Id::deserialize(deserializer).map(|id| Self(id.0.into_owned()))
    }
}

/// Parses a whole file as one JSON value. An error names the line, and the path to the value.
pub(crate) fn parse_whole<'a, T: Deserialize<'a>>(
    text: &'a str,
    file: &str,
    expected: &str,
) -> Result<T, DataError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| whole_error(error.inner(), &error.path().to_string(), file, expected))?;
    deserializer.end().map_err(|error| whole_error(&error, "", file, expected))?;
    Ok(value)
}

/// Returns the error of a whole file, with its line, and the path to the value.
pub(crate) fn whole_error(error: &serde_json::Error, path: &str, file: &str, expected: &str) -> DataError {
    let JsonFault { found, expected: instead, .. } = error.into();
    let place = match path {
        "" | "." | "?" if error.is_syntax() => format!(", at character {}", error.column()),
        "" | "." | "?" => String::new(),
        path => format!(" in {path}"),
    };
    DataError::from(LineError {
        file: file.to_owned(),
        line: error.line() as u64,
        column: None,
        found: format!("{found}{place}"),
        expected: instead.unwrap_or_else(|| expected.to_owned()),
        remedy: remedy(error, "file").unwrap_or_default(),
    })
}

/// Returns advice about invalid JSON; `None` about JSON of another form.
fn remedy(error: &serde_json::Error, whole: &str) -> Option<String> {
    match error.classify() {
        Category::Eof => Some(format!("Is the {whole} whole?")),
        Category::Syntax => Some("Correct it there".to_owned()),
        Category::Data | Category::Io => None,
    }
}

/// Parses a line as one JSON object.
pub(crate) fn parse<'a, T: Deserialize<'a>>(line: &Line<'a>, expected: &str) -> Result<T, DataError> {
    parse_seed(line, expected, std::marker::PhantomData)
}

/// Parses a line as one JSON object, by `seed`.
pub(crate) fn parse_seed<'a, S: de::DeserializeSeed<'a>>(
    line: &Line<'a>,
    expected: &str,
    seed: S,
) -> Result<S::Value, DataError> {
    let mut deserializer = serde_json::Deserializer::from_str(line.text);
    let parsed = seed.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    parsed.map_err(|error| {
        // serde_json counts lines within the text that it was given, which is one line.
        let JsonFault { found, expected: instead, .. } = (&error).into();
        let instead = instead.map(|instead| format!(" in place of {instead}")).unwrap_or_default();
        line.wrong(
            None,
            format!("{} ({found}{instead}, at character {})", quoted(line.text), error.column()),
            expected,
            no_number(line.text, &error).or(remedy(&error, "line").as_deref()).unwrap_or("Correct the line"),
        )
    })
}

/// Returns the remedy for what Python writes of a missing number, if that may be the fault.
pub(crate) fn no_number(text: &str, error: &serde_json::Error) -> Option<&'static str> {
    let is_there = error.is_syntax() && ["NaN", "Infinity"].iter().any(|word| text.contains(word));
    is_there.then_some("NaN and Infinity are no JSON: write null")
}
