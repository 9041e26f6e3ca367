//! Errors of drawing a sample.

/// An error of drawing a sample.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// Human labels correct no figure of the measure.
    #[error(transparent)]
    NotCorrected(#[from] crate::human_labels::CorrectionError),
    /// A study has no measure.
    #[error("the study has no measure to draw a sample for; name one with -m")]
    NoMeasure,
    /// No sample corrects one of a study's measures.
    #[error(
        "no sample corrects a measure of this study:\n  {0}\nName a measure with -m, such as P@10, or label all \
         pairs (llull review --queue random) and make that person a judge"
    )]
    NothingDrawable(String),
    /// The design can be read from a file, but is not drawn here.
    #[error("samples are drawn as pairs, stratified, unequal or queries, not {0}")]
    Design(&'static str),
    /// There are no labels of the judge.
    #[error(
        "the judge has labelled nothing that these runs retrieve, so there is nothing to draw from. Have the pool \
         judged first (llull run), or check that labels and runs write identifiers alike"
    )]
    NoLabels,
    /// A named system does not exist.
    #[error("no system {name:?}; there are {}", known.join(", "))]
    NoSystem {
        /// The name.
        name: String,
        /// The existing systems.
        known: Vec<String>,
    },
    /// Both systems are the same.
    #[error("{0:?} is compared with itself; name two systems")]
    OneSystem(String),
    /// Two systems do not differ in the documents that the measure reads.
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
    /// Strata by disagreement need several judges, and there is one.
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
        /// The wanted number.
        n: usize,
        /// The least number.
        needed: usize,
    },
    /// Too few pairs for whole queries.
    #[error(
        "{n} pairs are fewer than {least} whole queries, which {measure} needs at least. Draw {pairs} pairs or more, \
         or measure by P@k, DCG@k or, of two systems, nDCG@k (-m)"
    )]
    TooFewForQueries {
        /// The wanted number of pairs.
        n: usize,
        /// The least number of queries.
        least: usize,
        /// The number of pairs in these queries.
        pairs: usize,
        /// The measure.
        measure: String,
    },
    /// The frame is too small for any sample.
    #[error("{measure} reads {found} here, and a sample that is not all of them needs {needed}")]
    TooSmall {
        /// The measure.
        measure: String,
        /// The number of queries or pairs in the frame, in words.
        found: String,
        /// The least number for a sample.
        needed: usize,
    },
    /// The wanted number is not less than the frame.
    #[error(
        "there are {frame} {what} to draw from, so {n} are no sample. Draw fewer (llull sample proposes how many), or \
         label all of them and use people's labels in place of the judge's"
    )]
    TooMany {
        /// The wanted number.
        n: usize,
        /// The size of the frame.
        frame: usize,
        /// The unit: `pairs` or `queries`.
        what: &'static str,
    },
    /// Too few queries carry the difference.
    #[error(
        "the difference of {figure} rests on {effective:.1} queries: a sample of queries misses them too easily, and \
         its interval would be far too narrow. Add queries, or {}",
        of_pairs(*.by_pairs)
    )]
    FewEffectiveQueries {
        /// The figure.
        figure: String,
        /// The number of queries that carry it.
        effective: f64,
        /// Whether single pairs correct its measure, too.
        by_pairs: bool,
    },
    /// Statistics cannot be computed.
    #[error(transparent)]
    Stats(#[from] llull_stats::StatsError),
}

/// The way to a sample of single pairs, if they correct the same measure and if not.
fn of_pairs(by_pairs: bool) -> &'static str {
    match by_pairs {
        true => "leave out --design queries: single pairs suffice for this measure",
        false => "sample pairs for P@k, DCG@k or, of two systems, nDCG@k (-m)",
    }
}

impl SampleError {
    /// Whether another measure may still have a sample.
    pub(super) fn is_of_the_measure(&self) -> bool {
        matches!(
            self,
            Self::NotCorrected(_)
                | Self::NothingDiffers { .. }
                | Self::TooSmall { .. }
                | Self::TooFewForStrata { .. }
                | Self::FewEffectiveQueries { .. }
        )
    }
}
