//! A judge of the user's own behind an address.

use std::time::{Duration, SystemTime};

use futures::future::BoxFuture;
use llull_core::{Failure, FailureKind};
use llull_http::{Address, ClientError, HttpMethod, Response, Secret, Transport};

use super::channel::OwnChannel;

/// The longest answer that is read, in bytes.
const LONGEST: usize = 8 * 1024 * 1024;

/// What rerankers say of a text that is too long: vLLM, text-embeddings-inference, Cohere, Voyage.
const TOO_LONG: [&str; 4] =
    ["maximum context length", "must have less than", "too many tokens", "max allowed tokens"];

/// Posts each question to an address, as JSON, and reads the body of the answer.
#[derive(Debug)]
pub struct EndpointChannel {
    transport: Transport,
    key: Option<String>,
}

impl EndpointChannel {
    /// Sets up requests to an address, each of which takes at most `timeout`. A key is the name of its variable, which
    /// messages show, and its value, which is sent as a bearer token.
    ///
    /// # Errors
    /// Returns an error if a header cannot hold the key, or there is no HTTP client.
    pub fn new(
        address: Address,
        key: Option<(String, Secret)>,
        timeout: Duration,
    ) -> Result<Self, ClientError> {
        let (variable, secret) = key.unzip();
        Ok(Self { transport: Transport::new(address, secret, timeout)?, key: variable })
    }

    /// Returns the failure of an answer with an error's status.
    fn refused(&self, response: &Response) -> Failure {
        let mut said = format!("{}: HTTP {}", self.transport.address(), response.status);
        let words = self.transport.quote(&String::from_utf8_lossy(&response.body));
        if !words.is_empty() {
            said.push_str(&format!(": {words}"));
        }
        let kind = match response.status {
            400 | 422 if TOO_LONG.iter().any(|part| words.contains(part)) => FailureKind::TooLong,
            413 => FailureKind::TooLong,
            402 => FailureKind::Quota,
            401 | 403 => FailureKind::Unauthorized,
            300..400 | 404 | 405 | 410 => FailureKind::NotFound,
            408 | 504 => FailureKind::Timeout,
            // The backend of text-embeddings-inference failed.
            424 => FailureKind::Server,
            429 => FailureKind::RateLimited,
            400..=499 => FailureKind::Rejected,
            _ => FailureKind::Server,
        };
        match (kind, &self.key) {
            (FailureKind::Unauthorized, Some(variable)) => {
                said.push_str(&format!("; the key in {variable} is refused"));
            }
            (FailureKind::Unauthorized, None) => {
                said.push_str("; name the variable of the environment that has its key: key = \"NAME\"");
            }
            _ if response.is_redirection() => {
                said.push_str("; redirects are not followed: write the address that answers");
            }
            _ => {}
        }
        Failure { retry_after_ms: response.retry_after_ms(SystemTime::now()), ..Failure::new(kind, said) }
    }
}

impl OwnChannel for EndpointChannel {
    fn ask(&self, _id: String, question: Vec<u8>) -> BoxFuture<'_, Result<Vec<u8>, Failure>> {
        Box::pin(async move {
            let body = Some(("application/json", question));
            let address = self.transport.address();
            let response = self.transport.send(HttpMethod::Post, address, body, LONGEST).await?;
            if !response.is_success() {
                return Err(self.refused(&response));
            }
            // A server may quote the key that it was sent.
            let answer = self.transport.without_key(String::from_utf8_lossy(&response.body).into_owned());
            Ok(answer.into_bytes())
        })
    }

    fn names_questions(&self) -> bool {
        false
    }
}
