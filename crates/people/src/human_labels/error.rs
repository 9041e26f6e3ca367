//! Errors of a correction.

use llull_stats::StatsError;

/// An error of a correction by human labels, with its remedy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CorrectionError {
    /// The measure is no mean over queries that ranks systems.
    #[error(
        "{measure} is not corrected by human labels: it is no mean over queries by which systems are better"
    )]
    NoMean {
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
    /// The statistics cannot be computed.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
