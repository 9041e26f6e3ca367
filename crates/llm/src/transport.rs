//! One POST: what goes over the wire and what comes back, with a limit on time and size.

use std::{error::Error, fmt, time::Duration};

use llull_core::{Failure, FailureKind};
use reqwest::{
    Client, Response, StatusCode, Url,
    header::{AUTHORIZATION, HeaderMap, HeaderValue},
};
use serde_json::Value;

use crate::{
    ModelError, Secret, address,
    registry::Provider,
    secret::{HIDDEN, SHORTEST_KEY, redact, without_key},
};

/// The longest reply that is read. A judge's answer is a few kB; 8 MiB is far above any model's longest output, and
/// keeps a server that never stops from filling the memory.
const LONGEST_BODY: usize = 8 * 1024 * 1024;

/// The longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The most of a server's words that go into a message.
const LONGEST_WORDS: usize = 300;

/// A way to one address.
pub(crate) struct Transport {
    client: Client,
    url: Url,
    key: Option<Secret>,
    key_header: Option<HeaderValue>,
    provider: &'static Provider,
    timeout: Duration,
}

/// Without the address's query, which may hold a key.
impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transport")
            .field("url", &self.shown_url())
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

/// What a server has answered, whatever its status.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Transport {
    /// A way to `url`. Redirects are not followed: a key goes where the user sends it and nowhere else.
    pub(crate) fn new(
        model: &str,
        url: Url,
        provider: &'static Provider,
        key: Option<Secret>,
        timeout: Duration,
    ) -> Result<Self, ModelError> {
        let client = client(&url, timeout).map_err(|error| ModelError::Client {
            model: model.to_owned(),
            reason: chain(&error.without_url()),
        })?;
        let bad_key = |_| ModelError::BadKey { variable: provider.key_variable };
        let key_header = key.as_ref().map(|key| bearer(key).map_err(bad_key)).transpose()?;
        Ok(Self { client, url, key, key_header, provider, timeout })
    }

    /// The address for messages, without a query.
    pub(crate) fn shown_url(&self) -> String {
        address::shown(&self.url)
    }

    /// Whether a key is sent.
    pub(crate) fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// A reply without the key, which a server may quote in an answer, too.
    pub(crate) fn without_key(&self, reply: String) -> String {
        without_key(reply, self.key.as_ref())
    }

    /// A server's words for a message: on one line, without keys, at most 300 characters.
    pub(crate) fn words(&self, text: &str) -> String {
        let one_line = text.split(|letter: char| letter.is_whitespace() || letter.is_control());
        let one_line = one_line.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let mut hidden = redact(&one_line, self.key.as_ref());
        for (_, value) in self.url.query_pairs().filter(|(_, value)| value.len() >= SHORTEST_KEY) {
            hidden = hidden.replace(value.as_ref(), HIDDEN);
        }
        match hidden.char_indices().nth(LONGEST_WORDS) {
            Some((end, _)) => format!("{}…", hidden.get(..end).unwrap_or_default()),
            None => hidden,
        }
    }

    /// Sends `body` and reads the whole answer.
    ///
    /// # Errors
    /// `Timeout`, `Connection`, or `Server` when the answer is too long.
    pub(crate) async fn post(&self, body: &Value) -> Result<Answered, Failure> {
        let mut request = self.client.post(self.url.clone()).json(body);
        if let Some(key) = &self.key_header {
            request = request.header(AUTHORIZATION, key.clone());
        }
        let response = request.send().await.map_err(|error| self.failure(error))?;
        let (status, headers) = (response.status(), response.headers().clone());
        Ok(Answered { status, headers, body: self.read(response).await? })
    }

    async fn read(&self, mut response: Response) -> Result<Vec<u8>, Failure> {
        let too_long = || {
            let limit = LONGEST_BODY / 1024 / 1024;
            Failure::new(
                FailureKind::Server,
                format!("{}: the answer is longer than {limit} MiB", self.shown_url()),
            )
        };
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.failure(error))? {
            if body.len() + chunk.len() > LONGEST_BODY {
                return Err(too_long());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    fn failure(&self, error: reqwest::Error) -> Failure {
        // a connection that takes too long is a connection's failure: the address is more likely wrong than slow
        if error.is_timeout() && !error.is_connect() {
            let limit = self.timeout.as_secs_f64();
            let message = format!("{}: no reply within {limit} s", self.shown_url());
            return Failure::new(FailureKind::Timeout, message);
        }
        let start = match self.provider.start_with {
            Some(command) if error.is_connect() => format!("; is the server running ({command})?"),
            _ => String::new(),
        };
        let reason = self.words(&chain(&error.without_url()));
        Failure::new(FailureKind::Connection, format!("{}: {reason}{start}", self.shown_url()))
    }
}

fn client(url: &Url, timeout: Duration) -> Result<Client, reqwest::Error> {
    // reqwest panics without one. Whoever has installed one already, has chosen: the error says only that
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("llull/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(timeout);
    if address::is_loopback(url) {
        // no proxy reaches this machine's own servers
        builder = builder.no_proxy();
        if url.scheme() == "http" {
            // nor do they need the system's certificates, which a small container may lack
            builder = builder.tls_certs_only([]);
        }
    }
    builder.build()
}

fn bearer(key: &Secret) -> Result<HeaderValue, reqwest::header::InvalidHeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose()))?;
    value.set_sensitive(true);
    Ok(value)
}

/// An error and its causes, which is where reqwest keeps the reason.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let reason = error.to_string();
        if !text.ends_with(&reason) {
            text.push_str(": ");
            text.push_str(&reason);
        }
        cause = error.source();
    }
    text
}
