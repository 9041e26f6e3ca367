//! Requests to one address, with limits on time and size.

use std::{fmt, time::Duration};

use reqwest::{
    Client,
    header::{AUTHORIZATION, HeaderValue},
};
use serde_json::Value;

use crate::{
    address::Address,
    client::client,
    error::{ClientError, TransportError, with_causes},
    redact::{HIDDEN, SHORTEST_KEY, redact, without_key},
    response::Response,
    secret::Secret,
};

/// The longest answer that is read, in bytes: far more than any model's longest reply, and little enough that a
/// server that never stops does not fill the memory.
const LONGEST_BODY: usize = 8 * 1024 * 1024;

/// The most characters of a server's words that a message quotes.
const LONGEST_QUOTE: usize = 300;

/// Sends requests to one address with one key.
pub struct Transport {
    client: Client,
    address: Address,
    key: Option<Secret>,
    authorization: Option<HeaderValue>,
    timeout: Duration,
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transport")
            .field("address", &self.address)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

impl Transport {
    /// Sets up requests to `address`, with `key` as bearer token; each takes `timeout` at most, connecting included.
    /// Redirects are not followed: a key goes where the user sends it and nowhere else.
    ///
    /// # Errors
    /// Returns an error if a header cannot hold the key, or the HTTP client cannot be built.
    pub fn new(address: Address, key: Option<Secret>, timeout: Duration) -> Result<Self, ClientError> {
        let client = client(&address, timeout)?;
        let authorization = key.as_ref().map(bearer).transpose()?;
        Ok(Self { client, address, key, authorization, timeout })
    }

    /// Returns the address, which shows itself without its query.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Returns whether a key is sent.
    pub fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// Returns a reply without the key, which a server may quote in an answer, too.
    pub fn without_key(&self, reply: String) -> String {
        without_key(reply, self.key.as_ref())
    }

    /// Returns a server's words for a message: on one line, without keys, at most 300 characters.
    pub fn quote(&self, words: &str) -> String {
        let one_line = words.split(|letter: char| letter.is_whitespace() || letter.is_control());
        let one_line = one_line.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let mut hidden = redact(&one_line, self.key.as_ref());
        for (_, value) in self.address.url().query_pairs().filter(|(_, value)| value.len() >= SHORTEST_KEY) {
            hidden = hidden.replace(value.as_ref(), HIDDEN);
        }
        match hidden.char_indices().nth(LONGEST_QUOTE) {
            Some((end, _)) => format!("{}…", hidden.get(..end).unwrap_or_default()),
            None => hidden,
        }
    }

    /// Posts `body` and reads the whole answer.
    ///
    /// # Errors
    /// Returns an error if no whole answer arrives in time, or it is longer than 8 MiB. An answer with an error's
    /// status is an answer.
    pub async fn post(&self, body: &Value) -> Result<Response, TransportError> {
        let mut request = self.client.post(self.address.url().clone()).json(body);
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        let answer = request.send().await.map_err(|error| self.error(error))?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        Ok(Response { status, headers, body: self.read(answer).await? })
    }

    async fn read(&self, mut answer: reqwest::Response) -> Result<Vec<u8>, TransportError> {
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| self.error(error))? {
            if body.len() + chunk.len() > LONGEST_BODY {
                let address = self.address.to_string();
                return Err(TransportError::TooLong { address, limit: LONGEST_BODY });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    fn error(&self, error: reqwest::Error) -> TransportError {
        let address = self.address.to_string();
        let (timed_out, connecting) = (error.is_timeout(), error.is_connect());
        // A connection that takes too long is not a timeout: the address is more likely wrong than slow.
        if timed_out && !connecting {
            return TransportError::Timeout { address, limit: self.timeout };
        }
        let reason = self.quote(&with_causes(&error.without_url()));
        match connecting {
            true => TransportError::NotConnected { address, reason },
            false => TransportError::Broken { address, reason },
        }
    }
}

fn bearer(key: &Secret) -> Result<HeaderValue, ClientError> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose()))
        .map_err(|_| ClientError::KeyNotSendable)?;
    value.set_sensitive(true);
    Ok(value)
}
