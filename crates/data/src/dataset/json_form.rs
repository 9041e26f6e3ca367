//! A dataset as one JSON object. Errors name the line and the path to the field.

use std::fmt;

use llull_core::Document;
use rustc_hash::FxHashSet;
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned, MapAccess, SeqAccess, value::MapAccessDeserializer},
};

use super::expected::{EvaluationDataset, ExpectedQuery, QueryOrigin};
use super::notes::{DatasetFile, DatasetNotes};
use crate::{
    DataError,
    json::{OwnedId, parse_whole},
};

pub(super) fn parse(text: &str, file: &str) -> Result<DatasetFile, DataError> {
    let expected = "an object with \"queries\", as docs/reference/expected-answers.md has it";
    let Object(root): Object<Root> = parse_whole(text, file, expected)?;
    let mut notes = DatasetNotes::default();
    let queries = root.queries.0.into_iter().map(|query| query.expected(&mut notes)).collect();
    let documents = root.documents.0.into_iter().map(|document| Document {
        id: document.id,
        title: String::new(),
        text: document.text,
    });
    Ok(DatasetFile { dataset: EvaluationDataset { queries, documents: documents.collect() }, notes })
}

#[derive(Deserialize)]
struct Root {
    #[serde(default = "Each::none")]
    queries: Each<Query>,
    #[serde(default = "Each::none")]
    documents: Each<FoundDocument>,
}

type List = Option<Vec<Option<OwnedId>>>;

#[derive(Deserialize)]
struct QueryFields {
    query_id: Option<OwnedId>,
    id: Option<OwnedId>,
    query_text: Option<OwnedId>,
    query: Option<OwnedId>,
    expected_answers: List,
    expected_doc_ids: List,
    relevant_doc_ids: List,
    origin: Option<QueryOrigin>,
}

#[derive(Deserialize)]
#[serde(try_from = "Object<QueryFields>")]
struct Query {
    id: String,
    text: String,
    answers: List,
    documents: List,
    relevant: List,
    origin: Option<QueryOrigin>,
}

impl TryFrom<Object<QueryFields>> for Query {
    type Error = &'static str;

    fn try_from(Object(fields): Object<QueryFields>) -> Result<Self, Self::Error> {
        Ok(Self {
            id: filled(fields.query_id).or(filled(fields.id)).ok_or("a query without query_id (or id)")?,
            text: filled(fields.query_text)
                .or(filled(fields.query))
                .ok_or("a query without query_text (or query)")?,
            answers: fields.expected_answers,
            documents: fields.expected_doc_ids,
            relevant: fields.relevant_doc_ids,
            origin: fields.origin,
        })
    }
}

impl Query {
    fn expected(self, notes: &mut DatasetNotes) -> ExpectedQuery {
        let mut present = |list: List| {
            notes.present(&self.id, list.into_iter().flatten().map(|value| value.map(|value| value.0)))
        };
        let (answers, documents) = (present(self.answers), present(self.documents));
        let relevant = present(self.relevant);
        ExpectedQuery {
            expected_doc_ids: if documents.is_empty() { relevant } else { documents },
            expected_answers: answers,
            origin: self.origin,
            id: self.id,
            text: self.text,
        }
    }
}

#[derive(Deserialize)]
struct DocumentFields {
    doc_id: Option<OwnedId>,
    text: Option<OwnedId>,
}

#[derive(Deserialize)]
#[serde(try_from = "Object<DocumentFields>")]
struct FoundDocument {
    id: String,
    text: String,
}

impl TryFrom<Object<DocumentFields>> for FoundDocument {
    type Error = &'static str;

    fn try_from(Object(fields): Object<DocumentFields>) -> Result<Self, Self::Error> {
        Ok(Self {
            id: filled(fields.doc_id).ok_or("a document without doc_id")?,
            text: fields.text.map(|text| text.0).unwrap_or_default(),
        })
    }
}

/// The text without blanks around it, unless it is empty.
fn filled(text: Option<OwnedId>) -> Option<String> {
    text.map(|text| text.0.trim().to_owned()).filter(|text| !text.is_empty())
}

/// An object by its fields. serde would also take a list, for the fields in their order.
struct Object<T>(T);

trait Fields: DeserializeOwned {
    const EXPECTED: &'static str;
}

impl Fields for Root {
    const EXPECTED: &'static str = "an object with \"queries\"";
}

impl Fields for QueryFields {
    const EXPECTED: &'static str = "a query, an object";
}

impl Fields for DocumentFields {
    const EXPECTED: &'static str = "a document, an object";
}

impl<'de, T: Fields> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(std::marker::PhantomData<T>);
        impl<'de, T: Fields> de::Visitor<'de> for Visitor<T> {
            type Value = Object<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::EXPECTED)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }
        deserializer.deserialize_map(Visitor(std::marker::PhantomData))
    }
}

/// A list of things with different identifiers.
struct Each<T>(Vec<T>);

impl<T> Each<T> {
    fn none() -> Self {
        Self(Vec::new())
    }
}

trait Named: DeserializeOwned {
    const WHAT: &'static str;
    fn id(&self) -> &str;
}

impl Named for Query {
    const WHAT: &'static str = "query";
    fn id(&self) -> &str {
        &self.id
    }
}

impl Named for FoundDocument {
    const WHAT: &'static str = "document";
    fn id(&self) -> &str {
        &self.id
    }
}

impl<'de, T: Named> Deserialize<'de> for Each<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(std::marker::PhantomData<T>);
        impl<'de, T: Named> de::Visitor<'de> for Visitor<T> {
            type Value = Each<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Each<T>, A::Error> {
                let (mut each, mut ids) = (Vec::new(), FxHashSet::default());
                while let Some(one) = list.next_element::<T>()? {
                    if !ids.insert(one.id().to_owned()) {
                        return Err(de::Error::custom(format_args!("{} {:?} twice", T::WHAT, one.id())));
                    }
                    each.push(one);
                }
                Ok(Each(each))
            }
        }
        deserializer.deserialize_any(Visitor(std::marker::PhantomData))
    }
}
