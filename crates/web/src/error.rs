//! Errors of showing a study.

use std::io;
use std::net::SocketAddr;

/// Why a study cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened at.
    #[error("cannot listen at {address}: {source}; choose another address or port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The system has no random numbers for a token, or starts no thread.
    #[error("the server cannot be started: {0}")]
    Start(String),
    /// The study cannot be read.
    #[error(transparent)]
    Study(#[from] llull::StudyError),
    /// A review cannot begin, or go on.
    #[error(transparent)]
    Review(#[from] llull::review::ReviewError),
    /// A template failed, which no study should cause.
    #[error("a page cannot be made: {0}")]
    Template(#[from] minijinja::Error),
}
