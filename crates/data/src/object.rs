//! JSON objects of which some fields are read, and others noticed.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{self, IgnoredAny},
};

use crate::{
    DataError,
    json::{self, Id, Text},
    lines::Line,
    unread::{Unread, UnreadField},
};

/// The type of a field. `null` is always as good as absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A string or a whole number.
    Id,
    /// A string.
    Text,
    /// A string, a number, `true`, `false`, or a list of these, which becomes a line each.
    Any,
}

/// Reads objects, one a line.
pub(crate) struct ObjectReader {
    slots: Vec<Slot>,
    unread: Unread,
}

struct Slot {
    name: String,
    kind: Kind,
    seen: bool,
}

/// The values of an object's fields, by slot.
pub(crate) struct Values<'a>(Vec<Option<Cow<'a, str>>>);

impl<'a> Values<'a> {
    pub(crate) fn get(&self, slot: usize) -> Option<Cow<'a, str>> {
        self.0.get(slot).cloned().flatten()
    }

    pub(crate) fn take(&mut self, slot: usize) -> Option<Cow<'a, str>> {
        self.0.get_mut(slot).and_then(Option::take)
    }
}

impl ObjectReader {
    /// Creates a reader that reads no field yet; the fields of `ignore` are never noticed.
    pub(crate) fn new(ignore: &[String]) -> Self {
        let mut unread = Unread::default();
        ignore.iter().for_each(|name| unread.silence(name));
        Self { slots: Vec::new(), unread }
    }

    /// Returns the slot of a field that is read from now on.
    pub(crate) fn slot(&mut self, name: &str, kind: Kind) -> usize {
        if let Some(known) = self.slots.iter().position(|slot| slot.name == name) {
            return known;
        }
        self.slots.push(Slot { name: name.to_owned(), kind, seen: false });
        self.slots.len() - 1
    }

    /// Makes a field no remark.
    pub(crate) fn silence(&mut self, name: &str) {
        self.unread.silence(name);
    }

    /// Parses a line as one object.
    pub(crate) fn read<'a>(&mut self, line: &Line<'a>, expected: &str) -> Result<Values<'a>, DataError> {
        let Self { slots, unread } = self;
        json::parse_seed(line, expected, Object { slots, unread, line: line.number })
    }

    /// Notes that a field was read and then not used.
    pub(crate) fn unread(&mut self, slot: usize, line: u64) {
        if let Some(slot) = self.slots.get(slot) {
            self.unread.note(&slot.name, line);
        }
    }

    pub(crate) fn name(&self, slot: usize) -> &str {
        self.slots.get(slot).map_or("", |slot| &slot.name)
    }

    /// Returns the name of a field that no object had.
    pub(crate) fn never_seen(&self, slot: usize) -> Option<&str> {
        self.slots.get(slot).filter(|slot| !slot.seen).map(|slot| slot.name.as_str())
    }

    /// Returns the names of the fields that objects had.
    pub(crate) fn known(&self) -> Vec<String> {
        let read = self.slots.iter().filter(|slot| slot.seen).map(|slot| slot.name.clone());
        read.chain(self.unread.fields().iter().map(|field| field.name.clone())).collect()
    }

    pub(crate) fn finish(self) -> Vec<UnreadField> {
        self.unread.finish()
    }
}

struct Object<'r> {
    slots: &'r mut [Slot],
    unread: &'r mut Unread,
    line: u64,
}

impl<'de> de::DeserializeSeed<'de> for Object<'_> {
    type Value = Values<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> de::Visitor<'de> for Object<'_> {
    type Value = Values<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut values = vec![None; self.slots.len()];
        while let Some(Text(key)) = map.next_key::<Text<'de>>()? {
            let Some(place) = self.slots.iter().position(|slot| slot.name == key) else {
                let Something(something) = map.next_value()?;
                if something {
                    self.unread.note(&key, self.line);
                }
                continue;
            };
            let (slot, value) = (&mut self.slots[place], &mut values[place]);
            if value.is_some() {
                return Err(de::Error::custom(format_args!("duplicate field {key:?}")));
            }
            *value = match slot.kind {
                Kind::Id => map.next_value::<Option<Id<'de>>>()?.map(|id| id.0),
                Kind::Text => map.next_value::<Option<Text<'de>>>()?.map(|text| text.0),
                Kind::Any => map.next_value::<Any<'de>>()?.0,
            };
            slot.seen = true;
        }
        Ok(Values(values))
    }
}

/// A value as text; `None` for `null`.
struct Any<'a>(Option<Cow<'a, str>>);

impl<'de: 'a, 'a> Deserialize<'de> for Any<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyVisitor).map(Self)
    }
}

struct AnyVisitor;

impl<'de> de::Visitor<'de> for AnyVisitor {
    type Value = Option<Cow<'de, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, a number, or a list of these")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(text)))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(value.to_string())))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(number.to_string())))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(number.to_string())))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(number.to_string())))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut text = String::new();
        while let Some(Any(element)) = list.next_element()? {
            let element = element.unwrap_or_default();
            if !text.is_empty() && !element.is_empty() {
                text.push('\n');
            }
            text.push_str(&element);
        }
        Ok(Some(Cow::Owned(text)))
    }
}

/// Whether a value is not empty: not `null`, `""`, `[]` or `{}`. Its content is skipped however deep it is.
struct Something(bool);

impl<'de> Deserialize<'de> for Something {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SomethingVisitor).map(Self)
    }
}

struct SomethingVisitor;

impl<'de> de::Visitor<'de> for SomethingVisitor {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<bool, E> {
        Ok(!text.trim().is_empty())
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_unit<E: de::Error>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<bool, A::Error> {
        let first = list.next_element::<IgnoredAny>()?.is_some();
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(first)
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        let first = map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some();
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(first)
    }
}
