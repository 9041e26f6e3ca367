//! A dataset as JSON: an object, a list of queries, or a query a line. Errors name the line and the path to the field.

use std::fmt;

use llull_core::Document;
use rustc_hash::FxHashSet;
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned, MapAccess, SeqAccess, value::MapAccessDeserializer},
};

use serde_json::{Map, Value};

use super::expected::{EvaluationDataset, ExpectedQuery, QueryOrigin};
use super::fields::{note, rename_fields};
use super::notes::{DatasetFile, DatasetNotes};
use crate::{
    DataError,
    json::{self, OwnedId, parse_whole},
    lines::Line,
    tables::{Columns, Place},
};

pub(super) fn parse(text: &str, file: &str, named: &Columns) -> Result<DatasetFile, DataError> {
    let expected = "an object with \"queries\", as docs/reference/expected-answers.md has it";
    // If the file has an error, the readers below name its line.
    let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(text).into_iter().collect();
    let queries = queries_of(values.unwrap_or_default(), text);
    note_fields(&queries, file, named);
    let root = if !named.is_empty() && !queries.is_empty() {
        let is_one = text.trim_start().starts_with('{') && !is_lines(text);
        let documents = is_one.then(|| parse_whole(text, file, expected)).transpose()?;
        let documents = documents.map_or_else(Each::none, |Object(OnlyDocuments { documents })| documents);
        Root { queries: renamed(queries, file, named)?, documents }
    } else if text.trim_start().starts_with('[') {
        let queries = parse_whole(text, file, "a list of queries, each an object")?;
        Root { queries, documents: Each::none() }
    } else if is_lines(text) {
        Root { queries: parse_lines(text, file)?, documents: Each::none() }
    } else {
        let Object(root): Object<Root> = parse_whole(text, file, expected)?;
        root
    };
    Ok(finished(root))
}

/// Reads the rows of a Parquet file.
pub(super) fn of_rows(
    rows: Vec<Map<String, Value>>,
    file: &str,
    named: &Columns,
) -> Result<DatasetFile, DataError> {
    let rows = rows.into_iter().zip(1..);
    let queries: Vec<_> = rows.map(|(row, number)| (format!("row {number}"), Value::Object(row))).collect();
    note_fields(&queries, file, named);
    Ok(finished(Root { queries: renamed(queries, file, named)?, documents: Each::none() }))
}

/// The queries of a whole text, with their places in it.
fn queries_of(mut values: Vec<Value>, text: &str) -> Vec<(String, Value)> {
    let in_list = |list: Vec<Value>, around: &str| {
        list.into_iter().enumerate().map(|(at, query)| (format!("{around}[{at}]"), query)).collect()
    };
    match values.as_mut_slice() {
        [Value::Array(list)] => in_list(std::mem::take(list), ""),
        [Value::Object(object)] if ["queries", "documents"].iter().any(|name| object.contains_key(*name)) => {
            match object.remove("queries") {
                Some(Value::Array(list)) => in_list(list, "queries"),
                _ => Vec::new(),
            }
        }
        _ => {
            let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
            lines.zip(values).map(|((_, number), query)| (format!("line {number}"), query)).collect()
        }
    }
}

fn note_fields(queries: &[(String, Value)], file: &str, named: &Columns) {
    let first = queries.first().and_then(|(_, query)| query.as_object());
    let fields = first.into_iter().flat_map(Map::keys).map(|name| (name.clone(), name.clone()));
    note(file, &fields.collect::<Vec<_>>(), None, named);
}

/// Reads queries some of whose fields the user names.
fn renamed(queries: Vec<(String, Value)>, file: &str, named: &Columns) -> Result<Each<Query>, DataError> {
    let (mut all, mut ids) = (Each::none(), FxHashSet::default());
    for (path, mut query) in queries {
        let place = Place::Path { file, path: &path };
        if let Value::Object(object) = &mut query {
            rename_fields(object, named);
        }
        let read: Result<Query, _> = serde_path_to_error::deserialize(query);
        let query = read.map_err(|error| {
            let remedy = "Or name its fields: --columns query=FIELD,answer=FIELD";
            place.wrong(None, error.to_string(), "a query, an object", remedy)
        })?;
        all.push(query, &mut ids).map_err(|twice| place.wrong(None, twice, "different identifiers", ""))?;
    }
    Ok(all)
}

fn finished(root: Root) -> DatasetFile {
    let mut notes = DatasetNotes::default();
    let queries = root.queries.0.into_iter().map(|query| query.expected(&mut notes)).collect();
    let documents = root.documents.0.into_iter().map(|document| Document {
        id: document.id,
        title: String::new(),
        text: document.text,
    });
    DatasetFile { dataset: EvaluationDataset { queries, documents: documents.collect() }, notes }
}

/// Whether the first line is an object of its own, and no dataset.
fn is_lines(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let object: Result<serde_json::Map<String, serde_json::Value>, _> = serde_json::from_str(first);
    object.is_ok_and(|object| !object.contains_key("queries") && !object.contains_key("documents"))
}

fn parse_lines(text: &str, file: &str) -> Result<Each<Query>, DataError> {
    let mut queries = Each::none();
    let mut ids = FxHashSet::default();
    for (text, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        let line = Line { text, number, file };
        let query: Query = json::parse(&line, "a query on each line, an object")?;
        queries
            .push(query, &mut ids)
            .map_err(|twice| line.wrong(None, twice, "different identifiers", ""))?;
    }
    Ok(queries)
}

#[derive(Deserialize)]
struct Root {
    #[serde(default = "Each::none")]
    queries: Each<Query>,
    #[serde(default = "Each::none")]
    documents: Each<FoundDocument>,
}

#[derive(Deserialize)]
struct OnlyDocuments {
    #[serde(default = "Each::none")]
    documents: Each<FoundDocument>,
}

type List = Option<Vec<Option<OwnedId>>>;

/// A text, a list of texts, or nothing.
#[derive(Default, Deserialize)]
#[serde(untagged, expecting = "a text or a list of texts")]
enum OneOrList {
    List(Vec<Option<OwnedId>>),
    One(OwnedId),
    #[default]
    Nothing,
}

impl OneOrList {
    fn list(self) -> List {
        match self {
            Self::List(list) => Some(list),
            Self::One(text) => Some(vec![Some(text)]),
            Self::Nothing => None,
        }
    }
}

#[derive(Deserialize)]
struct QueryFields {
    query_id: Option<OwnedId>,
    id: Option<OwnedId>,
    query_text: Option<OwnedId>,
    query: Option<OwnedId>,
    #[serde(alias = "user_input")]
    question: Option<OwnedId>,
    expected_answers: List,
    #[serde(
        default,
        alias = "ground_truths",
        alias = "reference",
        alias = "reference_answer",
        alias = "expected_answer",
        alias = "gold_answers",
        alias = "answers"
    )]
    ground_truth: OneOrList,
    expected_doc_ids: List,
    relevant_doc_ids: List,
    origin: Option<QueryOrigin>,
}

#[derive(Deserialize)]
#[serde(try_from = "Object<QueryFields>")]
struct Query {
    /// Empty without one.
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
            id: filled(fields.query_id).or(filled(fields.id)).unwrap_or_default(),
            text: filled(fields.query_text)
                .or(filled(fields.query))
                .or(filled(fields.question))
                .ok_or("a query without query_text (or query, or question)")?,
            answers: fields.expected_answers.or(fields.ground_truth.list()),
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

impl Fields for OnlyDocuments {
    const EXPECTED: &'static str = Root::EXPECTED;
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

impl<T: Named> Each<T> {
    /// Adds one. An identifier that is there already is an error.
    fn push(&mut self, mut one: T, ids: &mut FxHashSet<String>) -> Result<(), String> {
        one.number(self.0.len() + 1);
        if !ids.insert(one.id().to_owned()) {
            return Err(format!("{} {:?} twice", T::WHAT, one.id()));
        }
        self.0.push(one);
        Ok(())
    }
}

trait Named: DeserializeOwned {
    const WHAT: &'static str;
    fn id(&self) -> &str;
    /// Gives it the identifier of its place, from 1, if it has none.
    fn number(&mut self, place: usize);
}

impl Named for Query {
    const WHAT: &'static str = "query";
    fn id(&self) -> &str {
        &self.id
    }
    fn number(&mut self, place: usize) {
        if self.id.is_empty() {
            self.id = format!("q{place}");
        }
    }
}

impl Named for FoundDocument {
    const WHAT: &'static str = "document";
    fn id(&self) -> &str {
        &self.id
    }
    fn number(&mut self, _: usize) {}
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
                let (mut each, mut ids) = (Each::none(), FxHashSet::default());
                while let Some(one) = list.next_element::<T>()? {
                    each.push(one, &mut ids).map_err(de::Error::custom)?;
                }
                Ok(each)
            }
        }
        deserializer.deserialize_any(Visitor(std::marker::PhantomData))
    }
}
