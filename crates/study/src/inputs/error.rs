//! Errors of a study's files and systems.

/// An error of a study's files and systems.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The topics' file is empty.
    #[error("{0}: no query in it; a line is: id, tab, query")]
    NoQueries(String),
    /// Queries have no slices by a field.
    #[error("{topics}: slices: {source}")]
    Slices {
        /// The source of the queries.
        topics: String,
        /// The problem, with its remedy.
        source: llull_core::SliceError,
    },
    /// No queries can be chosen.
    #[error(transparent)]
    Choice(#[from] llull_config::QuerySettingsError),
    /// The study names no system.
    #[error("no system to evaluate; add a run or a retriever")]
    NoSystems,
    /// The study names no corpus, and texts are needed.
    #[error(
        "{0}: no `corpus`, and documents' texts are needed; add a line such as\n  corpus = \"corpus.jsonl\""
    )]
    NoCorpus(String),
    /// The first measure cannot give a verdict on systems.
    #[error(
        "{config}: the first measure decides between systems, and {measure} cannot: it is no mean over queries, or \
         it counts \
         what is missing. Put another before it, such as nDCG@10"
    )]
    CannotDecide {
        /// The configuration.
        config: String,
        /// The measure.
        measure: String,
    },
    /// Two sources of the study share no query, or no document.
    #[error(transparent)]
    NothingShared(#[from] llull_core::NothingShared),
    /// A named document is not in the corpus.
    #[error("document {document:?} is not in {corpus}")]
    UnknownDocument {
        /// The document.
        document: String,
        /// The corpus.
        corpus: String,
    },
    /// A named query is not among the study's.
    #[error("query {query:?} is not in {topics}")]
    UnknownQuery {
        /// The query.
        query: String,
        /// The source of the study's queries.
        topics: String,
    },
    /// No system returned a document.
    #[error("the pool is empty: no system returned a document")]
    EmptyPool,
    /// No system returned a document for a query.
    #[error("no system returned a document for query {0:?}; name one with --document")]
    NoDocument(String),
    /// The runs cannot be pooled.
    #[error(transparent)]
    Pool(#[from] llull_candidates::PoolError),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

/// An error of encoding texts.
#[derive(Debug, thiserror::Error)]
pub enum EncodingError {
    /// A text could not be encoded, or its vector not saved.
    #[cfg(feature = "encoders")]
    #[error("{0}")]
    Encode(#[from] llull_encoder::EncodeError),
    /// A model on this machine cannot be used.
    #[cfg(feature = "encoders")]
    #[error("{0}")]
    ModelFiles(#[from] llull_encoder::ModelFilesError),
    /// The encoder of queries cannot be used.
    #[error("{0}")]
    Encoder(String),
}
