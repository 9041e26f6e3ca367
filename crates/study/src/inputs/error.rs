//! Why the files and systems of a study cannot be used.

/// Why the files and systems of a study cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The topics' file is empty.
    #[error("{0}: no query in it; a line is: id, tab, query")]
    NoQueries(String),
    /// No system is named.
    #[error("no system to evaluate; add a run or a retriever")]
    NoSystems,
    /// No corpus is named, and texts are needed.
    #[error(
        "{0}: no `corpus`, and documents' texts are needed; add a line such as\n  corpus = \"corpus.jsonl\""
    )]
    NoCorpus(String),
    /// The first measure cannot decide between systems.
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
        /// Where the study's queries come from.
        topics: Box<str>,
        /// An identifier of each, and why they may differ.
        details: Box<str>,
    },
    /// The labels that exist cannot be kept as they are.
    #[error("{base} (base): {message}")]
    Base {
        /// The labels.
        base: String,
        /// What is so, and what to do.
        message: String,
    },
    /// A pooled document is not in the corpus.
    #[error(
        "{}document {document:?}, found for query {query:?}, is not in {corpus}{}. A judge needs its text: add it \
         there, or \
         correct the identifier; a replay judge needs no texts{}",
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
        /// File and line of the run that returned it, where that is known.
        place: Option<Box<str>>,
        /// The document.
        document: String,
        /// The query.
        query: String,
        /// The corpus.
        corpus: Box<str>,
        /// How many more pooled documents are not in the corpus.
        more: usize,
        /// What is wrong with identifiers, if fewer than a tenth are in the corpus.
        overlap: Option<Box<str>>,
    },
    /// A document that was named is not in the corpus.
    #[error("document {document:?} is not in {corpus}")]
    UnknownDocument {
        /// The document.
        document: String,
        /// The corpus.
        corpus: String,
    },
    /// A query that was named is not among the study's.
    #[error("query {query:?} is not in {topics}")]
    UnknownQuery {
        /// The query.
        query: String,
        /// Where the study's queries come from.
        topics: String,
    },
    /// No system returned anything.
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
        /// The fields that there are.
        known: Vec<String>,
    },
    /// The runs cannot be pooled.
    #[error(transparent)]
    Pool(#[from] llull_candidates::PoolError),
}
