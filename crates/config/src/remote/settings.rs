//! A server that retrieves.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use llull_candidates::remote::{
    NamedKey, RemoteError, RemoteLimits, RemoteRetrieval, StoreKind, StoreOptions, TemplateText,
};
use llull_core::KeyBuilder;
use llull_llm::Address;
use serde::Serialize;
use serde_json::{Map, Value};

use super::address::{ServerAddress, variable};
use super::file::{BodyEntry, HttpFile, ServerFile, StoreFile};
use super::search::{RemoteAsked, RemoteSearch};
use crate::extra_fields::json;
use crate::server_limits::{MOST_REQUESTS, REQUEST_TIME, query_encoder, time_limit, within};

/// The highest number of queries in one request.
const LARGEST: usize = 1000;

/// The default and the highest number of retries of a request.
const RETRIES: (u32, u32) = (5, 20);

/// The placeholder of an address that is not known yet.
const SOMEWHERE: &str = "http://localhost";

/// Headers that hold keys.
const OF_KEYS: [&str; 6] =
    ["authorization", "proxy-authorization", "cookie", "api-key", "x-api-key", "x-auth-token"];

/// A server that retrieves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RemoteSettings {
    /// The address.
    #[serde(flatten)]
    pub address: ServerAddress,
    /// The request.
    #[serde(flatten)]
    pub search: RemoteSearch,
    /// The variable of the environment that holds its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// A file of certificate authorities that are trusted for it, besides those of the system.
    #[serde(skip)]
    pub ca_file: Option<PathBuf>,
    /// The encoder of queries, for a search by vectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoder: Option<String>,
    /// The time limit of one request, in seconds.
    pub timeout: f64,
    /// The number of requests at once.
    pub concurrency: NonZeroUsize,
    /// The number of queries in a request, if the server takes several.
    pub batch: NonZeroUsize,
    /// The number of retries of a request after a temporary failure.
    pub retries: u32,
}

impl RemoteSettings {
    /// Checks the table of a server whose request is a template.
    pub(crate) fn of_http(file: &HttpFile) -> Result<Self, String> {
        let server = file.server();
        let place = |name: &str, at: &Option<String>| {
            let missing = || format!("`{name}` is a JSON pointer to where in the reply {}", what(name));
            at.clone().ok_or_else(missing)
        };
        if file.url.is_none() && file.address.is_none() {
            return Err(
                "`url` is the address for requests, such as \"https://search.example.org/v1/search\", or `address` the \
                 variable that holds the server's"
                    .into(),
            );
        }
        let text = TemplateText {
            url: file.url.clone().unwrap_or_default(),
            method: file.method.clone(),
            headers: headers(file)?,
            body: file.body.as_ref().map(body).transpose()?,
            results: place("results", &file.results)?,
            id: place("id", &file.id)?,
            score: file.score.clone(),
            distance: file.distance.clone(),
            title: file.title.clone(),
            text: file.text.clone(),
        };
        if file.key.is_none() && text.headers.iter().any(|(_, value)| value.contains("{key}")) {
            return Err(
                "a header has {key}: name the variable of the environment that holds it, key = \"NAME\""
                    .into(),
            );
        }
        let address = match (&file.address, &file.url) {
            (Some(name), _) => ServerAddress::Variable(variable("address", name, "the server's address")?),
            (None, url) => ServerAddress::Url(url.clone().unwrap_or_default()),
        };
        if file.address.is_some() && !text.url.is_empty() && !text.url.starts_with(['/', '?']) {
            return Err(
                "beside `address`, which names the server, `url` is what follows it, and begins with / or ?"
                    .into(),
            );
        }
        Self::checked(address, RemoteSearch::Template(Box::new(text)), server)
    }

    /// Checks the table of a store with a protocol of its own.
    pub(crate) fn of_store(kind: StoreKind, file: &StoreFile) -> Result<Self, String> {
        let name = kind.name();
        let server = file.server();
        let address = match (server.url, server.address) {
            (Some(url), None) => ServerAddress::Url(url.to_owned()),
            (None, Some(name)) => ServerAddress::Variable(variable("address", name, "the server's address")?),
            _ => {
                return Err(format!(
                    "a system of {name} has either the server's address, url = \"http://localhost:6333\", or \
                     `address`, the variable of the environment that holds it"
                ));
            }
        };
        let collection = file.collection.clone().filter(|collection| !collection.is_empty());
        let collection = collection.ok_or_else(|| {
            format!("`collection` names what {name} searches: a collection, an index, a class or a schema")
        })?;
        let url = Address::parse(SOMEWHERE).map_err(|error| error.to_string())?;
        let usual = StoreOptions::new(url, collection);
        let options = StoreOptions {
            by_vectors: file.encoder.is_some(),
            vector: file.vector.clone(),
            fields: file.fields.clone(),
            id: file.id.clone(),
            title: file.title.clone().unwrap_or(usual.title),
            text: file.text.clone().unwrap_or(usual.text),
            metric: file.metric.clone(),
            tenant: file.tenant.clone(),
            database: file.database.clone(),
            extra: object(&file.extra, "extra")?,
            ..usual
        };
        Self::checked(address, RemoteSearch::Store(kind, Box::new(options)), server)
    }

    fn checked(address: ServerAddress, search: RemoteSearch, server: ServerFile<'_>) -> Result<Self, String> {
        let (_, protocol) = match &address {
            ServerAddress::Url(url) => search.at(url)?,
            ServerAddress::Variable(name) => search.at_variable(name, SOMEWHERE)?,
        };
        let without = "request has no \"{vector}\"";
        let encoder = query_encoder(protocol.needs_vectors(), server.encoder, without)?;
        let timeout = time_limit(server.timeout, REQUEST_TIME)?;
        let (retries, most) = (server.retries.unwrap_or(RETRIES.0), RETRIES.1);
        if retries > most {
            return Err(format!("retries = {retries} is not from 0 to {most}"));
        }
        if server.batch.is_some_and(|batch| batch > 1) && !protocol.batches() {
            return Err(format!("`batch`: {} takes one query a request", search.name()));
        }
        Ok(Self {
            key: server.key.map(|name| variable("key", name, "the key")).transpose()?,
            ca_file: server.ca_file.map(Path::to_owned),
            encoder,
            timeout,
            concurrency: within("concurrency", server.concurrency, MOST_REQUESTS)?,
            batch: within("batch", server.batch, LARGEST)?,
            retries,
            address,
            search,
        })
    }

    /// Returns the address and the protocol of the server.
    ///
    /// # Errors
    /// Returns an error with its remedy if the settings are invalid. An address in a variable is not shown.
    pub fn asked_at(&self, address: &str) -> Result<RemoteAsked, String> {
        let Some(variable) = self.address.variable() else { return self.search.at(address) };
        if let Err(error) = Address::parse(address) {
            return Err(format!("what {variable} holds is no address ({}); it is not shown", error.problem));
        }
        let asked = self.search.at_variable(variable, address);
        asked.map_err(|_| {
            format!("llull cannot send requests to the address in {variable}, which is not shown")
        })
    }

    /// Returns requests to the server, with the settings of the study. No request is sent yet.
    pub fn requests<'a>(
        &self,
        system: &'a str,
        asked: RemoteAsked,
        key: Option<NamedKey<'a>>,
    ) -> Result<RemoteRetrieval<'a>, RemoteError> {
        let requests = RemoteRetrieval::new(system, asked, key, self.limits())?;
        match &self.ca_file {
            Some(file) => requests.trusting(file),
            None => Ok(requests),
        }
    }

    /// Returns the limits of its requests.
    pub fn limits(&self) -> RemoteLimits {
        RemoteLimits {
            timeout: Duration::from_secs_f64(self.timeout),
            concurrency: self.concurrency.get(),
            batch: self.batch.get(),
            retries: self.retries,
        }
    }

    /// Adds the inputs of results to the key under which they are saved. The server's key and the limits of requests
    /// are none of them.
    pub fn meaning(&self, key: KeyBuilder) -> KeyBuilder {
        let key = match &self.address {
            ServerAddress::Url(url) => key.text("url", url),
            ServerAddress::Variable(name) => key.text("address", name),
        };
        self.search.meaning(key.text("encoder", self.encoder.as_deref().unwrap_or_default()))
    }
}

fn what(name: &str) -> &'static str {
    match name {
        "results" => "the list of results is, such as \"/hits/hits\", or \"\" if the reply is that list",
        _ => "a result's identifier is, such as \"/_id\"",
    }
}

/// Refuses keys in headers: a written key would be saved with the study. A key belongs in the environment.
fn headers(file: &HttpFile) -> Result<Vec<(String, String)>, String> {
    for (name, value) in &file.headers {
        if OF_KEYS.contains(&name.to_ascii_lowercase().as_str()) && !value.contains("{key}") {
            return Err(format!(
                "the header {name:?} holds a key, which does not stand in a study: write {{key}} where it belongs, and \
                 name the variable of the environment that holds it, key = \"NAME\""
            ));
        }
    }
    Ok(file.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect())
}

fn body(entry: &BodyEntry) -> Result<Value, String> {
    match entry {
        BodyEntry::Table(fields) => object(fields, "body").map(Value::Object),
        BodyEntry::Json(text) => serde_json::from_str(text).map_err(|error| {
            format!("`body` is a table, or a text of JSON such as '{{\"query\": \"{{query}}\"}}': {error}")
        }),
    }
}

fn object(table: &toml::Table, name: &str) -> Result<Map<String, Value>, String> {
    let field = |(field, value): (&String, &toml::Value)| {
        let value = json(value).ok_or_else(|| {
            format!("{name}: `{field}` holds a date, nan or inf, which JSON cannot express")
        })?;
        Ok((field.clone(), value))
    };
    table.iter().map(field).collect()
}

#[cfg(test)]
mod tests {
    use llull_candidates::remote::AskedQuery;

    use super::*;

    fn http(more: &str) -> RemoteSettings {
        let text = format!(
            "url = \"https://h/s?token=topsecret-1\"\nheaders = {{ X-Plan = \"topsecret-2\" }}\nresults = \"\"\n\
             id = \"/id\"\n{more}"
        );
        RemoteSettings::of_http(&toml::from_str(&text).unwrap()).unwrap()
    }

    fn store(kind: StoreKind, more: &str) -> Result<RemoteSettings, String> {
        let text = format!("url = \"http://h:1\"\ncollection = \"docs\"\n{more}");
        RemoteSettings::of_store(kind, &toml::from_str(&text).unwrap())
    }

    fn meaning(settings: &RemoteSettings) -> String {
        settings.meaning(KeyBuilder::new("test")).finish().to_string()
    }

    #[test]
    fn results_do_not_depend_on_key_and_speed() {
        let plain = http("body = { q = \"{query}\" }");
        let other =
            http("body = '{\"q\": \"{query}\"}'\nkey = \"K\"\ntimeout = 1\nconcurrency = 9\nretries = 0");
        assert_eq!(meaning(&plain), meaning(&other));
        assert_ne!(meaning(&plain), meaning(&http("body = { q = \"{query}\", n = 1 }")));
        assert_ne!(meaning(&plain), meaning(&http("body = { q = \"{query}\" }\ntext = \"/t\"")));
        let milvus = |more: &str| meaning(&store(StoreKind::Milvus, more).unwrap());
        assert_eq!(milvus(""), milvus("key = \"K\"\nconcurrency = 2"));
        let others = [
            "encoder = \"minilm\"",
            "metric = \"l2\"",
            "database = \"d\"",
            "extra = { a = 1 }",
            "id = \"x\"",
        ];
        for more in others {
            assert_ne!(milvus(""), milvus(more), "{more}");
        }
    }

    /// What is written down holds no secret that a study may have by mistake.
    #[test]
    fn what_is_written_down() {
        let written = toml::to_string(&http("body = { q = \"{query}\", v = \"{vector}\" }")).unwrap();
        assert!(!written.contains("topsecret"), "{written}");
        for line in ["url = \"https://h/s\"", "headers = [\"X-Plan\"]", "encoder = \"minilm\"", "retries = 5"]
        {
            assert!(written.contains(line), "{line} is not in\n{written}");
        }
        let store = store(StoreKind::Vespa, "extra = { ranking = \"bm25\" }\naddress = \"\"");
        assert!(store.unwrap_err().contains("either the server's address"));
    }

    /// An address in a variable precedes the template's.
    #[test]
    fn where_a_template_is_asked() {
        let text = "address = \"PLACE\"\nurl = \"/s?q={query}\"\nresults = \"\"\nid = \"/id\"";
        let settings = RemoteSettings::of_http(&toml::from_str(text).unwrap()).unwrap();
        let (address, protocol) = settings.asked_at("https://search.test/v2/\n").unwrap();
        assert_eq!((address.path(), address.server().as_str()), ("/v2/s", "https://search.test"));
        assert!(!protocol.needs_vectors());
        let query = AskedQuery { text: "topsecret", vector: None, k: 1 };
        let request = protocol.request(&[query]).unwrap();
        assert_eq!(
            (address.to_string(), request.address.to_string()),
            ("the address in PLACE".into(), "the address in PLACE".into())
        );
        for wrong in
            ["topsecret.test", "topsecret", "https://me:topsecret@h", "http://", "https://topsecret{query}"]
        {
            let said = settings.asked_at(wrong).err().unwrap_or_default();
            assert!(said.contains("PLACE") && !said.contains("topsecret"), "{wrong}: {said}");
        }
    }
}
