//! Sets up the connection to a server.

use std::{path::Path, time::Duration};

use llull_core::{Failure, FailureKind};
use llull_http::{Address, HttpMethod, RetryPolicy, Secret, Transport};
use tokio::runtime::Runtime;

use super::asking::{LONGEST_REPLY, RemoteRetrieval};
use super::error::RemoteError;
use super::protocol::SearchProtocol;

/// Limits of requests to a server. They do not change its results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RemoteLimits {
    /// How long one request may take, connecting included.
    pub timeout: Duration,
    /// How many requests are under way at once.
    pub concurrency: usize,
    /// How many queries a request has, where the server takes several.
    pub batch: usize,
    /// How often a request whose failure may pass is sent again.
    pub retries: u32,
}

/// A key, and where it is from. It does not print.
#[derive(Clone, Copy)]
pub struct NamedKey<'a> {
    /// The variable of the environment that has it, for messages.
    pub variable: &'a str,
    /// The key.
    pub key: &'a str,
}

/// A server's answer to a request without a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Greeting {
    /// It has the collection, and accepts the key.
    Ready,
    /// It answers, with this status; only a query shows whether it has the collection.
    Answers(u16),
}

impl<'a> RemoteRetrieval<'a> {
    /// Sets up requests to a server. Nothing is sent yet.
    ///
    /// # Errors
    /// Returns an error if a header cannot hold the key or another value, or there is no HTTP client.
    pub fn new(
        system: &'a str,
        (address, protocol): (Address, Box<dyn SearchProtocol>),
        key: Option<NamedKey<'a>>,
        limits: RemoteLimits,
    ) -> Result<Self, RemoteError> {
        let wrong = |source| RemoteError::Client { system: system.to_owned(), source };
        let secret = key.and_then(|key| Secret::new(key.key));
        let mut transport =
            Transport::with_key(address, secret, &protocol.key_form(), limits.timeout).map_err(wrong)?;
        for (name, value) in protocol.headers() {
            transport = transport.header(name, value).map_err(wrong)?;
        }
        let RemoteLimits { concurrency, batch, retries, timeout: _ } = limits;
        Ok(Self {
            system,
            protocol,
            transport,
            key: key.map(|key| key.variable),
            concurrency,
            batch,
            retries: RetryPolicy { attempts: retries.saturating_add(1), ..RetryPolicy::default() },
        })
    }

    /// Trusts the certificate authorities of a PEM file, in addition to those of the system.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or has no certificate.
    pub fn trusting(self, ca_file: &Path) -> Result<Self, RemoteError> {
        let system = self.system;
        let wrong = |source| RemoteError::Client { system: system.to_owned(), source };
        let transport = self.transport.trusting(ca_file).map_err(wrong)?;
        Ok(Self { transport, ..self })
    }

    /// Checks once, without a query, whether the server answers. Requests the description of the collection if the
    /// server has such a request, otherwise the root.
    ///
    /// # Errors
    /// Returns an error if it does not answer in time, or refuses.
    pub fn greet(mut self) -> Result<Greeting, RemoteError> {
        let system = self.system.to_owned();
        let unreached =
            |failure: Failure| RemoteError::Unreached { system: system.clone(), reason: failure.message };
        self.retries.attempts = 1;
        self.runtime()?.block_on(async {
            if self.open().await.map_err(unreached)? {
                return Ok(Greeting::Ready);
            }
            let address = self.transport.address();
            let root = address.sibling(&address.server());
            let root = root.map_err(|error| unreached(Failure::new(FailureKind::Rejected, error)))?;
            let answer = self.transport.send(HttpMethod::Get, &root, None, LONGEST_REPLY).await;
            Ok(Greeting::Answers(answer.map_err(|error| unreached(Failure::from(error)))?.status))
        })
    }

    /// Returns the runtime that waits for answers.
    pub(super) fn runtime(&self) -> Result<Runtime, RemoteError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.map_err(|source| RemoteError::Runtime { system: self.system.to_owned(), source })
    }
}
