//! Errors of drawing a sample.

/// An error of drawing a sample.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// Human labels correct no figure of the measure.
    #[error(transparent)]
    NotCorrected(#[from] crate::human_labels::CorrectionError),
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
    /// Too few labels for the strata.
    #[error(
        "{n} labels are too few for {strata} strata, of which each needs two: draw at least {needed}, or draw \
         pairs without strata (--design uniform)"
    )]
    TooFewForStrata {
        /// The number of labels.
        n: usize,
        /// The number of strata.
        strata: usize,
        /// The least number of labels.
        needed: usize,
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
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
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
