//! Properties of stores that templates and pointers cannot express.

use serde_json::{Value, json};

use super::super::reply::{list, shown};
use super::kind::StoreKind;
use super::options::StoreOptions;

/// Checks names that are written unchanged into YQL and GraphQL. A request in GraphQL has no place for fields of the
/// study's own.
pub(super) fn check(kind: StoreKind, options: &StoreOptions) -> Result<(), String> {
    let StoreOptions { collection, vector, fields, id, title, text, .. } = options;
    let is_word = |name: &str, more: char| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == more)
    };
    match kind {
        StoreKind::Vespa => match [collection].into_iter().chain(vector).find(|name| !is_word(name, '-')) {
            Some(name) => Err(format!("{name:?} cannot be a name in a schema of Vespa")),
            None => Ok(()),
        },
        StoreKind::Weaviate if !options.extra.is_empty() => {
            Err("weaviate has no `extra`: it is asked in GraphQL; write an [systems.http] template".into())
        }
        StoreKind::Weaviate => {
            // A field may have a weight, as in "title^2".
            let is_name = |name: &str| {
                let bare = name.split('^').next().unwrap_or_default();
                is_word(bare, '_') && !bare.starts_with(|c: char| c.is_ascii_digit())
            };
            let names = [collection, title, text].into_iter().chain(fields).chain(id).chain(vector);
            match names.into_iter().find(|name| !is_name(name)) {
                Some(name) => Err(format!("{name:?} cannot be a name in Weaviate's schema")),
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Returns the parts of a query in GraphQL, whose lists are not JSON and whose arguments are optional.
pub(super) fn graphql(options: &StoreOptions) -> [(&'static str, Value); 4] {
    let argument = |name: &str, texts: &[String]| match texts {
        [] => String::new(),
        texts => {
            let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
            format!(", {name}: [{}]", texts.join(", "))
        }
    };
    let tenant = options.tenant.as_ref().map(|tenant| format!(", tenant: {}", quoted(tenant)));
    [
        ("properties", argument("properties", &options.fields).into()),
        ("targets", argument("targetVectors", options.vector.as_slice()).into()),
        ("of tenant", tenant.unwrap_or_default().into()),
        ("selection", options.wanted().join(" ").into()),
    ]
}

/// Returns a text as one of JSON, which is one of GraphQL, too.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Returns how many candidates Elasticsearch looks at in each shard for nearest neighbours: it allows 10,000.
pub(super) fn candidates(k: usize) -> usize {
    k.saturating_mul(2).clamp(100, 10_000)
}

/// Reads the identifier of a Chroma collection, which is requested by its name.
pub(super) fn collection_id(reply: &Value) -> Result<&str, String> {
    let id = reply.get("id").and_then(Value::as_str);
    id.ok_or_else(|| format!("the collection has no identifier at \"/id\": it is {}", shown(reply)))
}

/// Returns the results of one query of Chroma's reply, which has a list of lists for each part of them.
pub(super) fn rows(reply: &Value, query: usize) -> Result<Value, String> {
    let part = |name: &str, place: usize| {
        reply.pointer(&format!("/{name}/{query}/{place}")).cloned().unwrap_or(Value::Null)
    };
    let row = |(place, id): (usize, &Value)| {
        json!({
            "id": id,
            "distance": part("distances", place),
            "document": part("documents", place),
            "metadata": part("metadatas", place),
        })
    };
    Ok(list(reply, &format!("/ids/{query}"))?.iter().enumerate().map(row).collect())
}

/// Returns whether the scores of a Qdrant collection are distances, according to its description: those of `Euclid`
/// and `Manhattan` are.
pub(super) fn is_distance(reply: &Value, name: Option<&str>) -> Result<bool, String> {
    let vectors = reply.pointer("/result/config/params/vectors");
    let named = match name {
        Some(name) => vectors.and_then(|vectors| vectors.get(name)),
        None => vectors,
    };
    match (named.and_then(|vectors| vectors.get("distance")).and_then(Value::as_str), name) {
        (Some("Euclid" | "Manhattan"), _) => Ok(true),
        (Some("Cosine" | "Dot"), _) => Ok(false),
        (Some(other), _) => Err(format!("the collection's distance is {other:?}, which is not known")),
        (None, name) => {
            let has = vectors.map_or_else(|| "none".into(), shown);
            Err(match name {
                Some(name) => format!("the collection has no vector {name:?}; it has {has}"),
                None => format!("name one of the collection's vectors, vector = \"NAME\"; it has {has}"),
            })
        }
    }
}

/// Refuses a reply with a part of the results only, which would misrepresent the system, and a Milvus reply with a
/// code of failure.
pub(super) fn whole(kind: StoreKind, reply: &Value) -> Result<(), String> {
    match kind {
        StoreKind::Elasticsearch | StoreKind::OpenSearch => {
            if reply.get("timed_out") == Some(&Value::Bool(true)) {
                return Err("it timed out, and has a part of the results".into());
            }
            match reply.pointer("/_shards/failed").and_then(Value::as_u64) {
                None | Some(0) => Ok(()),
                Some(failed) => {
                    let why = reply.pointer("/_shards/failures/0/reason/reason").and_then(Value::as_str);
                    let why = why.map_or_else(String::new, |why| format!(": {why}"));
                    Err(format!("{failed} of its shards failed, so it has a part of the results{why}"))
                }
            }
        }
        StoreKind::Milvus if reply.get("code").and_then(Value::as_i64) != Some(0) => {
            let message = reply.get("message").and_then(Value::as_str);
            Err(message.map_or_else(|| shown(reply), str::to_owned))
        }
        StoreKind::Vespa if reply.pointer("/coverage/full") == Some(&Value::Bool(false)) => {
            let share = reply.pointer("/coverage/coverage");
            let share = share.map_or_else(|| "a part".into(), |at| format!("{at}%"));
            Err(format!("it searched {share} of the documents only"))
        }
        _ => Ok(()),
    }
}

/// Cuts a document's identifier of Vespa's down to the part that its owner chose: `id:namespace:type::THIS`.
pub(super) fn bare_id(kind: StoreKind, id: &mut String) {
    if kind == StoreKind::Vespa
        && let Some(own) = id.strip_prefix("id:").and_then(|rest| rest.splitn(4, ':').nth(3))
    {
        *id = own.to_owned();
    }
}
