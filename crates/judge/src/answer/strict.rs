//! JSON by its standard, without repeated keys.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::member;

/// Reads one JSON value. RFC 8259 does not define repeated keys, and parsers differ on which one counts. Here a
/// repeated key is an error, as are `NaN`, trailing commas, comments, single quotes, and nesting beyond 128 levels.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str::<Strict>(text).map(|strict| strict.0).map_err(|error| error.to_string())
}

/// Returns the digits of the number under a key of an object that [`parse`] accepts; `None` for any other value.
pub(super) fn literal<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    let value = object.get(member::place_of_value(object, key)?..)?;
    let length = value.bytes().take_while(|byte| is_of_number(*byte)).count();
    value.get(..length).filter(|number| !number.is_empty())
}

fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number that is not finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let Strict(value) = entries.next_value()?;
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key {key:?} occurs twice")));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn repeated_keys_are_an_error_at_any_depth() {
        assert!(parse(r#"{"a": 1, "a": 1}"#).unwrap_err().contains("twice"));
        assert!(parse(r#"{"x": [{"a": 1, "\u0061": 2}]}"#).unwrap_err().contains("twice"));
        assert!(parse(r#"{"a": {"a": 1}}"#).is_ok());
    }

    #[test]
    fn a_number_is_found_as_it_is_written() {
        let text = r#"{"a": {"grade": 1}, "b": "\"grade\": 2", "c": ["grade"], "gr\u0061de" : 2.9999999999999999999}"#;
        assert_eq!(literal(text, "grade"), Some("2.9999999999999999999"));
        assert_eq!(literal(r#"{"x": "grade", "grade":-1e2}"#, "grade"), Some("-1e2"));
        assert_eq!(literal(r#"{"grade": "2"}"#, "grade"), None);
    }

    proptest! {
        /// Where serde_json's own reader accepts a text without repeated keys, this one reads the same value.
        #[test]
        fn it_reads_what_serde_json_reads(text in r#"[\[\]{}:,"a0-9.eE\-tnu \\]{0,24}"#) {
            if let Ok(value) = parse(&text) {
                prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
            }
        }
    }
}
