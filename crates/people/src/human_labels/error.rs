//! Errors of a correction.

use llull_stats::StatsError;

/// An error of a correction by human labels, with its remedy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CorrectionError {
    /// The measure is a ratio for each query.
    #[error(
        "{measure} cannot be estimated from sampled pairs: it is a ratio for each query, whose bias more queries do \
         not remove. Draw whole queries, or measure by P@k, DCG@k or, of two systems, nDCG@k"
    )]
    Ratio {
        /// The measure.
        measure: String,
    },
    /// Of one system, the figure needs the ideal of each query.
    #[error(
        "{measure} of one system cannot be estimated from sampled pairs: it needs the best possible list of each \
         query, which a few labels give 11% to 20% too high. Compare two systems, draw whole queries (--design \
         queries), or measure by P@k or DCG@k"
    )]
    OneSystem {
        /// The measure.
        measure: String,
    },
    /// The value of a document depends on labels of others.
    #[error(
        "{measure} cannot be estimated from sampled pairs: what a document counts depends on the labels above it, so \
         the figure of each query is biased if some of them are unknown, and more queries do not remove that. Draw \
         whole queries, or measure by P@k or DCG@k"
    )]
    NotASum {
        /// The measure.
        measure: String,
    },
    /// The measure is no mean over queries that ranks systems.
    #[error(
        "{measure} is not corrected by human labels: it is no mean over queries by which systems are better"
    )]
    NoMean {
        /// The measure.
        measure: String,
    },
    /// The measure does not count documents without a label as not relevant.
    #[error(
        "{measure} is not corrected by human labels: leave out judged_only and unjudged, since what is corrected is \
         the figure of a pool that the judge labelled whole"
    )]
    UnjudgedRule {
        /// The measure.
        measure: String,
    },
    /// The figure reads pairs that could not be drawn.
    #[error(
        "it reads {pairs} outside the frame, which could not be drawn (the first: document {document} of query \
         {topic}). Let the judge label them, or draw from a frame that holds them"
    )]
    OutsideFrame {
        /// Their number, in words.
        pairs: String,
        /// The query of the first.
        topic: String,
        /// The document of the first.
        document: String,
    },
    /// Too few queries carry the difference.
    #[error(
        "about {effective:.1} queries carry this difference by the judge's labels, and a sample of queries easily \
         misses them: below 4 no interval is given. Draw pairs instead, by P@k, DCG@k or nDCG@k"
    )]
    FewQueries {
        /// The number of queries that carry it.
        effective: f64,
    },
    /// The two systems return the same results.
    #[error("the two systems do not differ in anything that the measure reads")]
    NoDifference,
    /// No drawn unit has a label.
    #[error("none of the drawn {what} that it reads has a human label")]
    NothingLabelled {
        /// `pairs` or `queries`.
        what: &'static str,
    },
    /// The labels are no random sample.
    #[error("{0}. Labels chosen by a rule are no sample, whatever their number")]
    NoSample(String),
    /// A query was drawn only in part.
    #[error(
        "the pairs of query {query} differ in their probability or in whether they were drawn, and a sample of queries \
         draws each of them whole. Give all pairs of a query the query's probability, or leave out the design"
    )]
    NotDrawnWhole {
        /// The query.
        query: String,
    },
    /// The probability of a query is unknown.
    #[error(
        "the sample's file has no pair of query {query}, whose probability is then not known. Add its pairs, or let \
         the judge's labels be of the frame's queries"
    )]
    UnknownProbability {
        /// The query.
        query: String,
    },
    /// Missing labels cannot be bounded, because the measure has no greatest value.
    #[error(
        "{measure} has no greatest value, so what was drawn and not labelled ({missing}) cannot be bounded. Label it"
    )]
    Unbounded {
        /// The measure.
        measure: String,
        /// The number of missing labels, in words.
        missing: String,
    },
    /// The statistics cannot be computed.
    #[error(transparent)]
    Stats(#[from] StatsError),
}
