//! Finds the entries of JSON that is no list of rows: saved replies of search engines, and objects by query.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::columns::{ColumnName, Columns};
use super::fields::is_wrapper;
use super::roles::{DOCUMENTS_BY_NAME, Role, TableKind, is_usual};

/// An entry of a JSON file.
pub(super) struct Entry<'a> {
    /// The path to it: `responses[0].hits.hits[2]`.
    pub(super) path: String,
    /// The query that it belongs to, if something around it names one.
    pub(super) query: Option<QueryOf<'a>>,
    /// The system that something around it names.
    pub(super) system: Option<Cow<'a, str>>,
    /// Its place in a list of hits, from 0.
    pub(super) place: Option<usize>,
    pub(super) value: EntryValue<'a>,
}

/// The query of an entry.
#[derive(Clone)]
pub(super) enum QueryOf<'a> {
    /// Its identifier or its text.
    Named(Cow<'a, str>),
    /// Its place in the file of queries, from 0.
    At(usize),
}

pub(super) enum EntryValue<'a> {
    Object(&'a Map<String, Value>),
    /// An object, and its score beside it.
    Scored(&'a Map<String, Value>, &'a Value),
    /// A reply whose query has no text.
    NoQuery,
    /// The error that a search engine replied.
    Error(&'a Value),
    /// An identifier, with a score, a grade or a text.
    Pair(Cow<'a, str>, Option<&'a Value>),
    Other(&'a Value),
}

/// Lists of hits in the replies of search engines and vector stores, and in the dumps of frameworks.
const HITS: [&[&str]; 21] = [
    &["hits", "hits"],
    &["response", "docs"],
    &["result", "points"],
    &["root", "children"],
    &["results"],
    &["result"],
    &["points"],
    &["matches"],
    &["hits"],
    &["documents"],
    &["docs"],
    &["retrieved"],
    &["retrieved_documents"],
    &["source_documents"],
    &["source_nodes"],
    &["nodes"],
    &["objects"],
    &["contexts"],
    &["context"],
    &["items"],
    &["value"],
];

/// Lists of replies: of a multi search, and of a batch of queries.
const BATCHES: [&str; 3] = ["responses", "results", "result"];

/// Where the query of a reply is, besides the usual names of a query.
const QUERIES: [&[&str]; 2] = [&["responseHeader", "params", "q"], &["params", "q"]];

/// Lists of queries, documents and labels inside one object.
const LISTS: [(&str, TableKind); 11] = [
    ("queries", TableKind::Queries),
    ("topics", TableKind::Queries),
    ("documents", TableKind::Documents),
    ("docs", TableKind::Documents),
    ("nodes", TableKind::Documents),
    ("items", TableKind::Documents),
    ("labels", TableKind::Labels),
    ("judgments", TableKind::Labels),
    ("judgmentRatings", TableKind::Labels),
    ("requests", TableKind::Labels),
    ("ratings", TableKind::Labels),
];

/// What a JSON value holds.
pub(super) struct Entries<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    /// The number of replies up to the last one that names no query.
    pub(super) replies: usize,
    /// The field in which replies name their query.
    pub(super) query: Option<&'a str>,
}

/// Returns the entries of a value that is the whole file, or the `at`-th of several in it.
pub(super) fn entries<'a>(kind: TableKind, value: &'a Value, at: usize, columns: &Columns) -> Entries<'a> {
    let named = named_query(columns);
    let mut found = Found { kind, entries: Vec::new(), replies: 0, named, query: None, system: None };
    match kind {
        TableKind::Results => found.results(value, String::new(), at),
        TableKind::Labels => found.labels(value, String::new()),
        _ => found.list(value, String::new()),
    }
    Entries { entries: found.entries, replies: found.replies, query: found.query }
}

/// Returns whether an object is one row: it has what a row needs, in itself or in an object around its fields.
pub(super) fn is_row(kind: TableKind, object: &Map<String, Value>) -> bool {
    let has = |names: &[&[&str]]| {
        let is_one = |key: &String, value: &Value| {
            !value.is_null() && names.iter().copied().flatten().any(|usual| is_usual(key, usual))
        };
        let inside = |value: &Value| {
            value.as_object().is_some_and(|inner| inner.iter().any(|(key, value)| is_one(key, value)))
        };
        object.iter().any(|(key, value)| is_one(key, value) || is_wrapper(key) && inside(value))
    };
    let of = |role: Role| {
        kind.roles().iter().filter(move |names| names.role == role).any(|names| has(names.usual))
    };
    match kind {
        TableKind::Queries => of(Role::QueryText),
        TableKind::Documents => of(Role::Document) && (of(Role::Text) || of(Role::Title)),
        // An identifier beside hits is that of the reply or of its query.
        TableKind::Results => {
            of(Role::Query) && of(Role::Document) && (hits_of(object).is_none() || has(DOCUMENTS_BY_NAME))
        }
        TableKind::ResultQueries => object.keys().any(|key| kind.is_known(key)),
        TableKind::Labels => of(Role::Query) && of(Role::Document) && of(Role::Grade),
        _ => of(Role::Query) && of(Role::Document),
    }
}

/// Returns whether an object holds many rows.
pub(super) fn is_compound(kind: TableKind, object: &Map<String, Value>) -> bool {
    let replies = matches!(kind, TableKind::Results | TableKind::Documents);
    !is_row(kind, object)
        && ((replies && (hits_of(object).is_some() || batch_of(object).is_some()))
            || (kind == TableKind::Results && pipeline_hits(object, &[]).is_some())
            || (kind == TableKind::Documents && docstore(object).is_some())
            || !std::ptr::eq(unwrapped(object), object)
            || (replies && is_columnar(object))
            || inner_list(kind, object).is_some()
            || is_by_identifier(kind, object))
}

/// Returns the list of replies of a batch, with its key.
fn batch_of(object: &Map<String, Value>) -> Option<(&'static str, &Vec<Value>)> {
    let is_reply = |value: &Value| match value {
        Value::Array(hits) => hits.iter().all(is_hit),
        Value::Object(reply) => hits_of(reply).is_some(),
        _ => false,
    };
    BATCHES.into_iter().find_map(|key| {
        let list = object.get(key)?.as_array()?;
        // A reply of a multi search may be an error.
        let replies = key == "responses" || !list.is_empty() && list.iter().all(is_reply);
        replies.then_some((key, list))
    })
}

fn inner_list(kind: TableKind, object: &Map<String, Value>) -> Option<(&'static str, &Value)> {
    let mut lists = LISTS.iter().filter(|(_, of)| *of == kind);
    lists.find_map(|(key, _)| {
        let value = object.get(*key)?;
        matches!(value, Value::Array(list) if list.is_empty() || !list.iter().all(Value::is_number))
            .then_some((*key, value))
    })
}

fn at_path<'a>(object: &'a Map<String, Value>, path: &[&str]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(object.get(*first)?, |value, key| value.get(*key))
}

/// The hits of a reply without any.
static NO_HITS: Vec<Value> = Vec::new();

/// Returns the list of hits of a reply, with its path.
fn hits_of(object: &Map<String, Value>) -> Option<(String, &Vec<Value>)> {
    let known = HITS.iter().find_map(|path| {
        let list = at_path(object, path)?.as_array()?;
        Some((path.join("."), list))
    });
    let known = known.or_else(|| {
        // Weaviate: data.Get.CLASS
        let (class, list) = at_path(object, &["data", "Get"])?.as_object()?.iter().next()?;
        Some((format!("data.Get.{class}"), list.as_array()?))
    });
    // Vespa's reply without a hit has no `children`.
    let is_empty = || at_path(object, &["root", "fields", "totalCount"]).is_some_and(|count| *count == 0);
    known.or_else(|| is_empty().then(|| ("root.children".to_owned(), &NO_HITS)))
}

/// Returns whether a value is a hit: an object or an identifier, perhaps with its score. Numbers would be the cells of
/// a row without names.
fn is_hit(value: &Value) -> bool {
    let is_one = |value: &Value| value.is_object() || value.is_string();
    match value.as_array().map(Vec::as_slice) {
        Some([one, score]) => is_one(one) && score.is_number(),
        _ => is_one(value),
    }
}

/// Returns the hits in the output of a pipeline of Haystack, with their path and query:
/// `{"query": "...", "retriever": {"documents": [...]}}`.
fn pipeline_hits<'a>(object: &'a Map<String, Value>, named: &[String]) -> Option<PipelineHits<'a>> {
    let mut found = object.iter().filter_map(|(key, value)| {
        let (inner, hits) = hits_of(value.as_object()?)?;
        Some((inside(key, &inner), hits))
    });
    let (path, hits) = found.next()?;
    let (field, query) = query_of(object, named).ok()??;
    // Of several components nothing says which one's order counts.
    found.next().is_none().then_some(PipelineHits { path, hits, field, query })
}

struct PipelineHits<'a> {
    path: String,
    hits: &'a Vec<Value>,
    /// The field that names the query.
    field: &'a str,
    query: Cow<'a, str>,
}

/// Returns the documents in the file of LlamaIndex's document store: `{"docstore/data": {"ID": {"__data__": {...}}}}`.
fn docstore(object: &Map<String, Value>) -> Option<&Map<String, Value>> {
    object.get("docstore/data")?.as_object()
}

/// Returns the fields of an object that LangChain has written, `{"lc": 1, "id": [...], "kwargs": {...}}`; any other
/// object as it is.
fn unwrapped(object: &Map<String, Value>) -> &Map<String, Value> {
    let fields = object.get("kwargs").filter(|_| object.contains_key("lc"));
    fields.and_then(Value::as_object).unwrap_or(object)
}

/// Returns whether an object is a reply of Chroma, which has a list for each field:
/// `{"ids": [["d1", "d2"]], "documents": [["...", "..."]], "metadatas": [[{...}, null]]}`.
fn is_columnar(object: &Map<String, Value>) -> bool {
    object.get("ids").is_some_and(Value::is_array)
        && ["documents", "metadatas", "distances"].iter().any(|field| object.contains_key(*field))
}

/// What is wrong with a reply of Chroma, and what to do.
type ColumnsFault = (String, &'static str);

/// Returns the rows of a reply of Chroma: lists of objects for each query, a reply of one query, or documents; `None`
/// for any other value. It is the `at`-th value of its file, `before` it are so many replies that name no query.
/// Distances are left out, since the lowest is the best, and the rows are in their order.
pub(super) fn rows_of_columns(
    kind: TableKind,
    value: &Value,
    columns: &Columns,
    (at, before): (usize, usize),
) -> Result<Option<Value>, ColumnsFault> {
    const READ: [&str; 5] = ["ids", "documents", "metadatas", "distances", "embeddings"];
    let is_read = matches!(kind, TableKind::Results | TableKind::Documents);
    let Some(object) = value.as_object().filter(|object| is_read && is_columnar(object)) else {
        return Ok(None);
    };
    let fields = [("text", "documents"), ("metadata", "metadatas")];
    let fields: Vec<_> =
        fields.into_iter().filter_map(|(name, key)| Some((name, object.get(key)?))).collect();
    let Some(ids) = object.get("ids") else { return Ok(None) };
    let Value::Array(mut rows) = zipped(ids, &fields)? else { return Ok(None) };
    if kind == TableKind::Documents {
        return Ok(Some(Value::Array(rows)));
    }
    let has_query = !matches!(query_of(object, &named_query(columns)), Ok(None));
    let is_batch = rows.iter().any(Value::is_array);
    let is_one = if is_batch { rows.len() == 1 } else { has_query };
    if is_batch && (has_query || at > 0) && !is_one || before > at && !has_query {
        let found = format!("the lists of {} queries", rows.len());
        return Err((
            found,
            "Write a reply with one query a line, or all queries into one reply without their names",
        ));
    }
    if !is_one {
        return Ok(Some(Value::Array(rows)));
    }
    if is_batch && let Some(Value::Array(hits)) = rows.pop() {
        rows = hits;
    }
    let others = object.iter().filter(|(key, _)| !READ.contains(&key.as_str()));
    let others = others.map(|(key, value)| (key.clone(), value.clone()));
    let hits = std::iter::once(("documents".to_owned(), Value::Array(rows)));
    Ok(Some(Value::Object(others.chain(hits).collect())))
}

/// Puts together what lists of one shape hold at each place.
fn zipped(ids: &Value, fields: &[(&str, &Value)]) -> Result<Value, ColumnsFault> {
    let Value::Array(list) = ids else {
        let id = std::iter::once(("id", ids));
        let row = id.chain(fields.iter().copied()).map(|(name, value)| (name.to_owned(), value.clone()));
        return Ok(Value::Object(row.collect()));
    };
    let mut rows = Vec::with_capacity(list.len());
    for (name, values) in fields {
        if let Some(values) = values.as_array().filter(|values| values.len() != list.len()) {
            let found = format!("{} values of {name} for {} ids", values.len(), list.len());
            return Err((
                found,
                "Give ids, documents and metadatas as many values each, null for what is missing",
            ));
        }
    }
    for (at, id) in list.iter().enumerate() {
        let here: Vec<(&str, &Value)> =
            fields.iter().filter_map(|(name, values)| Some((*name, values.get(at)?))).collect();
        rows.push(zipped(id, &here)?);
    }
    Ok(Value::Array(rows))
}

/// Returns the fields that the user names for the query.
fn named_query(columns: &Columns) -> Vec<String> {
    let named = columns.of(&[ColumnName::Query], true, &|_| true);
    named.map(|(fields, _)| fields.to_vec()).unwrap_or_default()
}

/// Returns the query that an object names, with the field; an error if such a field has no text.
fn query_of<'a>(
    object: &'a Map<String, Value>,
    named: &[String],
) -> Result<Option<(&'a str, Cow<'a, str>)>, ()> {
    let usual = TableKind::ResultQueries.roles().iter().flat_map(|names| names.usual).copied().flatten();
    let by_name = named.iter().filter_map(|name| object.get_key_value(name));
    let by_usual = usual.filter_map(|usual| object.iter().find(|(key, _)| is_usual(key, usual)));
    let by_place = QUERIES.iter().filter_map(|path| Some((path.last()?, at_path(object, path)?)));
    let id = object.get_key_value("id").filter(|(_, id)| id.is_string() && hits_of(object).is_some());
    let fields = by_name.chain(by_usual).map(|(key, value)| (key.as_str(), value));
    let mut fields = fields
        .chain(by_place.map(|(key, value)| (*key, value)))
        .chain(id.map(|(key, value)| (key.as_str(), value)))
        .peekable();
    if fields.peek().is_none() {
        return Ok(None);
    }
    let text = |value: &'a Value| match value {
        Value::Object(inner) => {
            ["id", "query_id", "text", "query"].iter().find_map(|key| text_of(inner.get(*key)?))
        }
        other => text_of(other),
    };
    let found = fields.find_map(|(key, value)| Some((key, text(value)?)));
    found.map(Some).ok_or(())
}

/// Returns a text or a number as text.
pub(super) fn text_of(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        _ => None,
    }
}

struct Found<'a> {
    kind: TableKind,
    entries: Vec<Entry<'a>>,
    replies: usize,
    /// The fields that the user names for the query.
    named: Vec<String>,
    query: Option<&'a str>,
    /// The system of the reply at hand.
    system: Option<Cow<'a, str>>,
}

impl<'a> Found<'a> {
    fn add(&mut self, path: String, query: Option<QueryOf<'a>>, place: Option<usize>, value: EntryValue<'a>) {
        let system = self.system.clone();
        let value = match value {
            EntryValue::Object(object) => EntryValue::Object(unwrapped(object)),
            EntryValue::Scored(object, score) => EntryValue::Scored(unwrapped(object), score),
            other => other,
        };
        self.entries.push(Entry { path, query, system, place, value });
    }

    /// Queries or documents: a list, an object that holds one, or an object by identifier.
    fn list(&mut self, value: &'a Value, path: String) {
        match value {
            Value::Array(list) => {
                for (at, one) in list.iter().enumerate() {
                    let path = format!("{path}[{at}]");
                    match one {
                        Value::Object(object) => self.add(path, None, None, EntryValue::Object(object)),
                        other => self.add(path, None, Some(at), EntryValue::Other(other)),
                    }
                }
            }
            Value::Object(object) => {
                if is_row(self.kind, object) {
                    return self.add(path, None, None, EntryValue::Object(object));
                }
                if let Some((key, list)) = inner_list(self.kind, object) {
                    return self.list(list, inside(&path, key));
                }
                if self.kind == TableKind::Documents
                    && let Some(nodes) = docstore(object)
                {
                    for (id, node) in nodes {
                        let path = inside(&inside(&path, "docstore/data"), id);
                        let fields = node.get("__data__").unwrap_or(node);
                        self.add(path, None, None, EntryValue::Pair(Cow::Borrowed(id), Some(fields)));
                    }
                    return;
                }
                if self.kind == TableKind::Documents
                    && let Some((key, hits)) = hits_of(object)
                {
                    let path = inside(&path, &key);
                    for (at, hit) in hits.iter().enumerate() {
                        let value = hit.as_object().map_or(EntryValue::Other(hit), EntryValue::Object);
                        self.add(format!("{path}[{at}]"), None, None, value);
                    }
                    return;
                }
                if !is_by_identifier(self.kind, object) {
                    return self.add(path, None, None, EntryValue::Object(object));
                }
                for (id, value) in object {
                    self.add(inside(&path, id), None, None, EntryValue::Pair(Cow::Borrowed(id), Some(value)));
                }
            }
            other => self.add(path, None, None, EntryValue::Other(other)),
        }
    }

    fn results(&mut self, value: &'a Value, path: String, at: usize) {
        match value {
            Value::Array(list) => {
                for (place, one) in list.iter().enumerate() {
                    let path = format!("{path}[{place}]");
                    match one {
                        Value::Object(_) => self.results(one, path, place),
                        Value::Array(hits) if hits.iter().all(is_hit) => {
                            self.hits(hits, &path, QueryOf::At(place));
                        }
                        other => self.add(path, None, None, EntryValue::Other(other)),
                    }
                }
            }
            Value::Object(object) => self.result_object(object, path, at),
            other => self.add(path, None, None, EntryValue::Other(other)),
        }
    }

    fn result_object(&mut self, object: &'a Map<String, Value>, path: String, at: usize) {
        if let Some((key, replies)) = batch_of(object) {
            for (place, reply) in replies.iter().enumerate() {
                let path = inside(&path, &format!("{key}[{place}]"));
                match reply {
                    Value::Array(hits) => self.hits(hits, &path, QueryOf::At(place)),
                    reply => self.results(reply, path, place),
                }
            }
            return;
        }
        if is_row(self.kind, object) {
            return self.add(path, None, None, EntryValue::Object(object));
        }
        if let Some((key, hits)) = hits_of(object) {
            let Ok(query) = query_of(object, &self.named) else {
                return self.add(path, None, None, EntryValue::NoQuery);
            };
            self.query = self.query.or(query.as_ref().map(|(field, _)| *field));
            let system =
                object.iter().find(|(key, _)| ["system", "retriever", "engine"].contains(&key.as_str()));
            self.system = system.and_then(|(_, system)| text_of(system));
            let query = query.map_or(QueryOf::At(at), |(_, query)| QueryOf::Named(query));
            self.hits(hits, &inside(&path, &key), query);
            self.system = None;
            return;
        }
        if let Some(found) = pipeline_hits(object, &self.named) {
            self.query = self.query.or(Some(found.field));
            return self.hits(found.hits, &inside(&path, &found.path), QueryOf::Named(found.query));
        }
        if let Some(error) = object.get("error").filter(|error| !error.is_null()) {
            return self.add(path, None, None, EntryValue::Error(error));
        }
        if !is_by_identifier(self.kind, object) {
            return self.add(path, None, None, EntryValue::Object(object));
        }
        for (query, value) in object {
            let path = inside(&path, query);
            let named = QueryOf::Named(Cow::Borrowed(query.as_str()));
            match value {
                Value::Array(hits) => self.hits(hits, &path, named),
                Value::Object(inner) => match hits_of(inner) {
                    Some((key, hits)) => self.hits(hits, &inside(&path, &key), named),
                    None => self.pairs(inner, &path, &named),
                },
                other => self.add(path, Some(named), None, EntryValue::Other(other)),
            }
        }
    }

    /// The hits of one query, best first: objects or identifiers, perhaps in pairs with their scores.
    fn hits(&mut self, hits: &'a [Value], path: &str, query: QueryOf<'a>) {
        if let QueryOf::At(at) = query {
            self.replies = self.replies.max(at + 1);
        }
        for (at, hit) in hits.iter().enumerate() {
            let value = match hit {
                Value::Object(object) => EntryValue::Object(object),
                Value::Array(pair) => match pair.as_slice() {
                    [Value::Object(object), score] if score.is_number() => EntryValue::Scored(object, score),
                    [id, score] if score.is_number() => {
                        text_of(id).map_or(EntryValue::Other(hit), |id| EntryValue::Pair(id, Some(score)))
                    }
                    _ => EntryValue::Other(hit),
                },
                other => text_of(other).map_or(EntryValue::Other(other), |id| EntryValue::Pair(id, None)),
            };
            // Of identifiers with scores, the scores decide; anything else is in the order of the reply.
            let place = Some(at).filter(|_| !matches!(value, EntryValue::Pair(_, Some(_))));
            self.add(format!("{path}[{at}]"), Some(query.clone()), place, value);
        }
    }

    /// Documents of a query with a number each.
    fn pairs(&mut self, documents: &'a Map<String, Value>, path: &str, query: &QueryOf<'a>) {
        for (document, value) in documents {
            if value.is_array() {
                self.add(inside(path, document), Some(query.clone()), None, EntryValue::Other(value));
                continue;
            }
            let pair = EntryValue::Pair(Cow::Borrowed(document.as_str()), Some(value));
            self.add(inside(path, document), Some(query.clone()), None, pair);
        }
    }

    fn labels(&mut self, value: &'a Value, path: String) {
        match value {
            Value::Array(list) => {
                for (at, one) in list.iter().enumerate() {
                    let path = format!("{path}[{at}]");
                    match one {
                        // A request to rank_eval.
                        Value::Object(request) if inner_list(self.kind, request).is_some() => {
                            self.labels(one, path);
                        }
                        Value::Object(object) => self.add(path, None, None, EntryValue::Object(object)),
                        other => self.add(path, None, None, EntryValue::Other(other)),
                    }
                }
            }
            Value::Object(object) => {
                if is_row(self.kind, object) {
                    return self.add(path, None, None, EntryValue::Object(object));
                }
                if let Some((key, list)) = inner_list(self.kind, object) {
                    let first = self.entries.len();
                    self.labels(list, inside(&path, key));
                    let named = query_of(object, &self.named).ok().flatten().map(|(_, query)| query);
                    let query = named.or_else(|| object.get("id").and_then(text_of));
                    for entry in self.entries.get_mut(first..).unwrap_or_default() {
                        entry.query = entry.query.take().or(query.clone().map(QueryOf::Named));
                    }
                    return;
                }
                if !is_by_identifier(self.kind, object) {
                    return self.add(path, None, None, EntryValue::Object(object));
                }
                for (query, value) in object {
                    let (path, named) = (inside(&path, query), QueryOf::Named(Cow::Borrowed(query.as_str())));
                    match value {
                        Value::Object(inner) => self.pairs(inner, &path, &named),
                        other => self.add(path, Some(named), None, EntryValue::Other(other)),
                    }
                }
            }
            other => self.add(path, None, None, EntryValue::Other(other)),
        }
    }
}

fn inside(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Whether the keys of an object seem to be data: none is a usual name, and all values have one form.
fn is_by_identifier(kind: TableKind, object: &Map<String, Value>) -> bool {
    let all = |is: fn(&Value) -> bool| object.values().all(is);
    let has_names = object.keys().any(|key| kind.is_known(key));
    !object.is_empty()
        && !has_names
        && (all(Value::is_object) || all(Value::is_array) || all(Value::is_string))
}
