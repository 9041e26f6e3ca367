//! Requests to one address, with limits on time and size.

#[cfg(feature = "sigv4")]
use std::time::SystemTime;
use std::{fmt, path::Path, time::Duration};

use reqwest::{
    Client,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use serde_json::Value;

use crate::{
    address::Address,
    aws_keys::AwsSigner,
    client::{authorities, client},
    error::{ClientError, TransportError, with_causes},
    key_form::{KeyForm, header_name},
    redact::{HIDDEN, SHORTEST_KEY, hide_key, hide_signatures, redact, without_key},
    response::Response,
    secret::Secret,
};

/// The longest answer that is read, in bytes: far more than any model's longest reply, and little enough that a
/// server that never stops does not fill the memory.
const LONGEST_BODY: usize = 8 * 1024 * 1024;

/// The most characters of a server's words that a message quotes.
const LONGEST_QUOTE: usize = 300;

/// The method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpMethod {
    /// It reads.
    Get,
    /// It sends a body.
    Post,
    /// It stores a body.
    Put,
}

/// Sends requests to one server with one key.
pub struct Transport {
    client: Client,
    address: Address,
    key: Option<Secret>,
    authorization: Option<(HeaderName, HeaderValue)>,
    signer: Option<AwsSigner>,
    headers: HeaderMap,
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
        Self::with_key(address, key, &KeyForm::Bearer, timeout)
    }

    /// Sets up requests with a key in another form.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new), or an error if a header cannot have this name.
    pub fn with_key(
        address: Address,
        key: Option<Secret>,
        form: &KeyForm,
        timeout: Duration,
    ) -> Result<Self, ClientError> {
        let client = client(&address, timeout, Vec::new())?;
        let authorization = key.as_ref().map(|key| form.header(key, &client)).transpose()?;
        Ok(Self { client, address, key, authorization, signer: None, headers: HeaderMap::new(), timeout })
    }

    /// Signs each request with keys of AWS.
    ///
    /// # Errors
    /// Returns an error if a header cannot hold the keys, or this program was built without signatures.
    #[cfg(feature = "sigv4")]
    pub fn signed_by(self, signer: AwsSigner) -> Result<Self, ClientError> {
        signer.headers("GET", self.address.url(), &[], SystemTime::UNIX_EPOCH)?;
        Ok(Self { signer: Some(signer), ..self })
    }

    /// Returns an error, as this program was built without signatures.
    ///
    /// # Errors
    /// Returns it always.
    #[cfg(not(feature = "sigv4"))]
    pub fn signed_by(self, _signer: AwsSigner) -> Result<Self, ClientError> {
        Err(ClientError::NoSignatures)
    }

    /// Trusts the certificate authorities of a PEM file, in addition to those of the system.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or has no certificate.
    pub fn trusting(self, ca_file: &Path) -> Result<Self, ClientError> {
        let client = client(&self.address, self.timeout, authorities(ca_file)?)?;
        Ok(Self { client, ..self })
    }

    /// Adds a header that every request has.
    ///
    /// # Errors
    /// Returns an error if a header cannot have this name or value.
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, ClientError> {
        let value = HeaderValue::from_str(value).map_err(|_| ClientError::NoHeaderValue(name.to_owned()))?;
        self.headers.insert(header_name(name)?, value);
        Ok(self)
    }

    /// Returns the address, which shows itself without its query.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Returns whether a key is sent, or signs.
    pub fn has_key(&self) -> bool {
        self.secrets().next().is_some()
    }

    fn secrets(&self) -> impl Iterator<Item = &Secret> {
        self.key.iter().chain(self.signer.iter().flat_map(|signer| signer.keys.secrets()))
    }

    /// Returns a reply without the key, which a server may quote in an answer, too, plain or encoded.
    pub fn without_key(&self, reply: String) -> String {
        let reply = self.secrets().fold(reply, |reply, key| without_key(reply, Some(key)));
        let value = self.authorization.as_ref().and_then(|(_, value)| value.to_str().ok());
        let pair = value.and_then(|value| value.strip_prefix("Basic "));
        match pair.filter(|pair| pair.len() >= SHORTEST_KEY && reply.contains(pair)) {
            Some(pair) => reply.replace(pair, HIDDEN),
            None => reply,
        }
    }

    /// Returns a server's words for a message: on one line, without keys, at most 300 characters.
    pub fn quote(&self, words: &str) -> String {
        let one_line = words.split(|letter: char| letter.is_whitespace() || letter.is_control());
        let one_line = one_line.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let without_keys = self.secrets().fold(one_line, |text, key| hide_key(&text, key.expose()));
        let mut hidden = redact(&without_keys, None);
        if self.signer.is_some() {
            hidden = hide_signatures(&hidden);
        }
        // A server may quote the header, which may hold the key in another form.
        if let Some(sent) = self.authorization.as_ref().and_then(|(_, value)| value.to_str().ok()) {
            for word in sent.split(' ').filter(|word| word.len() >= SHORTEST_KEY) {
                hidden = hidden.replace(word, HIDDEN);
            }
        }
        for (_, value) in self.address.url().query_pairs().filter(|(_, value)| value.len() >= SHORTEST_KEY) {
            hidden = hidden.replace(value.as_ref(), HIDDEN);
        }
        // A server may quote its own name, as in where it redirects to.
        let host = self.address.variable().and_then(|_| self.address.url().host_str());
        if let Some(host) = host.filter(|host| host.len() >= SHORTEST_KEY) {
            hidden = hidden.replace(host, HIDDEN);
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
        self.sent(self.client.post(self.address.url().clone()).json(body), LONGEST_BODY).await
    }

    /// Sends a request to an address of the same server, with a body of this type of content, and reads an answer of at
    /// most `longest` bytes.
    ///
    /// # Errors
    /// Returns those of [`transfer`](Self::transfer).
    pub async fn send(
        &self,
        method: HttpMethod,
        address: &Address,
        body: Option<(&'static str, Vec<u8>)>,
        longest: usize,
    ) -> Result<Response, TransportError> {
        self.transfer(method, address, body, longest, None).await
    }

    /// Does the same within another time than that of this transport.
    ///
    /// # Errors
    /// Returns an error if the address is of another server, no whole answer arrives in time, or it is longer. An
    /// answer with an error's status is an answer.
    pub async fn transfer(
        &self,
        method: HttpMethod,
        address: &Address,
        body: Option<(&'static str, Vec<u8>)>,
        longest: usize,
        time: Option<Duration>,
    ) -> Result<Response, TransportError> {
        if !self.address.is_same_server(address) {
            return Err(TransportError::OtherServer { address: address.to_string() });
        }
        let url = address.url().clone();
        let mut request = match method {
            HttpMethod::Get => self.client.get(url),
            HttpMethod::Post => self.client.post(url),
            HttpMethod::Put => self.client.put(url),
        };
        if let Some(time) = time {
            request = request.timeout(time);
        }
        if let Some((kind, body)) = body {
            request = request.header(CONTENT_TYPE, kind).body(body);
        }
        self.sent(request, longest).await
    }

    async fn sent(
        &self,
        mut request: reqwest::RequestBuilder,
        longest: usize,
    ) -> Result<Response, TransportError> {
        if let Some((name, value)) = &self.authorization {
            request = request.header(name.clone(), value.clone());
        }
        let request = request.headers(self.headers.clone()).build().map_err(|error| self.error(error))?;
        let answer = self.client.execute(self.signed(request)?).await.map_err(|error| self.error(error))?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        Ok(Response { status, headers, body: self.read(answer, longest).await? })
    }

    #[cfg(feature = "sigv4")]
    fn signed(&self, mut request: reqwest::Request) -> Result<reqwest::Request, TransportError> {
        if let Some(signer) = &self.signer {
            let body = request.body().and_then(reqwest::Body::as_bytes).unwrap_or_default();
            let headers = signer.headers(request.method().as_str(), request.url(), body, SystemTime::now());
            let broken = |error: ClientError| TransportError::Broken {
                address: self.address.to_string(),
                reason: error.to_string(),
            };
            request.headers_mut().extend(headers.map_err(broken)?);
        }
        Ok(request)
    }

    #[cfg(not(feature = "sigv4"))]
    fn signed(&self, request: reqwest::Request) -> Result<reqwest::Request, TransportError> {
        Ok(request)
    }

    async fn read(&self, mut answer: reqwest::Response, longest: usize) -> Result<Vec<u8>, TransportError> {
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| self.error(error))? {
            if body.len() + chunk.len() > longest {
                let address = self.address.to_string();
                return Err(TransportError::TooLong { address, limit: longest });
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
        let advice = tls_advice(&reason);
        let reason = format!("{reason}{advice}");
        match connecting {
            true => TransportError::NotConnected { address, reason },
            false => TransportError::Broken { address, reason },
        }
    }
}

/// Returns advice about an encrypted connection that failed, by the message of the library; empty for any other
/// failure.
fn tls_advice(reason: &str) -> &'static str {
    // An answer that is not a message of TLS is most often one of plain HTTP.
    if reason.contains("InvalidContentType") {
        "; the server answers without encryption: write http:// instead of https://"
    } else if reason.contains("UnknownIssuer") || reason.contains("CaUsedAsEndEntity") {
        "; if the certificate is of an authority of your own, name its file: ca_file, or SSL_CERT_FILE in the \
         environment"
    } else {
        ""
    }
}
