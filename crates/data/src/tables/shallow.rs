//! JSON values to a depth: what is deeper is skipped, however deep it is.

use std::fmt;

use serde::de::{self, DeserializeSeed, IgnoredAny};
use serde_json::{Map, Value};

/// No reply of a search engine holds its hits deeper.
const DEEPEST: usize = 16;

/// Reads a value; what is deeper than any entry of a known form is `null`.
#[derive(Clone, Copy)]
pub(super) struct Shallow {
    depth: usize,
}

/// A value that is read so.
pub(super) struct ShallowValue(pub(super) Value);

impl<'de> de::Deserialize<'de> for ShallowValue {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Shallow { depth: DEEPEST }.deserialize(deserializer).map(Self)
    }
}

impl<'de> DeserializeSeed<'de> for Shallow {
    type Value = Value;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> de::Visitor<'de> for Shallow {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let Some(depth) = self.depth.checked_sub(1) else {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Value::Null);
        };
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(Self { depth })? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let Some(depth) = self.depth.checked_sub(1) else {
            while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(Value::Null);
        };
        let mut values = Map::new();
        while let Some(key) = object.next_key::<String>()? {
            let value = object.next_value_seed(Self { depth })?;
            if values.insert(key.clone(), value).is_some() {
                return Err(de::Error::custom(format_args!("duplicate field {key:?}")));
            }
        }
        Ok(Value::Object(values))
    }
}
