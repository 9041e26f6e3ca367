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
    /// A file of the study has the name of llull's own output.
    #[error(
        "{file}: llull writes its own labels or report under this name, and {role}. Rename your file, and name it so \
         in llull.toml"
    )]
    NameOfOutput {
        /// The file.
        file: String,
        /// What the study reads it as, as a clause.
        role: String,
    },
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
    /// A gate looks at documents that no judge sees.
    #[error(
        "the gate {gate} looks at the first {cutoff} results, and the pool has the first {depth} of each system: no \
         judge sees document {document:?}, which {system} has for query {query:?} at rank {rank}. Set depth = {cutoff} \
         under [pool], or write a gate on the first {depth}"
    )]
    GateBelowPool {
        /// The gate.
        gate: Box<str>,
        /// The cutoff of its measure.
        cutoff: u32,
        /// The depth of the pool.
        depth: u32,
        /// A system.
        system: Box<str>,
        /// A query.
        query: Box<str>,
        /// A document of its results that is not in the pool.
        document: Box<str>,
        /// The document's rank, from 1.
        rank: u32,
    },
    /// Two sources of the study share no query, or no document.
    #[error(transparent)]
    NothingShared(#[from] llull_core::NothingShared),
    /// A run answers none of the study's queries.
    #[error(
        "{run}{}: query {query:?} is not in {topics}, nor is any other query of this run. {details}",
        line.map_or(String::new(), |line| format!(" line {line}"))
    )]
    OtherQueries {
        /// The run.
        run: String,
        /// The line of its file with the query.
        line: Option<u64>,
        /// The first query.
        query: String,
        /// The source of the study's queries.
        topics: Box<str>,
        /// An identifier of each, and a possible reason for the difference.
        details: Box<str>,
    },
    /// The pool has the pairs of the reference, and it has none of the study's queries.
    #[error(
        "{reference}: it labels none of these queries, and pool = \"qrels\" judges its pairs: choose others"
    )]
    NoPairs {
        /// The reference.
        reference: String,
    },
    /// The existing labels cannot be used.
    #[error("{base} (base): {message}")]
    Base {
        /// The labels.
        base: String,
        /// The problem, with its remedy.
        message: String,
    },
    /// A pooled document is not in the corpus.
    #[error(
        "{}document {document:?} of query {query:?} is not in {corpus}{}. A judge needs its text: add it there, \
         correct the identifier, or leave the pair out; a replay judge needs no texts{}",
        place.as_ref().map_or(String::new(), |place| format!("{place}: ")),
        match more {
            0 => String::new(),
            n => format!(", nor are {n} more of the pool"),
        },
        match overlap {
            None => String::new(),
            Some(overlap) => format!(". {overlap}"),
        }
    )]
    NotInCorpus {
        /// File and line of the run that returned it, or the labels that alone name it, if they are known.
        place: Option<Box<str>>,
        /// The document.
        document: String,
        /// The query.
        query: String,
        /// The corpus.
        corpus: Box<str>,
        /// The number of further pooled documents outside of the corpus.
        more: usize,
        /// The problem of identifiers, if fewer than a tenth are in the corpus.
        overlap: Option<Box<str>>,
    },
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
    /// No document has a field that the rubric names.
    #[error("{file}: no document has the field {field:?}, one of the `attributes` in the rubric. Documents have \
         {}", known.join(", "))]
    NoAttribute {
        /// The corpus.
        file: String,
        /// The field.
        field: String,
        /// The available fields.
        known: Vec<String>,
    },
    /// The runs cannot be pooled.
    #[error(transparent)]
    Pool(#[from] llull_candidates::PoolError),
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
