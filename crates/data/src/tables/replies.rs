//! Finds the entries of JSON that is no list of rows: saved replies of search engines, and objects by query.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::roles::{TableKind, is_usual};

/// An entry of a JSON file.
pub(super) struct Entry<'a> {
    /// The path to it: `responses[0].hits.hits[2]`.
    pub(super) path: String,
    /// The query that it belongs to, if something around it names one.
    pub(super) query: Option<QueryOf<'a>>,
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
    /// The error that a search engine replied.
    Error(&'a Value),
    /// An identifier, with a score, a grade or a text.
    Pair(Cow<'a, str>, Option<&'a Value>),
    Other(&'a Value),
}

/// Lists of hits in the replies of search engines and vector stores, and in the dumps of frameworks.
const HITS: [&[&str]; 17] = [
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
    &["contexts"],
    &["items"],
];

/// Where the query of a reply is, besides the usual names of a query.
const QUERIES: [&[&str]; 2] = [&["responseHeader", "params", "q"], &["params", "q"]];

/// Lists of queries, documents and labels inside one object.
const LISTS: [(&str, TableKind); 8] = [
    ("queries", TableKind::Queries),
    ("topics", TableKind::Queries),
    ("documents", TableKind::Documents),
    ("docs", TableKind::Documents),
    ("nodes", TableKind::Documents),
    ("items", TableKind::Documents),
    ("labels", TableKind::Labels),
    ("judgments", TableKind::Labels),
];

/// Returns the entries of a value that is the whole file, or the `at`-th of several in it, and the number of replies up
/// to the last one that names no query.
pub(super) fn entries(kind: TableKind, value: &Value, at: usize) -> (Vec<Entry<'_>>, usize) {
    let mut found = Found { kind, entries: Vec::new(), replies: 0 };
    match kind {
        TableKind::Results => found.results(value, String::new(), at),
        TableKind::Labels => found.labels(value, String::new()),
        TableKind::Queries | TableKind::ResultQueries | TableKind::Documents => {
            found.list(value, String::new());
        }
    }
    (found.entries, found.replies)
}

/// Returns whether an object is one row: it has what a row needs, and no list of hits.
pub(super) fn is_row(kind: TableKind, object: &Map<String, Value>) -> bool {
    if kind == TableKind::Results && hits_of(object).is_some() {
        return false;
    }
    if inner_list(kind, object).is_some() {
        return false;
    }
    if kind == TableKind::ResultQueries {
        return object.keys().any(|key| kind.is_known(key));
    }
    let fields = super::fields::fields_of(object);
    kind.roles().iter().filter(|names| names.required).all(|names| {
        let is_one = |field: &String| {
            let name = field.rsplit('.').next().unwrap_or(field);
            names.usual.iter().copied().flatten().any(|usual| is_usual(name, usual))
        };
        fields.iter().any(is_one)
    })
}

/// Returns whether an object holds many rows.
pub(super) fn is_compound(kind: TableKind, object: &Map<String, Value>) -> bool {
    let replies = matches!(kind, TableKind::Results | TableKind::Documents);
    (replies && (hits_of(object).is_some() || object.contains_key("responses")))
        || inner_list(kind, object).is_some()
        || (!is_row(kind, object) && is_by_identifier(kind, object))
}

fn inner_list(kind: TableKind, object: &Map<String, Value>) -> Option<(&'static str, &Value)> {
    let mut lists = LISTS.iter().filter(|(_, of)| *of == kind);
    lists.find_map(|(key, _)| {
        let value = object.get(*key)?;
        matches!(value, Value::Array(list) if !list.iter().all(Value::is_number)).then_some((*key, value))
    })
}

fn at_path<'a>(object: &'a Map<String, Value>, path: &[&str]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(object.get(*first)?, |value, key| value.get(*key))
}

/// Returns the list of hits of a reply, with its path.
fn hits_of(object: &Map<String, Value>) -> Option<(String, &Vec<Value>)> {
    let known = HITS.iter().find_map(|path| {
        let list = at_path(object, path)?.as_array()?;
        Some((path.join("."), list))
    });
    known.or_else(|| {
        // Weaviate: data.Get.CLASS
        let (class, list) = at_path(object, &["data", "Get"])?.as_object()?.iter().next()?;
        Some((format!("data.Get.{class}"), list.as_array()?))
    })
}

/// Returns the query that an object names.
fn query_of(object: &Map<String, Value>) -> Option<Cow<'_, str>> {
    let usual = TableKind::Results.roles().first().map_or(&[][..], |names| names.usual);
    let named = usual.iter().find_map(|group| {
        object.iter().find(|(key, _)| group.iter().any(|usual| is_usual(key, usual))).map(|(_, value)| value)
    });
    let named = named.or_else(|| object.get("id").filter(|_| hits_of(object).is_some()));
    named.or_else(|| QUERIES.iter().find_map(|path| at_path(object, path))).and_then(text_of)
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
    /// The number of replies up to the last one that names no query.
    replies: usize,
}

impl<'a> Found<'a> {
    fn add(&mut self, path: String, query: Option<QueryOf<'a>>, place: Option<usize>, value: EntryValue<'a>) {
        self.entries.push(Entry { path, query, place, value });
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
                if let Some((key, list)) = inner_list(self.kind, object) {
                    return self.list(list, inside(&path, key));
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
                if is_row(self.kind, object) || !is_by_identifier(self.kind, object) {
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
                        Value::Array(hits) => self.hits(hits, &path, QueryOf::At(place)),
                        other => self.add(path, None, None, EntryValue::Other(other)),
                    }
                }
            }
            Value::Object(object) => self.result_object(object, path, at),
            other => self.add(path, None, None, EntryValue::Other(other)),
        }
    }

    fn result_object(&mut self, object: &'a Map<String, Value>, path: String, at: usize) {
        if let Some(Value::Array(responses)) = object.get("responses") {
            for (place, response) in responses.iter().enumerate() {
                self.results(response, inside(&path, &format!("responses[{place}]")), place);
            }
            return;
        }
        if let Some((key, hits)) = hits_of(object) {
            let query = query_of(object).map_or(QueryOf::At(at), QueryOf::Named);
            return self.hits(hits, &inside(&path, &key), query);
        }
        if let Some(error) = object.get("error").filter(|error| !error.is_null()) {
            return self.add(path, None, None, EntryValue::Error(error));
        }
        if is_row(self.kind, object) || !is_by_identifier(self.kind, object) {
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

    /// The hits of one query, best first: objects, identifiers, or pairs of identifier and score.
    fn hits(&mut self, hits: &'a [Value], path: &str, query: QueryOf<'a>) {
        if let QueryOf::At(at) = query {
            self.replies = self.replies.max(at + 1);
        }
        for (place, hit) in hits.iter().enumerate() {
            let value = match hit {
                Value::Object(object) => EntryValue::Object(object),
                Value::Array(pair) => match pair.as_slice() {
                    [id, score] if score.is_number() => {
                        text_of(id).map_or(EntryValue::Other(hit), |id| EntryValue::Pair(id, Some(score)))
                    }
                    _ => EntryValue::Other(hit),
                },
                other => text_of(other).map_or(EntryValue::Other(other), |id| EntryValue::Pair(id, None)),
            };
            self.add(format!("{path}[{place}]"), Some(query.clone()), Some(place), value);
        }
    }

    /// Documents of a query with a number each.
    fn pairs(&mut self, documents: &'a Map<String, Value>, path: &str, query: &QueryOf<'a>) {
        for (document, value) in documents {
            let pair = EntryValue::Pair(Cow::Borrowed(document.as_str()), Some(value));
            self.add(inside(path, document), Some(query.clone()), None, pair);
        }
    }

    fn labels(&mut self, value: &'a Value, path: String) {
        match value {
            Value::Array(list) => {
                for (at, one) in list.iter().enumerate() {
                    let value = one.as_object().map_or(EntryValue::Other(one), EntryValue::Object);
                    self.add(format!("{path}[{at}]"), None, None, value);
                }
            }
            Value::Object(object) => {
                if let Some((key, list)) = inner_list(self.kind, object) {
                    return self.labels(list, inside(&path, key));
                }
                if is_row(self.kind, object) || !is_by_identifier(self.kind, object) {
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
