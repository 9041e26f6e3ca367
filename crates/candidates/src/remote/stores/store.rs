//! Sends queries to a known store, by its templates and pointers.

use llull_core::percent_encoded;
use llull_http::{Address, KeyForm};
use serde_json::{Map, Value, json};

use super::super::placeholders::{Values, asked_values, filled, filled_text, vector, word};
use super::super::protocol::{AskedQuery, SearchProtocol, SearchRequest};
use super::super::reply::{Parts, Score, found, list, pointer};
use super::data::StoreData;
use super::kind::StoreKind;
use super::options::StoreOptions;
use super::own_ways;
use crate::found::{FoundText, QueryAnswer};

pub(super) struct Store {
    kind: StoreKind,
    data: &'static StoreData,
    options: StoreOptions,
    /// The values of the options' placeholders.
    values: Vec<(&'static str, Value)>,
    /// Whether its score is a distance.
    is_distance: bool,
}

impl Store {
    pub(super) fn new(
        kind: StoreKind,
        data: &'static StoreData,
        options: StoreOptions,
    ) -> Result<Self, String> {
        own_ways::check(kind, &options)?;
        let is_distance = match options.metric.as_deref().unwrap_or("cosine") {
            "cosine" | "ip" => false,
            "l2" => true,
            other => return Err(format!("metric = {other:?} is none of \"cosine\", \"ip\" and \"l2\"")),
        };
        let mut values = values(data, &options);
        if kind == StoreKind::Weaviate {
            values.extend(own_ways::graphql(&options));
        }
        Ok(Self { kind, data, options, values, is_distance })
    }

    /// Returns the address of a path. A filled-in value is one word of the path.
    fn address(&self, path: &str) -> Result<Address, String> {
        let base = self.options.url.path().trim_end_matches('/');
        let path = filled_text(path, &self.values(&[]), |value| percent_encoded(&word(value)));
        // Filled-in values have no brace: one that is left is the placeholder of the identifier from the opening
        // reply.
        if path.contains('{') {
            return Err("the collection is not known yet".into());
        }
        Ok(self.options.url.with_path(&format!("{base}{path}")))
    }

    fn values(&self, queries: &[AskedQuery<'_>]) -> Values<'_> {
        let mut asked = queries.first().map_or_else(Vec::new, asked_values);
        if let Some(query) = queries.first() {
            asked.push(("vectors", queries.iter().map(vector).collect()));
            asked.push(("candidates", own_ways::candidates(query.k).into()));
            asked.push(("quoted query", own_ways::quoted(query.text).into()));
        }
        Values { asked, options: &self.values }
    }

    /// Returns the request for queries: one, unless the store takes several in one search.
    fn search(&self, queries: &[AskedQuery<'_>]) -> Map<String, Value> {
        let is_plain = match self.options.fields.as_slice() {
            [] => true,
            [field] => !field.contains(['^', '*']),
            _ => false,
        };
        let own = match (self.options.by_vectors, &self.data.fields) {
            (true, _) => Some(&self.data.vectors),
            (false, Some(fields)) if !is_plain => Some(fields),
            (false, _) => self.data.words.as_ref(),
        };
        let values = self.values(queries);
        let mut search = Map::new();
        for part in own.into_iter().chain([&self.data.common]) {
            search.extend(fields(part, &values));
        }
        search.extend(self.options.extra.clone());
        search
    }

    fn parts(&self) -> Parts {
        let at = |field: &str| format!("{}{}", self.data.below, pointer(field));
        let score = match (&self.data.vector_distance, &self.data.score) {
            (Some(at), _) if self.options.by_vectors => Some(Score::OneLess(at.clone())),
            (_, Some(at)) if self.is_distance => Some(Score::Distance(at.clone())),
            (_, at) => at.clone().map(Score::Higher),
        };
        Parts {
            id: self.options.id.as_deref().map_or_else(|| self.data.id.clone(), at),
            score,
            title: Some(at(&self.options.title)),
            text: Some(self.data.text.clone().unwrap_or_else(|| at(&self.options.text))),
        }
    }

    fn answer(&self, reply: &Value, results: &str) -> QueryAnswer {
        let said = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let reply = reply.pointer(&self.data.within).unwrap_or(&Value::Null);
        if let Some(error) = self.data.errors.iter().find_map(|at| reply.pointer(at)) {
            return Err(said(error));
        }
        own_ways::whole(self.kind, reply)?;
        let results = filled_text(results, &self.values(&[]), word);
        let is_empty = self.data.none.as_deref().is_some_and(|at| reply.pointer(at).is_some());
        let results = match reply.pointer(&results) {
            None if is_empty => &[],
            _ => list(reply, &results)?,
        };
        let mut found: Vec<FoundText> = found(results, &self.parts())?;
        if self.options.id.is_none() {
            found.iter_mut().for_each(|found| own_ways::bare_id(self.kind, &mut found.doc_id));
        }
        Ok(found)
    }
}

/// Returns the values of the options' placeholders; null for an option that is not set.
fn values(data: &StoreData, options: &StoreOptions) -> Vec<(&'static str, Value)> {
    let given = |given: &Option<String>, key: &str| -> Value {
        given.as_ref().or_else(|| data.defaults.get(key)).map_or(Value::Null, |value| value.as_str().into())
    };
    let mut wanted = options.wanted();
    if let (None, Some(field)) = (&options.id, &data.id_field)
        && !wanted.contains(&field.as_str())
    {
        wanted.push(field);
    }
    let fields = match options.fields.as_slice() {
        [] => Value::Null,
        fields => fields.into(),
    };
    vec![
        ("collection", options.collection.as_str().into()),
        ("vector field", given(&options.vector, "vector")),
        ("tenant", given(&options.tenant, "tenant")),
        ("database", given(&options.database, "database")),
        ("field", options.fields.first().unwrap_or(&options.text).as_str().into()),
        ("joined fields", options.fields.join(",").into()),
        ("fields", fields),
        ("joined wanted", wanted.join(",").into()),
        ("wanted", wanted.into()),
    ]
}

/// Returns the fields of an object, filled.
fn fields(template: &Value, values: &Values<'_>) -> Map<String, Value> {
    match filled(template, values) {
        Some(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

impl SearchProtocol for Store {
    fn key_form(&self) -> KeyForm {
        self.data.key_form()
    }

    fn needs_vectors(&self) -> bool {
        self.options.by_vectors
    }

    fn batches(&self) -> bool {
        self.data.batch.is_some()
    }

    fn opening(&self) -> Result<Option<SearchRequest>, String> {
        self.data.opening.as_ref().map(|path| Ok(SearchRequest::get(self.address(path)?))).transpose()
    }

    fn opened(&mut self, reply: &Value) -> Result<(), String> {
        match self.kind {
            StoreKind::Chroma => self.values.push(("collection id", own_ways::collection_id(reply)?.into())),
            StoreKind::Qdrant => {
                self.is_distance = own_ways::is_distance(reply, self.options.vector.as_deref())?;
            }
            _ => {}
        }
        Ok(())
    }

    fn request(&self, queries: &[AskedQuery<'_>]) -> Result<SearchRequest, String> {
        if let (Some(most), Some(k)) = (self.data.most, queries.iter().map(|query| query.k).max())
            && k > most
        {
            let name = self.kind.name();
            return Err(format!("{name} returns {most} results at most, and [retrieve] depth is {k}"));
        }
        match (&self.data.path, &self.data.batch, queries) {
            (_, _, []) => Err("there is no query".into()),
            (Some(path), _, [query]) => {
                Ok(SearchRequest::post(self.address(path)?, self.search(&[*query]).into()))
            }
            (_, Some(batch), queries) => {
                let address = self.address(&batch.path)?;
                let each = queries.iter().map(|query| {
                    let mut search = self.search(&[*query]);
                    search.extend(fields(&batch.add, &self.values(&[])));
                    Value::from(search)
                });
                let body = match &batch.list {
                    Some(list) => vec![json!({list: each.collect::<Vec<_>>()})],
                    None if batch.lines => each.flat_map(|search| [json!({}), search]).collect(),
                    None => vec![self.search(queries).into()],
                };
                Ok(SearchRequest { body, lines: batch.lines, ..SearchRequest::post(address, Value::Null) })
            }
            _ => Err(format!("{} takes one query a request", self.kind.name())),
        }
    }

    fn read(&self, reply: &Value, queries: usize) -> Result<Vec<QueryAnswer>, String> {
        match &self.data.batch {
            None => Ok(vec![Ok(self.answer(reply, &self.data.results)?)]),
            Some(_) if queries == 1 && self.data.path.is_some() => {
                Ok(vec![self.answer(reply, &self.data.results)])
            }
            Some(batch) => {
                let at = batch.each.as_ref().unwrap_or(&self.data.results);
                let replies = list(reply, &batch.results)?;
                if self.kind == StoreKind::Chroma {
                    let rows = (0..replies.len()).map(|query| own_ways::rows(reply, query));
                    return Ok(rows.map(|rows| self.answer(&rows?, at)).collect());
                }
                Ok(replies.iter().map(|reply| self.answer(reply, at)).collect())
            }
        }
    }
}
