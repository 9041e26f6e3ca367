//! Why a system cannot be retrieved, or not be used as it was retrieved.

/// Why a system cannot be retrieved, or not be used as it was retrieved. Every message names the system.
#[derive(Debug, thiserror::Error)]
pub enum RetrievalError {
    /// A database cannot be asked.
    #[error("system {system}: {source}")]
    Postgres {
        /// The system's name.
        system: String,
        /// What happened.
        #[source]
        source: llull_candidates::PostgresError,
    },
    /// It is not known where a database is.
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
    /// A server cannot be asked, or answers nothing.
    #[error(transparent)]
    Remote(#[from] llull_candidates::remote::RemoteError),
    /// Every query failed, so there is nothing to compare.
    #[error(
        "system {system}: none of {queries} queries was answered; the first: {reason}. What was retrieved before is \
        kept"
    )]
    NoneAnswered {
        /// The system's name.
        system: String,
        /// How many there are.
        queries: usize,
        /// Why the first was not.
        reason: String,
    },
    /// A result has an identifier that no label file can hold.
    #[error("system {system}: no label of its results could be written: {source}")]
    Identifier {
        /// The system's name.
        system: String,
        /// Which.
        #[source]
        source: Box<llull_data::DataError>,
    },
    /// It is not known where a server is.
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
    /// Where a server is said to be, it cannot be asked.
    #[error("system {system}: {problem}")]
    ServerAddress {
        /// The system's name.
        system: String,
        /// What is wrong, and what to write.
        problem: String,
    },
    /// A server's key is not there.
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
    /// A system was not asked yet.
    #[error("nothing is retrieved for system {0} yet; llull retrieve asks it, as llull run and judge do")]
    NotRetrieved(String),
    /// A system is to be asked that the study does not have.
    #[error("the study has no system {0}")]
    NoSuchSystem(String),
    /// A system is to be asked whose results are a file.
    #[error("system {0} is a run file, which cannot be asked other queries; give its results by --results")]
    NotAsked(String),
    /// What a dense system retrieved is of something else by now.
    #[error(
        "the results of system {0} are of another corpus, other queries, another depth or other settings than the \
         study's; llull retrieve gets them anew, as llull run and judge do"
    )]
    EncodedOutdated(String),
    /// Documents or queries could not be searched by their vectors.
    #[cfg(feature = "encoders")]
    #[error("system {system}: {source}")]
    Dense {
        /// The system.
        system: String,
        /// Why.
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
