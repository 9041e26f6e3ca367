//! Errors of requests without an answer.

use std::{error::Error, time::Duration};

use llull_core::{Failure, FailureKind};

/// Why a [`Transport`](crate::Transport) could not be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The key holds characters that no header can hold.
    #[error("the key holds characters that cannot be sent in a header")]
    KeyNotSendable,
    /// No header can have this name.
    #[error("{0:?} cannot be the name of a header")]
    NoHeader(String),
    /// A header cannot have its value.
    #[error("the value of the header {0:?} cannot be sent")]
    NoHeaderValue(String),
    /// The file of certificate authorities cannot be used.
    #[error("ca_file {file}: {problem}")]
    CaFile {
        /// The file.
        file: String,
        /// The problem.
        problem: String,
    },
    /// This program was built without signatures.
    #[error("this llull signs no requests to AWS: build it with `--features sigv4`, or use a bearer key")]
    NoSignatures,
    /// The HTTP client could not be built, for instance because the system has no certificates; the library's
    /// words.
    #[error("no HTTP client: {0}")]
    NotBuilt(String),
}

/// Why a request has no answer. No message holds a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// No answer within the time limit.
    #[error("{address}: no reply within {} s", limit.as_secs_f64())]
    Timeout {
        /// The address without its query.
        address: String,
        /// The limit.
        limit: Duration,
    },
    /// No connection could be made.
    #[error("{address}: {reason}")]
    NotConnected {
        /// The address without its query.
        address: String,
        /// The library's words.
        reason: String,
    },
    /// The connection broke before the end of the answer, or the answer is not HTTP.
    #[error("{address}: {reason}")]
    Broken {
        /// The address without its query.
        address: String,
        /// The library's words.
        reason: String,
    },
    /// The request would go to another server than the one that the key is for.
    #[error("{address}: not asked, because that is another server")]
    OtherServer {
        /// The address without its query.
        address: String,
    },
    /// The answer is longer than the limit.
    #[error("{address}: the answer is longer than {} MiB", limit / 1024 / 1024)]
    TooLong {
        /// The address without its query.
        address: String,
        /// The limit in bytes.
        limit: usize,
    },
}

impl TransportError {
    /// Returns the kind of failure, which decides whether to try again.
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Timeout { .. } => FailureKind::Timeout,
            Self::NotConnected { .. } | Self::Broken { .. } => FailureKind::Connection,
            Self::TooLong { .. } => FailureKind::Server,
            Self::OtherServer { .. } => FailureKind::Rejected,
        }
    }
}

impl From<TransportError> for Failure {
    fn from(error: TransportError) -> Self {
        Self::new(error.kind(), error.to_string())
    }
}

/// Returns an error's message with those of its causes, where reqwest keeps the reason.
pub(crate) fn with_causes(error: &dyn Error) -> String {
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
