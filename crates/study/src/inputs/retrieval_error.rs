//! Errors of retrieving results, or of using them.

/// An error of retrieving results, or of using them. Every message names the system.
#[derive(Debug, thiserror::Error)]
pub enum RetrievalError {
    /// A database cannot be queried.
    #[error("system {system}: {source}")]
    Postgres {
        /// The system's name.
        system: String,
        /// The error.
        #[source]
        source: llull_candidates::PostgresError,
    },
    /// A server cannot be queried, or does not answer.
    #[error(transparent)]
    Remote(#[from] llull_candidates::remote::RemoteError),
    /// A result has an identifier that no label file can hold.
    #[error("system {system}: no label of its results could be written: {source}")]
    Identifier {
        /// The system's name.
        system: String,
        /// The identifier.
        #[source]
        source: Box<llull_data::DataError>,
    },
    /// A system was not queried yet.
    #[error("nothing is retrieved for system {0} yet; llull pool --retrieve asks it, as llull run does")]
    NotRetrieved(String),
    /// Documents or queries could not be searched by their vectors.
    #[cfg(feature = "encoders")]
    #[error("system {system}: {source}")]
    Dense {
        /// The system.
        system: String,
        /// The error.
        #[source]
        source: llull_candidates::DenseError,
    },
    /// A retriever's index could not be built.
    #[error("{0}")]
    Index(#[from] llull_candidates::IndexError),
    /// A retriever failed.
    #[error(transparent)]
    Retrieve(#[from] llull_candidates::RetrieveError),
    /// A program that retrieves failed.
    #[error(transparent)]
    Command(#[from] llull_candidates::CommandError),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
