//! The request to a server that retrieves.

use llull_candidates::remote::{HttpTemplate, SearchProtocol, StoreKind, StoreOptions, TemplateText};
use llull_core::KeyBuilder;
use llull_llm::Address;
use serde::{Serialize, Serializer};

/// The request to a server, without the server's address.
#[derive(Debug, Clone, PartialEq)]
pub enum RemoteSearch {
    /// A request with places for the query; `url` is the part after the server's address if that is in a variable.
    Template(Box<TemplateText>),
    /// A store with a protocol of its own; its `url` is a placeholder.
    Store(StoreKind, Box<StoreOptions>),
}

/// A server's address, and the protocol of its requests.
pub type RemoteAsked = (Address, Box<dyn SearchProtocol>);

impl RemoteSearch {
    /// Returns the name of its kind in `llull.toml`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Template(_) => "http",
            Self::Store(kind, _) => kind.name(),
        }
    }

    /// Returns the protocol for a server at this address, which the study contains.
    ///
    /// # Errors
    /// Returns an error with its remedy if the settings are invalid.
    pub fn at(&self, address: &str) -> Result<RemoteAsked, String> {
        match self {
            Self::Template(text) => Ok(template(HttpTemplate::new(text)?)),
            Self::Store(kind, options) => {
                store(*kind, options, Address::parse(address).map_err(|error| error.to_string())?)
            }
        }
    }

    /// Returns the protocol for a server whose address is in a variable. Messages show the variable instead.
    ///
    /// # Errors
    /// Returns an error if the settings are invalid. It may show the address.
    pub fn at_variable(&self, variable: &str, address: &str) -> Result<RemoteAsked, String> {
        match self {
            Self::Template(text) => {
                let url = format!("{}{}", address.trim().trim_end_matches('/'), text.url.trim());
                let text = TemplateText { url, ..(**text).clone() };
                Ok(template(HttpTemplate::new(&text)?.in_variable(variable)))
            }
            Self::Store(kind, options) => {
                let url = Address::parse(address).map_err(|error| error.to_string())?;
                store(*kind, options, url.in_variable(variable))
            }
        }
    }

    /// Adds the search to a key. The server's address is not part of it.
    pub fn meaning(&self, key: KeyBuilder) -> KeyBuilder {
        // Values are added unchanged: none of them is an address or the key of a server.
        let key = key.text("retriever", self.name());
        match self {
            Self::Template(text) => {
                let TemplateText { url, method, headers, body, results, id, score, distance, title, text } =
                    &**text;
                let body = body.as_ref().map(ToString::to_string);
                let key = headers
                    .iter()
                    .fold(key, |key, (name, value)| key.text("header", name).text("value", value));
                let key = key.text("request", url).text("results", results).text("id", id);
                let options = [
                    ("method", method),
                    ("body", &body),
                    ("score", score),
                    ("distance", distance),
                    ("title", title),
                    ("text", text),
                ];
                options.into_iter().fold(key, optional)
            }
            Self::Store(_, options) => {
                let StoreOptions { url: _, collection, by_vectors, vector, fields, id, title, text, .. } =
                    &**options;
                let StoreOptions { metric, tenant, database, extra, .. } = &**options;
                let key = key.text("collection", collection).number("by vectors", u64::from(*by_vectors));
                let key = fields.iter().fold(key, |key, field| key.text("field", field));
                let key = key.text("title", title).text("text", text);
                let extra = extra.iter().map(|(name, value)| format!("{name} = {value}"));
                let key = extra.fold(key, |key, field| key.text("extra", &field));
                let options = [
                    ("vector", vector),
                    ("id", id),
                    ("metric", metric),
                    ("tenant", tenant),
                    ("database", database),
                ];
                options.into_iter().fold(key, optional)
            }
        }
    }
}

fn template(template: HttpTemplate) -> RemoteAsked {
    (template.address().clone(), Box::new(template))
}

fn store(kind: StoreKind, options: &StoreOptions, url: Address) -> Result<RemoteAsked, String> {
    let options = StoreOptions { url: url.clone(), ..options.clone() };
    Ok((url, kind.protocol(options)?))
}

fn optional(key: KeyBuilder, (name, value): (&str, &Option<String>)) -> KeyBuilder {
    match value {
        Some(value) => key.text(name, value),
        None => key,
    }
}

/// Without the values of headers, which may be secret, and the query of an address.
impl Serialize for RemoteSearch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Template(text) => text.serialize(serializer),
            Self::Store(_, options) => options.serialize(serializer),
        }
    }
}
