//! Errors of retrieving results, or of using them.

/// An error of retrieving results, or of using them. Every message names the system.
#[derive(Debug, thiserror::Error)]
pub enum RetrievalError {
    /// The system queries PostgreSQL, and this llull was built without it.
    #[error(
        "system {0}: this llull was built without PostgreSQL (feature `postgres`); name a run file instead"
    )]
    NoPostgres(String),
    /// A database cannot be queried.
    #[error("system {system}: {source}")]
    Postgres {
        /// The system's name.
        system: String,
        /// The error.
        #[source]
        source: llull_candidates::PostgresError,
    },
    /// The address of a database is unknown.
    #[error(
        "system {system} asks the PostgreSQL server that {variable} names, and {variable} is not set: export it, or \
        put \
         {variable}=postgresql://user:password@host:5432/database into .env"
    )]
    NoDatabase {
        /// The system's name.
        system: String,
        /// The variable.
        variable: String,
    },
    /// A server cannot be queried, or does not answer.
    #[error(transparent)]
    Remote(#[from] llull_candidates::remote::RemoteError),
    /// Every query failed, so there is nothing to compare.
    #[error(
        "system {system}: none of {queries} queries was answered; the first: {reason}. Earlier results stay saved"
    )]
    NoneAnswered {
        /// The system's name.
        system: String,
        /// The number of queries.
        queries: usize,
        /// The reason for the first failure.
        reason: String,
    },
    /// A result has an identifier that no label file can hold.
    #[error("system {system}: no label of its results could be written: {source}")]
    Identifier {
        /// The system's name.
        system: String,
        /// The identifier.
        #[source]
        source: Box<llull_data::DataError>,
    },
    /// The address of a server is unknown.
    #[error(
        "system {system} asks the server that {variable} names, and {variable} is not set: export it, or put \
        {variable}=https://search.example.org into .env"
    )]
    NoServerAddress {
        /// The system's name.
        system: String,
        /// The variable.
        variable: String,
    },
    /// The address of a server is invalid.
    #[error("system {system}: {problem}")]
    ServerAddress {
        /// The system's name.
        system: String,
        /// The error, with its remedy.
        problem: String,
    },
    /// A server's key is not set.
    #[error(
        "system {system} asks its server with the key in {variable}, and {variable} is not set: export it, or put it \
        into .env; if the server needs none, leave key = {variable:?} out"
    )]
    NoServerKey {
        /// The system's name.
        system: String,
        /// The variable.
        variable: String,
    },
    /// A system was not queried yet.
    #[error("nothing is retrieved for system {0} yet; llull pool --retrieve asks it, as llull run does")]
    NotRetrieved(String),
    /// A named system is not one of the study's.
    #[error("the study has no system {0}")]
    NoSuchSystem(String),
    /// The results of a named system are a file, so it cannot be queried.
    #[error("system {0} is a run file, which cannot answer other queries; give its results by --results")]
    NotAsked(String),
    /// The results of a dense system are of other inputs.
    #[error(
        "the results of system {0} are of another corpus, other queries, another depth or other settings than the \
         study's; llull pool --retrieve gets them anew, as llull run does"
    )]
    EncodedOutdated(String),
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
}
