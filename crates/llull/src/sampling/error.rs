//! Why no sample can be drawn.

/// Why no sample can be drawn.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The measure is no sum over documents, so a sample of pairs cannot correct it.
    #[error(
        "{0} cannot be corrected by a sample of pairs: it is a ratio for each query, or depends on other documents' \
         labels, and more queries do not remove the bias of that. Draw whole queries (--design queries), or sample for \
         P@k or DCG@k (-m)"
    )]
    NoSum(String),
    /// The design can be read from a file, but is not drawn here.
    #[error("samples are drawn as pairs, stratified or queries, not {0}")]
    Design(&'static str),
    /// There are no labels of the judge.
    #[error("the judge has labelled nothing that these runs retrieve, so there is no frame to draw from")]
    NoLabels,
    /// A system that was named is not there.
    #[error("no system {name:?}; there are {}", known.join(", "))]
    NoSystem {
        /// The name.
        name: String,
        /// The systems that there are.
        known: Vec<String>,
    },
    /// Both systems are the same.
    #[error("{0:?} is compared with itself; name two systems")]
    OneSystem(String),
    /// Two systems do not differ where the measure looks.
    #[error(
        "{baseline} and {candidate} do not differ in any labelled document that {measure} reads, so no label can \
             tell them apart"
    )]
    NothingDiffers {
        /// One system.
        baseline: String,
        /// The other one.
        candidate: String,
        /// The measure.
        measure: String,
    },
    /// Disagreement is asked for, and there is one judge.
    #[error(
        "strata by disagreement need the grades of several judges; leave out disagreement, or use a panel"
    )]
    OneJudge,
    /// Too few labels for the strata.
    #[error(
        "{n} labels are too few for {strata} strata, of which each needs two: draw at least {needed}, or make fewer \
         strata (--by label)"
    )]
    TooFewForStrata {
        /// The number of labels.
        n: usize,
        /// The number of strata.
        strata: usize,
        /// The least number of labels.
        needed: usize,
    },
    /// Too few labels or queries.
    #[error("{n} are too few to compute an interval from; draw at least {needed}")]
    TooFew {
        /// How many were asked for.
        n: usize,
        /// The least number.
        needed: usize,
    },
    /// All that there is, or more, is asked for.
    #[error(
        "{n} of the {frame} {what} of the frame are all of it, which is no sample: draw fewer, or label all and use \
         people's labels in place of the judge's"
    )]
    TooMany {
        /// How many were asked for.
        n: usize,
        /// How many there are.
        frame: usize,
        /// Of what: pairs, or queries.
        what: &'static str,
    },
    /// Too few queries carry the difference.
    #[error(
        "the difference of {figure} rests on {effective:.1} queries: a sample of queries misses them too easily, and \
         its interval would be far too narrow. Sample pairs for P@k or DCG@k, or add queries"
    )]
    FewEffectiveQueries {
        /// The figure.
        figure: String,
        /// The number of queries that carry it.
        effective: f64,
    },
    /// Statistics cannot be computed.
    #[error(transparent)]
    Stats(#[from] llull_stats::StatsError),
}
