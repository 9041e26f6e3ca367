//! Errors of retrieval from a server.

use llull_http::ClientError;

/// Why nothing is retrieved.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// The requests cannot be set up.
    #[error("system {system}: {source}")]
    Client {
        /// The system's name.
        system: String,
        /// Why.
        #[source]
        source: ClientError,
    },
    /// There is no way to wait for answers.
    #[error("system {system}: {source}")]
    Runtime {
        /// The system's name.
        system: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The server does not answer, or refuses every query.
    #[error("system {system}: {reason}. Earlier results stay saved")]
    Stopped {
        /// The system's name.
        system: String,
        /// The server's behaviour.
        reason: String,
    },
    /// The server does not answer a request without a query.
    #[error("system {system}: {reason}")]
    Unreached {
        /// The system's name.
        system: String,
        /// The server's behaviour.
        reason: String,
    },
    /// The results cannot be written.
    #[error("system {system}: the results cannot be written: {source}")]
    Write {
        /// The system's name.
        system: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}
