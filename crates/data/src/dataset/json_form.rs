//! A dataset as one JSON object. Errors name the line and the field.

use std::fmt;

use llull_core::Document;
use rustc_hash::FxHashSet;
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned, IgnoredAny, MapAccess, SeqAccess},
};

use super::expected::{EvaluationDataset, ExpectedQuery, each_once};
use super::origin::QueryOrigin;
use crate::{DataError, LineError, json::Id};

pub(super) fn parse(text: &str, file: &str) -> Result<EvaluationDataset, DataError> {
    let Root(read) = serde_json::from_str(text).map_err(|error| {
        DataError::from(LineError {
            file: file.to_owned(),
            line: error.line() as u64,
            column: None,
            found: without_place(&error.to_string()).to_owned(),
            expected: "an object with \"queries\", as docs/expected-answers.md has it".to_owned(),
            remedy: String::new(),
        })
    })?;
    Ok(read)
}

/// A message of serde_json without the line and the column at its end.
fn without_place(message: &str) -> &str {
    message.rsplit_once(" at line ").map_or(message, |(message, _)| message)
}

/// Reads a field's value; its error names the field.
fn value<'de, T: Deserialize<'de>, A: MapAccess<'de>>(map: &mut A, field: &str) -> Result<T, A::Error> {
    map.next_value().map_err(|error| {
        let message = error.to_string();
        let message = without_place(&message).replace("a sequence", "a list");
        de::Error::custom(format_args!("in the field {field}: {message}"))
    })
}

/// Puts a value where none is yet.
fn once<T, E: de::Error>(place: &mut Option<T>, value: Option<T>, field: &str) -> Result<(), E> {
    if place.is_some() {
        return Err(E::custom(format_args!("the field {field} twice")));
    }
    *place = value;
    Ok(())
}

struct Root(EvaluationDataset);
struct OwnedId(String);
struct Each<T>(Vec<T>);

/// Something with an identifier.
trait Named: DeserializeOwned {
    const WHAT: &'static str;
    const FIELD: &'static str;
    fn id(&self) -> &str;
}

impl Named for ExpectedQueryObject {
    const WHAT: &'static str = "query";
    const FIELD: &'static str = "queries";
    fn id(&self) -> &str {
        &self.0.id
    }
}

impl Named for DocumentObject {
    const WHAT: &'static str = "document";
    const FIELD: &'static str = "documents";
    fn id(&self) -> &str {
        &self.0.id
    }
}

struct ExpectedQueryObject(ExpectedQuery);
struct DocumentObject(Document);

impl<'de> Deserialize<'de> for OwnedId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Id::deserialize(deserializer).map(|id| Self(id.0.into_owned()))
    }
}

/// A visitor of objects that reads each field by `field`.
macro_rules! object {
    ($name:ident, $expected:literal, $read:expr) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Visitor;
                impl<'de> de::Visitor<'de> for Visitor {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }
                    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<$name, A::Error> {
                        $read(map)
                    }
                }
                deserializer.deserialize_any(Visitor)
            }
        }
    };
}

object!(Root, "an object with \"queries\"", root);
object!(ExpectedQueryObject, "a query, an object", query);
object!(DocumentObject, "a document, an object", document);

fn root<'de, A: MapAccess<'de>>(mut map: A) -> Result<Root, A::Error> {
    let (mut queries, mut documents) = (None, None);
    while let Some(key) = map.next_key::<String>()? {
        match key.as_str() {
            "queries" => once(&mut queries, Some(map.next_value::<Each<ExpectedQueryObject>>()?), &key)?,
            "documents" => once(&mut documents, Some(map.next_value::<Each<DocumentObject>>()?), &key)?,
            _ => drop(map.next_value::<IgnoredAny>()?),
        }
    }
    Ok(Root(EvaluationDataset {
        queries: queries.into_iter().flat_map(|each| each.0).map(|query| query.0).collect(),
        documents: documents.into_iter().flat_map(|each| each.0).map(|document| document.0).collect(),
    }))
}

/// The fields of a query, by their names.
const FIELDS: [&str; 7] =
    ["query_id", "id", "query_text", "query", "expected_answers", "expected_doc_ids", "relevant_doc_ids"];

fn query<'de, A: MapAccess<'de>>(mut map: A) -> Result<ExpectedQueryObject, A::Error> {
    let mut texts: [Option<String>; 4] = Default::default();
    let mut lists: [Option<Vec<String>>; 3] = Default::default();
    let mut origin: Option<QueryOrigin> = None;
    while let Some(key) = map.next_key::<String>()? {
        if key == "origin" {
            let found = value::<Option<QueryOrigin>, _>(&mut map, &key)?;
            once(&mut origin, found, &key)?;
            continue;
        }
        let Some(at) = FIELDS.iter().position(|field| *field == key) else {
            map.next_value::<IgnoredAny>()?;
            continue;
        };
        if let Some(place) = texts.get_mut(at) {
            let text = value::<Option<OwnedId>, _>(&mut map, &key)?;
            once(place, text.map(|text| text.0.trim().to_owned()), &key)?;
        } else if let Some(place) = lists.get_mut(at - texts.len()) {
            let list = value::<Option<Vec<OwnedId>>, _>(&mut map, &key)?;
            once(place, list.map(|list| each_once(list.into_iter().map(|id| id.0))), &key)?;
        }
    }
    let [query_id, id, query_text, query] = texts.map(|text| text.filter(|text| !text.is_empty()));
    let [answers, documents, relevant] = lists.map(|list| list.filter(|list| !list.is_empty()));
    let missing = |fields| de::Error::custom(format_args!("a query without {fields}"));
    Ok(ExpectedQueryObject(ExpectedQuery {
        id: query_id.or(id).ok_or_else(|| missing("query_id (or id)"))?,
        text: query_text.or(query).ok_or_else(|| missing("query_text (or query)"))?,
        expected_doc_ids: documents.or(relevant).unwrap_or_default(),
        expected_answers: answers.unwrap_or_default(),
        origin,
    }))
}

fn document<'de, A: MapAccess<'de>>(mut map: A) -> Result<DocumentObject, A::Error> {
    let (mut id, mut text) = (None, None);
    while let Some(key) = map.next_key::<String>()? {
        match key.as_str() {
            "doc_id" => once(&mut id, value::<Option<OwnedId>, _>(&mut map, &key)?, &key)?,
            "text" => once(&mut text, value::<Option<OwnedId>, _>(&mut map, &key)?, &key)?,
            _ => drop(map.next_value::<IgnoredAny>()?),
        }
    }
    let id = id.map(|id: OwnedId| id.0.trim().to_owned()).filter(|id| !id.is_empty());
    Ok(DocumentObject(Document {
        id: id.ok_or_else(|| de::Error::custom("a document without doc_id"))?,
        title: String::new(),
        text: text.map(|text: OwnedId| text.0).unwrap_or_default(),
    }))
}

impl<'de, T: Named> Deserialize<'de> for Each<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(std::marker::PhantomData<T>);
        impl<'de, T: Named> de::Visitor<'de> for Visitor<T> {
            type Value = Each<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list in {}", T::FIELD)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Each<T>, A::Error> {
                let (mut each, mut ids) = (Vec::new(), FxHashSet::default());
                while let Some(one) = list.next_element::<T>()? {
                    if !ids.insert(one.id().to_owned()) {
                        let (what, id) = (T::WHAT, one.id());
                        return Err(de::Error::custom(format_args!("{what} {id:?} twice")));
                    }
                    each.push(one);
                }
                Ok(Each(each))
            }
        }
        deserializer.deserialize_any(Visitor(std::marker::PhantomData))
    }
}
